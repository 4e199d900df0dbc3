//! A release in memory, and what can be asked of it for free.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use lookalike::{
    Answer, Format, Question, Release as Made, ReleaseFolder, Replacement, SampleJob, SampleSpec, Seed, Verdict,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::errors::{of_class, raised};
use crate::rows::Rows;
use crate::source::Given;
use crate::watch::watched;

/// A release: nothing here can see a private row.
#[pyclass(module = "lookalike", frozen)]
pub struct Release {
    made: Arc<Made>,
}

impl Release {
    pub fn new(made: Made) -> Self {
        Self { made: Arc::new(made) }
    }
}

/// Reads the folder of a run or of a release.
#[pyfunction]
pub fn load_release(py: Python<'_>, folder: &str) -> PyResult<Release> {
    let opened = py.detach(|| Made::open(folder));
    opened.map(Release::new).map_err(|error| raised(py, &error))
}

/// Reads what [`Release::to_bytes`] wrote.
#[pyfunction]
pub fn release_from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Release> {
    Made::from_bytes(bytes).map(Release::new).map_err(|error| raised(py, &error))
}

#[pymethods]
impl Release {
    /// The guarantee in one line.
    #[getter]
    fn guarantee(&self) -> String {
        self.made.guarantee()
    }

    /// The guaranteed epsilon; `None` without a guarantee.
    #[getter]
    fn epsilon(&self) -> Option<f64> {
        self.made.epsilon()
    }

    /// The guaranteed delta.
    #[getter]
    fn delta(&self) -> Option<f64> {
        self.made.delta()
    }

    /// The epsilon recomputed from the scales used.
    #[getter]
    fn used(&self) -> f64 {
        self.made.used()
    }

    /// The number of synthetic rows.
    #[getter]
    fn rows(&self) -> u64 {
        self.made.rows()
    }

    /// The seed of the release's own rows.
    #[getter]
    fn seed(&self) -> Option<u64> {
        self.made.seed().map(|seed| seed.0)
    }

    /// Whether more rows can be drawn.
    #[getter]
    fn has_model(&self) -> bool {
        self.made.model().is_some()
    }

    /// The model's file, as it would be written.
    fn model_bytes<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.made.model().map(|model| PyBytes::new(py, &model.to_bytes()))
    }

    /// What is left in the ledger, in words. For the steward.
    fn ledger_words(&self) -> Vec<String> {
        self.made.ledger_words().to_vec()
    }

    /// The privacy statement as JSON.
    fn statement(&self) -> String {
        self.made.statement().to_json()
    }

    /// The schema of the rows, as the text of a schema file.
    fn schema_text(&self, py: Python<'_>) -> PyResult<String> {
        let raise = |error: lookalike::Error| raised(py, &error);
        match self.made.found_schema().map_err(raise)? {
            Some(text) => Ok(text),
            None => self.made.schema().to_released_toml().map_err(|error| raise(error.into())),
        }
    }

    /// The page about the release.
    fn report(&self, py: Python<'_>) -> String {
        py.detach(|| self.made.report())
    }

    /// What every column and code means, as CSV.
    fn dictionary(&self) -> String {
        self.made.dictionary()
    }

    /// The release's own rows: those that its folder has.
    fn own_rows(&self, py: Python<'_>) -> PyResult<Rows> {
        let made = Arc::clone(&self.made);
        watched(py, None, move |_, _| made.synthetic_rows()).map(Rows::new)
    }

    /// Rows drawn from the model.
    #[pyo3(signature = (rows, seed=None, condition=None, replacement=None, threads=None))]
    fn sample(
        &self,
        py: Python<'_>,
        rows: u64,
        seed: Option<u64>,
        condition: Option<String>,
        replacement: Option<bool>,
        threads: Option<usize>,
    ) -> PyResult<Rows> {
        let replacement = replacement.map(|with| if with { Replacement::With } else { Replacement::Thinned });
        let spec = SampleSpec { rows, seed, format: Format::Csv, threads, condition, replacement };
        let job = spec.check().map_err(|error| raised(py, &error))?;
        let made = Arc::clone(&self.made);
        watched(py, None, move |_, cancel| made.sample_job(&job, cancel)).map(Rows::new)
    }

    /// What has to be known of rows that meet a condition: bins that it cuts.
    fn condition_notes(&self, py: Python<'_>, condition: String) -> PyResult<Vec<String>> {
        let raise = |error: lookalike::Error| raised(py, &error);
        condition_job(condition).map_err(raise)?.notes(self.made.schema()).map_err(raise)
    }

    /// How many blocks a sample of `rows` rows comes in.
    fn sample_blocks(&self, py: Python<'_>, rows: u64) -> PyResult<u64> {
        let job = block_job(py, rows, 0)?;
        let made = Arc::clone(&self.made);
        watched(py, None, move |_, _| made.sample_blocks(&job))
    }

    /// One block of a sample of `rows` rows, on one thread: an engine draws as many blocks at a
    /// time as it has cores.
    fn sample_block(&self, py: Python<'_>, rows: u64, seed: u64, block: u64) -> PyResult<Rows> {
        let job = block_job(py, rows, seed)?;
        let made = Arc::clone(&self.made);
        watched(py, None, move |_, cancel| made.sample_block(&job, block, cancel)).map(Rows::new)
    }

    /// The given rows with the model's other columns drawn for them.
    fn complete(&self, py: Python<'_>, known: &Bound<'_, PyAny>, seed: u64) -> PyResult<Rows> {
        let known = Given::new(known)?.batches(py)?;
        let made = Arc::clone(&self.made);
        watched(py, None, move |_, cancel| made.complete(known, Seed(seed), cancel)).map(Rows::new)
    }

    /// A marginal with error bars: the rows of the answer, and what has to be known to read them.
    #[pyo3(signature = (columns, condition=None))]
    fn query<'py>(
        &self,
        py: Python<'py>,
        columns: Vec<String>,
        condition: Option<String>,
    ) -> PyResult<(Rows, Bound<'py, PyDict>)> {
        let quoted = columns.iter().map(|name| format!("\"{}\"", name.replace('"', "\"\"")));
        let question = Question { columns: quoted.collect::<Vec<_>>().join(","), condition };
        let made = Arc::clone(&self.made);
        let answer = watched(py, None, move |_, _| made.query(&question))?;
        let about = PyDict::new(py);
        about.set_item("total", answer.total())?;
        about.set_item("total_low", answer.total_interval().map(|it| it.low))?;
        about.set_item("total_high", answer.total_interval().map(|it| it.high))?;
        about.set_item("notes", answer.notes())?;
        let rows = answer_rows(&answer).map_err(|error| of_class(py, "InternalError", &error.to_string()))?;
        Ok((Rows::new(vec![rows]), about))
    }

    /// Writes the folder, whole or not at all. Gives the folder that may be published.
    fn save(&self, py: Python<'_>, folder: &str, format: &str, overwrite: bool) -> PyResult<String> {
        let raise = |error: lookalike::Error| raised(py, &error);
        let format = Format::parse(format).map_err(raise)?;
        let place = ReleaseFolder::new(folder).format(format).move_aside(overwrite);
        let made = Arc::clone(&self.made);
        let written = watched(py, None, move |_, _| made.write_to(&place))?;
        Ok(written.release_folder().display().to_string())
    }

    /// Whether the release agrees with its statement.
    fn verify<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Verdict { guarantee, used, cap, charges, charged_runs, files, disagreements } =
            py.detach(|| self.made.verify());
        let found = PyDict::new(py);
        found.set_item("agrees", disagreements.is_empty())?;
        found.set_item("guarantee", guarantee)?;
        found.set_item("used", used)?;
        found.set_item("cap", cap)?;
        found.set_item("charges", charges)?;
        found.set_item("charged_runs", charged_runs)?;
        found.set_item("files", files)?;
        found.set_item("disagreements", disagreements)?;
        Ok(found)
    }

    /// The release as bytes: the statement and the model.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.made.to_bytes()).map_err(|error| raised(py, &error))?;
        Ok(PyBytes::new(py, &bytes))
    }
}

