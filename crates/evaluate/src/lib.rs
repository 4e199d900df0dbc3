//! Metrics on two tables that may be looked at: the real one, opened for the steward, and the
//! synthetic one.
//!
//! Nothing here is private: what it returns compares with real rows and belongs to the steward
//! alone.

pub mod columns;
pub mod compare;
pub mod disclosure;
pub mod distance;
pub mod error;
pub mod evaluation;
pub mod hypothesis;
pub mod learn;
pub mod lists;
pub mod marginals;
pub mod math;
pub mod nist;
pub mod number;
pub mod pairs;
pub mod predict;
pub mod propensity;
pub mod raw;
pub mod rng;
pub mod rows;
pub mod values;

pub use compare::{ColumnComparison, PairDistance, TableComparison, compare};
pub use distance::{all_pairs, marginal_distances, total_variation};
pub use error::EvaluateError;
pub use evaluation::{
    Evaluation, EvaluationSettings, RawEvaluation, RawLimits, compare_triples, evaluate, evaluate_raw,
};
pub use lists::MarginalLists;
pub use rng::EvaluationRng;
pub use rows::CodedRows;
pub use values::{code_values, ordered_columns};

#[cfg(test)]
mod tests;
