//! The run.

use std::sync::OnceLock;

use lookalike::{FittedRows, JobSpec, JournalStore, LedgerFile, OpenSchema};
use pyo3::prelude::*;

use crate::errors::{of_class, raised};
use crate::release::Release;
use crate::schema::Schema;
use crate::source::Given;
use crate::watch::watched;

/// Rows that were fitted in this process, whatever object did it.
static FITTED: OnceLock<FittedRows> = OnceLock::new();

fn fitted(py: Python<'_>) -> PyResult<&'static FittedRows> {
    if let Some(known) = FITTED.get() {
        return Ok(known);
    }
    let made = FittedRows::new().map_err(|error| raised(py, &error))?;
    Ok(FITTED.get_or_init(|| made))
}

/// What goes with a run beside its settings.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Extras {
    /// The text of a workload file.
    workload: Option<String>,
    /// Where every charge is written before the look that it pays for.
    journal: Option<String>,
    /// Whether rows that were fitted before are meant.
    spend_again: bool,
    /// The noise of tests.
    test_seed: Option<u64>,
}

/// Reads the rows, pays, measures and fits. `settings` is JSON with the names of a job file.
#[pyfunction]
#[pyo3(signature = (rows, schema, settings, extras, tell=None, recording=None, replays=false))]
#[allow(clippy::too_many_arguments)]
pub fn fit(
    py: Python<'_>,
    rows: &Bound<'_, PyAny>,
    schema: Option<&Schema>,
    settings: &str,
    extras: Extras,
    tell: Option<&Bound<'_, PyAny>>,
    recording: Option<&Bound<'_, PyAny>>,
    replays: bool,
) -> PyResult<Release> {
    let given = Given::new(rows)?;
    let wrong = |error: serde_json::Error| of_class(py, "SettingError", &error.to_string());
    let spec: JobSpec = serde_json::from_str(settings).map_err(wrong)?;
    let open = schema.map_or_else(OpenSchema::nothing, |schema| schema.open.clone());
    let register = fitted(py)?;
    let raise = |error: lookalike::Error| raised(py, &error);
    let job = spec.check_with_open_schema(open).map_err(raise)?;
    let mut run = job.synthesizer;
    if let Some(text) = &extras.workload {
        run = run.workload(lookalike::parse_workload(text, "workload").map_err(|error| raise(error.into()))?);
    }
    if let Some(path) = &extras.journal {
        let store = JournalStore::open(path.as_ref());
        run = run.journal(store.map_err(|error| of_class(py, "DataError", &format!("journal: {path}: {error}")))?);
    }
    if let Some((file, dataset)) = job.account {
        run = run.ledger(LedgerFile::open(&file).map_err(|error| raise(error.into()))?, dataset);
    }
    // Rows that stay where they are cannot be recognized when they come again.
    let engine_raised = given.raised();
    if engine_raised.is_none() {
        run = run.once_only(register, extras.spend_again);
    }
    let run = test_hooks(py, run, extras.test_seed, recording, replays)?;
    let release = watched(py, tell, move |observer, cancel| {
        let run: lookalike::Synthesizer<'_> = run;
        run.progress(observer).cancel(cancel.clone()).fit(given.source())
    });
    match (release, engine_raised) {
        (Err(error), Some(raised)) => Err(raised.as_cause_of(py, error)),
        (release, _) => release.map(Release::new),
    }
}

#[cfg(feature = "test-noise")]
fn test_hooks<'a>(
    _py: Python<'_>,
    run: lookalike::Synthesizer<'a>,
    seed: Option<u64>,
    recording: Option<&Bound<'_, PyAny>>,
    replays: bool,
) -> PyResult<lookalike::Synthesizer<'a>> {
    let run = match seed {
        Some(seed) => run.with_test_noise(seed),
        None => run,
    };
    let Some(recording) = recording else { return Ok(run) };
    let recording = recording.cast::<crate::testing::Recording>()?;
    let tape = &recording.get().0;
    Ok(if replays { run.replaying(tape) } else { run.recording_on(tape) })
}

/// The shipped module has none of this.
#[cfg(not(feature = "test-noise"))]
fn test_hooks<'a>(
    py: Python<'_>,
    run: lookalike::Synthesizer<'a>,
    seed: Option<u64>,
    recording: Option<&Bound<'_, PyAny>>,
    replays: bool,
) -> PyResult<lookalike::Synthesizer<'a>> {
    if seed.is_some() || recording.is_some() || replays {
        return Err(of_class(py, "SettingError", "this build has no noise that repeats itself, and never will"));
    }
    Ok(run)
}
