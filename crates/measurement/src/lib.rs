//! What has been paid for, and nothing else: noisy marginals, noisy counts, noisy scores,
//! selections, and the statement.
//!
//! ```
//! use lookalike_measurement::{AnsweredMarginals, NoisyMarginal};
//! use lookalike_privacy::{Neighbours, Rational, Relation, Step};
//! use lookalike_schema::{AttrId, Clique};
//!
//! let sensitivity = Neighbours::new(Relation::AddRemove, 1)?.marginal();
//! let step = Step::Gaussian { sigma_squared: Rational::new(4, 1)?, sensitivity };
//! let answer = |values: Vec<i64>| {
//!     NoisyMarginal { clique: Clique::single(AttrId(0)), values, step: step.clone() }
//! };
//! // The same column was asked for twice: both answers together are half as noisy.
//! let mut answers = AnsweredMarginals::default();
//! answers.add(&answer(vec![10, 32]));
//! answers.add(&answer(vec![14, 30]));
//! let both: Vec<_> = answers.marginals().collect();
//! assert_eq!((&both[0].values[..], both[0].variance), (&[12.0, 31.0][..], 2.0));
//! # Ok::<(), lookalike_privacy::PrivacyError>(())
//! ```

pub mod answer;
pub mod answers;
pub mod statement;

pub use answer::{DrawnRows, NoisyCount, NoisyMarginal, NoisyScore, Selection};
pub use answers::{AnsweredMarginal, AnsweredMarginals};
pub use statement::{ReleaseFacts, ReleaseFile, Statement, StatementError, Used, delta_warning};
