//! Recordings of the curator's answers, for tests of the whole path. The shipped module is built
//! without it.

use pyo3::prelude::*;

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
