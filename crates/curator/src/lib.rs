//! The only door. Pays, then looks, then adds noise; exact counts never leave this crate.

pub mod cancel;
pub mod counts;
pub mod curator;
pub mod error;
pub mod query;
pub mod scores;

pub use cancel::Cancel;
pub use counts::{CountTable, Counts, Permit};
pub use curator::Curator;
pub use error::CuratorError;
pub use query::{Candidate, CountQuery, MarginalQuery, Noise, Score, SelectQuery};
