//! Metrics on two tables that may be looked at: the real one, opened for the steward, and the synthetic one.
//!
//! Nothing here is private: what it returns compares with real rows and belongs to the steward alone.

pub mod compare;
pub mod distance;
pub mod error;
pub mod lists;

pub use compare::{ColumnComparison, Comparison, PairDistance, compare};
pub use distance::{all_pairs, marginal_distances, total_variation};
pub use error::EvaluateError;
pub use lists::MarginalLists;

#[cfg(test)]
mod tests;
