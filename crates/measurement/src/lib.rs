//! What has been paid for, and nothing else: noisy marginals, noisy counts, noisy scores,
//! selections, and the statement.

pub mod answer;
pub mod answers;
pub mod statement;

pub use answer::{DrawnRows, NoisyCount, NoisyMarginal, NoisyScore, Selection};
pub use answers::{AnsweredMarginal, AnsweredMarginals};
pub use statement::{ReleaseFacts, ReleaseFile, Statement, StatementError, Used, delta_warning};
