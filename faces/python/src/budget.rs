//! Budgets: what one buys, and the ledger across releases.

use lookalike::{DataSet, Error, LedgerSpec, OpenSchema, PlanSpec, data_set_json};
use pyo3::prelude::*;

use crate::errors::raised;
use crate::schema::Schema;

/// What is asked of a plan.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Asked {
    rows: Option<u64>,
    columns: Option<u64>,
    discover_share: Option<f64>,
    unit: Option<String>,
    contribution: Vec<u32>,
    persons: Option<u64>,
    rows_per_person: Option<f64>,
    epsilon: Vec<f64>,
    delta: Option<f64>,
    methods: Vec<String>,
    relation: Option<String>,
    error: Option<f64>,
    way: Option<u32>,
    engine: Option<String>,
}

/// What a budget buys, as JSON. No rows are read.
#[pyfunction]
pub fn plan(py: Python<'_>, schema: Option<&Schema>, asked: Asked) -> PyResult<String> {
    let open = schema.map_or_else(OpenSchema::nothing, |schema| schema.open.clone());
    let spec = PlanSpec {
        rows: asked.rows,
        columns: asked.columns,
        discover_share: asked.discover_share,
        unit: asked.unit,
        contribution: asked.contribution,
        persons: asked.persons,
        rows_per_person: asked.rows_per_person,
        epsilon: asked.epsilon,
        delta: asked.delta,
        methods: asked.methods,
        relation: asked.relation,
        error: asked.error,
        way: asked.way,
        engine: asked.engine,
        work_seconds: None,
    };
    let planned = py.detach(|| spec.plan_open(&open)).map_err(|error| raised(py, &error))?;
    Ok(planned.to_json().to_string())
}

/// Terms of a data set.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Terms {
    name: String,
    epsilon: f64,
    delta: Option<f64>,
    relation: Option<String>,
    unit: Option<String>,
    contribution: Option<u32>,
    filter: Option<String>,
}

/// Opens a data set in a ledger, which is made when it is not there.
#[pyfunction]
pub fn ledger_open(py: Python<'_>, file: &str, terms: Terms) -> PyResult<String> {
    let Terms { name, epsilon, delta, relation, unit, contribution, filter } = terms;
    let spec = LedgerSpec { name, epsilon, delta, relation, unit, contribution, filter };
    told(py, py.detach(|| lookalike::open_in_ledger(file.as_ref(), &spec).map(|set| vec![set])))
}

/// The data set of that name, or all, as JSON. For the steward.
#[pyfunction]
#[pyo3(signature = (file, name=None))]
pub fn ledger_show(py: Python<'_>, file: &str, name: Option<&str>) -> PyResult<String> {
    told(py, py.detach(|| lookalike::show_ledger(file.as_ref(), name)))
}

/// Closes a data set for ever.
#[pyfunction]
pub fn ledger_close(py: Python<'_>, file: &str, name: &str) -> PyResult<String> {
    told(py, py.detach(|| lookalike::close_in_ledger(file.as_ref(), name).map(|set| vec![set])))
}

fn told(py: Python<'_>, sets: Result<Vec<DataSet>, Error>) -> PyResult<String> {
    let sets = sets.map_err(|error| raised(py, &error))?;
    let sets: serde_json::Value = sets
        .iter()
        .map(|set| {
            let mut found = data_set_json(set);
            found["left_in_words"] = set.left_in_words().into();
            found
        })
        .collect();
    Ok(sets.to_string())
}
