//! What engines need that code and count where the rows are: the rules of codecs as plain data, and
//! made-up tables to compare their codes with.

use lookalike::Schema;
use lookalike::engine::{Coding, SuiteTable};
use pyo3::prelude::*;
use serde_json::json;

use crate::errors::raised;
use crate::rows::Rows;

/// The rules of the columns that a coding has codes for, as JSON, in the order of their codes.
#[pyfunction]
pub fn codec_rules(py: Python<'_>, coding: &[u8]) -> PyResult<String> {
    let coding = Coding::from_bytes(coding).map_err(|error| raised(py, &error.into()))?;
    Ok(rules_of(coding.schema()))
}

/// A made-up table: the rules of its columns as JSON, its rows, and the codes of each column.
#[pyfunction]
pub fn coding_suite(py: Python<'_>, number: u64) -> PyResult<(String, Rows, Vec<Vec<u32>>)> {
    let table = py.detach(|| SuiteTable::new(number)).map_err(|error| raised(py, &error.into()))?;
    Ok((rules_of(&table.schema), Rows::new(vec![table.rows]), table.codes))
}

/// The rules of a schema's modelled columns, in attribute order. A column that is held as its
/// difference to another has the name of that one in the place of a rule: one cell is not enough.
fn rules_of(schema: &Schema) -> String {
    let rule = |attribute| match schema.after(attribute) {
        Some(after) => json!({ "name": schema.column(attribute).name, "after": after.on(), "rule": null }),
        None => json!({ "name": schema.column(attribute).name, "rule": schema.codec(attribute).rule() }),
    };
    json!(schema.domain().attributes().map(rule).collect::<Vec<_>>()).to_string()
}
