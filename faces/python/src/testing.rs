//! Recordings of the curator's answers, for tests of the whole path. The shipped module is built
//! without it.

use lookalike::{ReadWatch, Table, read_options};
use pyo3::prelude::*;

use crate::errors::raised;
use crate::schema::Schema;
use crate::source::Given;
use crate::watch::watched;

/// The answers of a run, to be given again to another.
#[pyclass(module = "lookalike", frozen)]
pub struct Recording(pub lookalike::testing::Recording);

#[pymethods]
impl Recording {
    #[new]
    fn new() -> Self {
        Self(lookalike::testing::Recording::default())
    }
}

/// The codes of every modelled column, as rows of this schema are coded. For tests alone: it looks
/// at rows without paying.
#[pyfunction]
pub fn codes(py: Python<'_>, schema: &Schema, rows: &Bound<'_, PyAny>) -> PyResult<Vec<(String, Vec<u32>)>> {
    let raise = |error: lookalike::Error| raised(py, &error);
    let input = Given::new(rows)?.input(py)?;
    let closed = schema.open.closed().map_err(|error| raise(error.into()))?;
    let options = read_options(None, None).map_err(raise)?;
    let table = Table::read(&input, &closed, &options, &NoWatch).map_err(|error| raise(error.into()))?;
    let schema = table.schema().clone();
    let column = |attribute| {
        let codes = table.codes(attribute).map_err(|error| raise(error.into()))?;
        Ok((schema.column(attribute).name.clone(), codes))
    };
    schema.domain().attributes().map(column).collect()
}

/// Nobody watches.
struct NoWatch;

impl ReadWatch for NoWatch {
    fn share_read(&self, _share: f64) {}
    fn cancelled(&self) -> bool {
        false
    }
}

/// A fault of the program's own, with words that must not be seen.
#[pyfunction]
pub fn fault(py: Python<'_>, words: String) -> PyResult<()> {
    watched(py, None, move |_, _| panic!("{words}"))
}