/// A job that stands for its condition alone.
fn condition_job(condition: String) -> Result<SampleJob, lookalike::Error> {
    let (threads, condition) = (Some(1), Some(condition));
    SampleSpec { rows: 0, seed: Some(0), format: Format::Csv, threads, condition, replacement: None }.check()
}

/// Rows that are drawn block by block, elsewhere.
fn block_job(py: Python<'_>, rows: u64, seed: u64) -> PyResult<SampleJob> {
    let spec = SampleSpec {
        rows,
        seed: Some(seed),
        format: Format::Csv,
        threads: Some(1),
        condition: None,
        replacement: None,
    };
    spec.check().map_err(|error| raised(py, &error))
}

/// The lines of an answer: the columns asked for, then counts and shares with their intervals.
fn answer_rows(answer: &Answer) -> Result<RecordBatch, arrow_schema::ArrowError> {
    let cells: Vec<lookalike::Cell<'_>> = answer.cells().collect();
    let words = |place: usize| {
        let name = answer.columns()[place].clone();
        let words = cells.iter().map(|cell| cell.values[place]);
        (name, Arc::new(StringArray::from_iter_values(words)) as ArrayRef)
    };
    let number = |name: &str, of: &dyn Fn(&lookalike::Cell<'_>) -> Option<f64>| {
        (name.to_owned(), Arc::new(cells.iter().map(of).collect::<Float64Array>()) as ArrayRef)
    };
    let kinds = cells.iter().map(|cell| cell.errors.map(|errors| errors.kind.word()));
    let figures = [
        number("count", &|cell| Some(cell.count)),
        number("count_low", &|cell| cell.errors.map(|errors| errors.count.low)),
        number("count_high", &|cell| cell.errors.map(|errors| errors.count.high)),
        number("count_error", &|cell| cell.errors.and_then(|errors| errors.count.error)),
        number("share", &|cell| Some(cell.share)),
        number("share_low", &|cell| cell.errors.map(|errors| errors.share.low)),
        number("share_high", &|cell| cell.errors.map(|errors| errors.share.high)),
        ("kind".to_owned(), Arc::new(kinds.collect::<StringArray>()) as ArrayRef),
    ];
    RecordBatch::try_from_iter((0..answer.columns().len()).map(words).chain(figures))
}
