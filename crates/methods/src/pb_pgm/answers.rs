//! What is fitted.

use lookalike_model::MeasuredClique;
use lookalike_schema::Clique;

/// What the door said.
pub(super) struct Answers {
    pub rows: f64,
    pub tables: Vec<Table>,
    pub coverage: Vec<MeasuredClique>,
}

/// Noisy counts of some columns.
pub(super) struct Table {
    pub clique: Clique,
    pub values: Vec<f64>,
    pub variance: f64,
}
