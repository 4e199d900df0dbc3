//! Rows that stay where they are, behind an object of Python: Spark, a warehouse.
//!
//! The object has `kind`, `version`, `rows_of` and `assumes` for the statement, `columns()`,
//! `code(bytes)`, `count(bytes)` and `stop()`. It is inside the door. What it raises is kept from
//! releases, journals and logs: fixed words take its place, and the error itself becomes the cause
//! of the one that `fit` raises, for the steward's eyes.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use lookalike::engine::{
    Cancel, Clique, Coding, CountRequest, CountTable, Counts, CuratorError, Derived, Domain, FarRows, Permit,
    SourceFacts, answered,
};
use lookalike::{ReadWatch, TableError};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;

/// How often a stop is looked for while the engine works.
const GLANCE: Duration = Duration::from_millis(50);

/// What the engine raised last.
#[derive(Clone, Default)]
pub struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    fn put(&self, error: PyErr) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }

    /// The error with what the engine raised as its cause.
    pub fn as_cause_of(&self, py: Python<'_>, error: PyErr) -> PyErr {
        if let Some(cause) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            error.set_cause(py, Some(cause));
        }
        error
    }
}

/// Rows behind an object of Python.
pub struct PythonRows {
    engine: Py<PyAny>,
    raised: Raised,
    domain: Option<Domain>,
}

impl PythonRows {
    /// The object's rows, if it is an engine.
    pub fn of(given: &Bound<'_, PyAny>) -> PyResult<Option<(Self, Raised)>> {
        if !given.hasattr("_lookalike_engine")? {
            return Ok(None);
        }
        let raised = Raised::default();
        Ok(Some((Self { engine: given.clone().unbind(), raised: raised.clone(), domain: None }, raised)))
    }

    /// Asks the engine, and tells it to stop when somebody wants that. `None` when it raised.
    fn ask<T: Send>(
        &self,
        cancelled: &(dyn Fn() -> bool + Sync),
        question: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T> + Send,
    ) -> Option<T> {
        let (done, ended) = channel::<()>();
        let ended = Mutex::new(ended);
        let answer = std::thread::scope(|scope| {
            scope.spawn(|| self.stop_when(cancelled, &ended));
            let answer = Python::attach(|py| question(self.engine.bind(py)));
            drop(done);
            answer
        });
        answer.map_err(|error| self.raised.put(error)).ok()
    }

    fn stop_when(&self, cancelled: &(dyn Fn() -> bool + Sync), ended: &Mutex<std::sync::mpsc::Receiver<()>>) {
        let ended = ended.lock().unwrap_or_else(PoisonError::into_inner);
        while matches!(ended.recv_timeout(GLANCE), Err(RecvTimeoutError::Timeout)) {
            if cancelled() {
                // It may fail to stop, and then it is waited for.
                let _ = Python::attach(|py| self.engine.bind(py).call_method0("stop").map(drop));
                return;
            }
        }
    }

    fn fact(&self, name: &str) -> Option<String> {
        Python::attach(|py| self.engine.bind(py).getattr(name).ok()?.extract().ok())
    }
}

impl FarRows for PythonRows {
    fn names(&mut self, watch: &dyn ReadWatch) -> Result<Vec<String>, TableError> {
        let names = self.ask(&|| watch.cancelled(), |engine| engine.call_method0("columns")?.extract());
        names.ok_or_else(|| unanswered(watch, "the engine did not tell the columns"))
    }

    fn code(&mut self, coding: &Coding, watch: &dyn ReadWatch) -> Result<(), TableError> {
        let bytes = coding.to_bytes();
        self.domain = Some(coding.schema().domain().clone());
        let coded =
            self.ask(&|| watch.cancelled(), |engine| engine.call_method1("code", (bytes.as_slice(),)).map(drop));
        coded.ok_or_else(|| unanswered(watch, "the engine could not code the rows; nothing was charged"))
    }

    fn facts(&self) -> SourceFacts {
        let word = |name: &str| self.fact(name).unwrap_or_default();
        SourceFacts {
            engine: word("kind"),
            version: word("version"),
            rows_of: word("rows_of"),
            assumes: self.fact("assumes"),
        }
    }
}

fn unanswered(watch: &dyn ReadWatch, what: &'static str) -> TableError {
    if watch.cancelled() {
        return TableError::Cancelled;
    }
    TableError::Server { what, help: "what it said itself is the cause of this error" }
}

impl Counts for PythonRows {
    fn count(
        &self,
        cliques: &[Clique],
        derived: &[Derived],
        permit: Permit,
        cancel: &Cancel,
    ) -> Result<Vec<CountTable>, CuratorError> {
        let domain = self.domain.as_ref().ok_or_else(|| failed("the rows were not coded"))?;
        let request = CountRequest::new(domain, cliques, derived);
        let bytes = request.to_bytes();
        let batches = self.ask(&|| cancel.is_cancelled(), |engine| {
            let reader =
                engine.call_method1("count", (bytes.as_slice(),))?.extract::<AnyRecordBatch>()?.into_reader()?;
            let read: Result<Vec<RecordBatch>, ArrowError> = reader.collect();
            read.map_err(|_| pyo3::exceptions::PyValueError::new_err("the counts are no Arrow batches"))
        });
        let _used_up = permit;
        if cancel.is_cancelled() {
            return Err(CuratorError::Cancelled);
        }
        answered(&request, &batches.ok_or_else(|| failed("the engine could not count; nothing is released"))?)
    }
}

fn failed(what: &str) -> CuratorError {
    CuratorError::Engine { what: what.to_owned() }
}
