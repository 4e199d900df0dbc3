//! The rest of what the command line has, and the command line itself.

use std::ffi::OsString;
use std::num::NonZero;

use lookalike::Error;
use lookalike_audit::AuditError;
use lookalike_audit::suite::{AuditSettings, AuditSize, ResultsFile, list, run_on, text};
use pyo3::prelude::*;

use crate::errors::of_class;
use crate::watch::watched;

/// The methods and their parameters, as JSON.
#[pyfunction]
pub fn methods() -> String {
    lookalike::methods_json().to_string()
}

/// The JSON Schema of schema files.
#[pyfunction]
pub fn schema_reference() -> String {
    lookalike::json_schema().to_string()
}

/// The schema file of the table that `lookalike demo` makes.
#[pyfunction]
pub fn demo_schema() -> &'static str {
    lookalike::demo_data::schema_toml()
}

/// Rows of that table as CSV: made up, and nobody's.
#[pyfunction]
pub fn demo_csv(py: Python<'_>, rows: usize, seed: u64) -> PyResult<String> {
    let mut bytes = Vec::new();
    py.detach(|| lookalike::demo_data::write_csv(rows, seed, &mut bytes))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Runs the command line and gives its exit code. The process should end with it.
#[pyfunction]
pub fn cli(py: Python<'_>, words: Vec<OsString>, again: Vec<OsString>) -> u8 {
    py.detach(|| lookalike_cli::main(words, again))
}

/// Audits the product: results as JSON, and as a text for people. No private row is read.
#[pyfunction]
#[pyo3(signature = (method, mechanism, epsilons, runs, full, threads, tell=None))]
#[allow(clippy::too_many_arguments)]
pub fn audit(
    py: Python<'_>,
    method: Option<String>,
    mechanism: Option<String>,
    epsilons: Vec<f64>,
    runs: Option<usize>,
    full: bool,
    threads: Option<usize>,
    tell: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, String)> {
    let size = if full { AuditSize::Full } else { AuditSize::Quick };
    let refused = |error: AuditError| of_class(py, "SettingError", &error.to_string());
    let audits = list(&AuditSettings { method, mechanism, epsilons, size, runs }).map_err(refused)?;
    // Always threads of its own: those that are shared by the process do not survive a fork.
    let threads = threads.or_else(|| std::thread::available_parallelism().ok().map(NonZero::get)).or(Some(1));
    let found = watched(py, tell, move |observer, cancel| {
        match run_on(threads, &audits, &mut ResultsFile::new(), observer, cancel) {
            Err(AuditError::Interrupted) => Err(Error::Interrupted),
            other => Ok(other),
        }
    })?;
    let rows = found.map_err(refused)?;
    let told = serde_json::to_string(&rows).map_err(|error| of_class(py, "InternalError", &error.to_string()))?;
    Ok((told, text(&rows)))
}
