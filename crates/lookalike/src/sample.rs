//! More rows from a released model, free of charge.

use std::io::Write;
use std::path::{Path, PathBuf};

use lookalike_model::{Model, Replacement, Sampling};
use lookalike_schema::Filter;

use crate::job::{check_rows, check_threads};
use crate::output::random_u64;
use crate::release::{MODEL_FILE, RELEASE_FOLDER, method_without_model};
use crate::rows::{Draw, write_rows};
use crate::{Cancel, Error, Format, Observer, pool};

/// What to draw, as typed.
#[derive(Clone, Debug)]
pub struct SampleSpec {
    /// How many rows.
    pub rows: u64,
    /// The seed; left out: random.
    pub seed: Option<u64>,
    /// The form of the rows.
    pub format: Format,
    /// Threads; left out: all cores.
    pub threads: Option<usize>,
    /// Only rows that meet this condition, in the words of `docs/where.md`.
    pub condition: Option<String>,
    /// Draw every row by itself, so that counts scatter as in a fresh sample; left out: as the
    /// model's file says.
    pub replacement: Option<Replacement>,
}

/// What to draw, checked.
#[derive(Clone, Debug)]
pub struct SampleJob {
    draw: Draw,
    condition: Option<String>,
    threads: usize,
}

impl SampleSpec {
    /// Checks the numbers, and picks a seed when there is none.
    pub fn check(self) -> Result<SampleJob, Error> {
        let rows = check_rows(self.rows)?;
        let threads = check_threads(self.threads)?;
        let seed = self.seed.map_or_else(random_u64, Ok)?;
        let sampling = Sampling { rows, seed, replacement: self.replacement, filter: None };
        Ok(SampleJob { draw: Draw { sampling, format: self.format }, condition: self.condition, threads })
    }
}

impl SampleJob {
    /// The seed that the rows are drawn with.
    pub fn seed(&self) -> u64 {
        self.draw.sampling.seed
    }
}

/// Reads a model file; of a folder, its `model.lookalike` or `release/model.lookalike`.
pub fn read_model(path: &Path) -> Result<Model, Error> {
    let file = if path.is_dir() { model_in(path)? } else { path.to_owned() };
    if let (false, Some(folder)) = (file.exists(), file.parent()) {
        refuse_rows_alone(path, folder)?;
    }
    let bytes = std::fs::read(&file).map_err(|error| Error::reading(&file, error))?;
    Ok(Model::from_bytes(&bytes)?)
}

fn model_in(folder: &Path) -> Result<PathBuf, Error> {
    let places = [folder.join(MODEL_FILE), folder.join(RELEASE_FOLDER).join(MODEL_FILE)];
    if !places.iter().any(|place| place.is_file()) {
        refuse_rows_alone(folder, folder)?;
        refuse_rows_alone(folder, &folder.join(RELEASE_FOLDER))?;
    }
    places.into_iter().find(|place| place.is_file()).ok_or_else(|| {
        Error::usage(format!("{}: no {MODEL_FILE} in this folder", folder.display()), "name a model file or a release")
    })
}

/// Some methods release rows and no model. Who asks for one is told so, and not that a file is
/// missing.
fn refuse_rows_alone(named: &Path, folder: &Path) -> Result<(), Error> {
    match method_without_model(folder) {
        None => Ok(()),
        Some(method) => Err(Error::usage(
            format!("{}: the method {method} has no model; its release is rows alone", named.display()),
            "use those rows; more of them cost privacy again, through synth --rows",
        )),
    }
}

/// Draws rows of the model into `out`, whole blocks at a time.
///
/// The same model, seed, number of rows, condition and format give the same bytes, whatever the
/// threads or the machine. Nothing is written when the condition is mistaken or no row of the model
/// meets it.
pub fn sample(
    model: &Model,
    job: &SampleJob,
    out: Box<dyn Write + Send + Sync + '_>,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Result<(), Error> {
    let mut draw = job.draw.clone();
    if let Some(condition) = &job.condition {
        draw.sampling.filter = Some(Filter::parse(model.schema(), condition)?);
    }
    observer.phase("writing");
    pool::on_threads(job.threads, || write_rows(model, &draw, out, observer, cancel))
}
