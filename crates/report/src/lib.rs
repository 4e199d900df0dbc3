//! Pages: a public one, which takes no type of `evaluate`, and a steward's one.
// SKELETON: the model owner fills this in.

use lookalike_measurement::Statement;
use lookalike_model::Model;

/// `release/report.html`: only what may be published.
pub fn public_page(statement: &Statement, model: &Model) -> String {
    let _ = (statement, model);
    todo!()
}
