//! Metrics on two tables that may be looked at: the real one, opened for the steward, and the
//! synthetic one.
//!
//! Nothing here is private: what it returns compares with real rows and belongs to the steward
//! alone. [`compare()`] has the distances of columns and pairs, [`evaluate`] everything.
//!
//! ```
//! use lookalike_evaluate::{compare, evaluate, EvaluationSettings};
//! use lookalike_schema::Schema;
//! use lookalike_table::Table;
//!
//! let schema = Schema::parse(r#"{"age": 3, "sex": 2}"#, "people.json")?;
//! let real = Table::from_columns(&schema, vec![vec![0, 1, 2, 2], vec![0, 1, 0, 1]]);
//! let synthetic = Table::from_columns(&schema, vec![vec![0, 1, 1, 2], vec![0, 1, 0, 1]]);
//! // One row of four has moved from the last age to the middle one.
//! let found = compare(&real, &synthetic, &|| false)?;
//! assert_eq!(found.columns[0].distance, 0.25);
//! assert_eq!(found.columns[1].distance, 0.0);
//!
//! let settings = EvaluationSettings::default();
//! let whole = evaluate(&real, &synthetic, None, &settings, &|_| {}, &|| false)?;
//! assert_eq!(whole.to_json()["marginals"]["1"]["mean_tvd"], 0.125);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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

pub use compare::{ColumnComparison, LostCells, PairDistance, TableComparison, compare};
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
