//! What only the steward may see: rows are looked at without paying.

use lookalike::{EvaluateSpec, draft_schema, evaluation_page, read_options, synthetic_input};
use pyo3::prelude::*;
use serde_json::json;

use crate::errors::raised;
use crate::schema::Schema;
use crate::source::Given;
use crate::watch::watched;

/// A first schema: its text, and warnings.
#[pyfunction]
#[pyo3(signature = (rows, tell=None))]
pub fn draft(
    py: Python<'_>,
    rows: &Bound<'_, PyAny>,
    tell: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, Vec<String>)> {
    let input = Given::new(rows)?.input(py)?;
    let made =
        watched(py, tell, move |observer, cancel| draft_schema(&input, &read_options(None, None)?, observer, cancel))?;
    Ok((made.to_toml(), made.warnings()))
}

/// Which cells a schema does not cover, as JSON.
#[pyfunction]
pub fn check(py: Python<'_>, schema: &Schema, rows: &Bound<'_, PyAny>) -> PyResult<String> {
    let input = Given::new(rows)?.input(py)?;
    let closed = schema.open.closed().map_err(|error| raised(py, &error.into()))?;
    let found = watched(py, None, move |observer, cancel| {
        lookalike::check_against(&closed, &input, &read_options(None, None)?, observer, cancel)
    })?;
    let outside: Vec<_> = found.outside.iter().map(|(name, cells)| json!({ "column": name, "cells": cells })).collect();
    Ok(json!({ "rows": found.rows, "outside": outside }).to_string())
}

/// What to compare, beside the rows.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Extras {
    targets: Vec<String>,
    all_targets: bool,
    nist: Option<[String; 3]>,
    marginals: Option<String>,
    seed: u64,
    memory: Option<String>,
    threads: Option<usize>,
}

/// Compares two tables: the figures as JSON, and the page.
#[pyfunction]
#[pyo3(signature = (real, synthetic, holdout, schema, extras, tell=None))]
pub fn evaluate(
    py: Python<'_>,
    real: &Bound<'_, PyAny>,
    synthetic: &Bound<'_, PyAny>,
    holdout: Option<&Bound<'_, PyAny>>,
    schema: &Schema,
    extras: Extras,
    tell: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, String)> {
    let closed = schema.open.closed().map_err(|error| raised(py, &error.into()))?;
    // A folder of a release stands for its rows.
    let synthetic = match synthetic.extract::<String>() {
        Ok(path) => synthetic_input(path.as_ref()).map_err(|error| raised(py, &error))?,
        Err(_) => Given::new(synthetic)?.input(py)?,
    };
    let spec = EvaluateSpec {
        holdout: holdout.map(|holdout| Given::new(holdout)?.input(py)).transpose()?,
        targets: extras.targets,
        all_targets: extras.all_targets,
        nist: extras.nist,
        marginals: extras.marginals.map(Into::into),
        seed: Some(extras.seed),
        memory: extras.memory,
        threads: extras.threads,
        ..EvaluateSpec::new(Given::new(real)?.input(py)?, synthetic)
    };
    let found = watched(py, tell, move |observer, cancel| lookalike::evaluate(&spec, &closed, observer, cancel))?;
    Ok((found.to_json().to_string(), py.detach(|| evaluation_page(&found))))
}
