//! More rows from a released model, free of charge.

use std::io::Write;

use arrow_array::RecordBatch;
use lookalike_evaluate::{Evaluation, EvaluationSettings};
use lookalike_model::{Model, Replacement, Sampling};
use lookalike_schema::{AttrId, Filter};
use lookalike_table::{HeldBatches, Input, PrivateTable, RowSource, Table};

use super::rows::{Format, block_batches, drawn_batches, halt_of, model_batches, model_blocks, one_batch, write_rows};
use super::{Contents, Release, Seed};
use crate::entropy::random_u64;
use crate::error::{Error, SettingError};
use crate::evaluate::{in_order, without_ignored};
use crate::input::{as_the_schema_says, read_options};
use crate::limits::{check_rows, check_threads};
use crate::watch::Watch;
use crate::{Cancel, IntoSource, Observer, Schema, Source, Unwatched, pool};

/// Real rows for the steward's own comparison: looked at without paying, so nothing of them goes
/// into a release.
fn opened_for_steward_only(source: Source<'_>, schema: &Schema) -> Result<Table, Error> {
    let options = as_the_schema_says(&read_options(None, None)?, schema);
    let watch = Watch { observer: &Unwatched, cancel: &Cancel::new() };
    let coded = |rows| PrivateTable::take(rows, schema, &options, None, None, &watch);
    let table = match source {
        Source::Input(input) => coded(RowSource::Input(&input))?.0,
        Source::Batches(mut batches) => coded(RowSource::Batches(&mut batches))?.0,
        Source::Table(table) => *table,
        Source::Engine(_) | Source::Far(_) => return Err(SettingError::NoRowsInEngine.into()),
    };
    Ok(table.open_for_steward_only())
}

impl Release {
    /// Draws rows from the model, free of charge. The same model, number and seed give the same
    /// rows.
    ///
    /// # Errors
    /// When the release is rows alone: there is nothing to draw more from.
    pub fn sample(&self, rows: u64, seed: Seed) -> Result<Vec<RecordBatch>, Error> {
        let model = self.model().ok_or(Error::NoModel)?;
        let sampling = Sampling::new(check_rows(rows)?, seed.0);
        pool::on_threads(check_threads(None)?, || model_batches(model, &sampling, &Cancel::new()))
    }

    /// Draws the rows that the job describes, free of charge: those that [`sample`](crate::sample)
    /// writes for the same job.
    ///
    /// # Errors
    /// When the release is rows alone, or no row of the model meets the condition.
    pub fn sample_job(&self, job: &SampleJob, cancel: &Cancel) -> Result<Vec<RecordBatch>, Error> {
        let model = self.model().ok_or(Error::NoModel)?;
        let sampling = job.sampling(model)?;
        pool::on_threads(job.threads, || model_batches(model, &sampling, cancel))
    }

    /// How many blocks the rows of a job come in, for whoever draws them in several places.
    ///
    /// # Errors
    /// As for [`sample_job`](Self::sample_job).
    pub fn sample_blocks(&self, job: &SampleJob) -> Result<u64, Error> {
        let model = self.model().ok_or(Error::NoModel)?;
        model_blocks(model, &job.sampling(model)?)
    }

    /// One block of the job's rows, from 0. All blocks in order are the rows of
    /// [`sample_job`](Self::sample_job), wherever each of them was drawn.
    ///
    /// # Errors
    /// As for [`sample_job`](Self::sample_job).
    pub fn sample_block(&self, job: &SampleJob, block: u64, cancel: &Cancel) -> Result<Vec<RecordBatch>, Error> {
        let model = self.model().ok_or(Error::NoModel)?;
        let sampling = job.sampling(model)?;
        pool::on_threads(job.threads, || block_batches(model, &sampling, block, cancel))
    }

    /// Fills rows in: columns that the batches have are known, and the model's others are drawn
    /// given them, row by row. What comes back has all columns, in the order of the rows given; the
    /// known ones as far as the model tells their values apart.
    ///
    /// The result holds the caller's own cells, so it is no release.
    ///
    /// # Errors
    /// When the release is rows alone, or a column is not the release's.
    pub fn complete(&self, known: Vec<RecordBatch>, seed: Seed, cancel: &Cancel) -> Result<Vec<RecordBatch>, Error> {
        let model = self.model().ok_or(Error::NoModel)?;
        pool::on_threads(check_threads(None)?, || complete(model, known, seed, cancel))
    }

    /// The release's own synthetic rows: those that its folder has.
    pub fn synthetic_rows(&self) -> Result<Vec<RecordBatch>, Error> {
        match (&self.contents, self.seed) {
            (Contents::Rows(paid), _) => {
                pool::on_threads(check_threads(None)?, || drawn_batches(&self.schema, &paid.drawn))
            }
            (Contents::Model(_), seed) => self.sample(self.rows, seed.unwrap_or(Seed(0))),
        }
    }

    /// Compares the release's own rows with the real ones. Steward-only: rows are looked at without
    /// paying, and nothing of it may be published. `real` is what a synthesizer takes, but for an
    /// engine.
    ///
    /// # Errors
    /// Tables without rows, or with other columns; engines, which hand out no rows.
    pub fn evaluate<'a, Kind>(
        &self,
        real: impl IntoSource<'a, Kind>,
        settings: &EvaluationSettings,
    ) -> Result<Evaluation, Error> {
        let source = real.into_source();
        pool::on_threads(check_threads(None)?, || {
            // What is looked up in released rows is compared like every other column.
            let compared = self.schema.all_modelled()?.binned()?;
            let real = opened_for_steward_only(source, &compared)?;
            let schema = real.schema();
            let mut names = schema.domain().attributes().map(|attribute| &schema.column(attribute).name);
            if let Some(column) = names.find(|name| compared.attribute(name).is_none()).cloned() {
                return Err(Error::OtherColumns { column });
            }
            let written: Vec<String> = self.schema.columns().iter().map(|column| column.name.clone()).collect();
            let rows = self.synthetic_rows()?.into_source();
            let synthetic = opened_for_steward_only(rows, &without_ignored(schema, &written)?)?;
            let synthetic = in_order(synthetic, schema)?;
            Ok(lookalike_evaluate::evaluate(&real, &synthetic, None, settings, &|_| {}, &|| false)?)
        })
    }
}

/// The rows with all columns of the model.
fn complete(model: &Model, known: Vec<RecordBatch>, seed: Seed, cancel: &Cancel) -> Result<Vec<RecordBatch>, Error> {
    let schema = model.schema();
    let names: Vec<String> = match known.first() {
        Some(first) => first.schema().fields().iter().map(|field| field.name().clone()).collect(),
        None => return Ok(Vec::new()),
    };
    if let Some(name) = names.iter().find(|name| !schema.columns().iter().any(|column| column.name == **name)) {
        return Err(Error::OtherColumns { column: name.clone() });
    }
    let is_known = |name: &str| names.iter().any(|known| known == name);
    for (attribute, after) in schema.differences() {
        let own = &schema.column(attribute).name;
        if is_known(own) && !is_known(after.on()) {
            let what =
                format!("{own:?} is held as its difference to {:?}, which is not among the known columns", after.on());
            let help = format!("give {:?} too, or leave {own:?} out", after.on());
            return Err(SettingError::Columns { setting: "known", what, help }.into());
        }
    }
    let mut json = schema.to_json();
    if let Some(columns) = json["columns"].as_object_mut() {
        columns.retain(|name, _| names.contains(name));
        // What follows from others is computed again, or looked up.
        let follows = |column: &serde_json::Value| column["type"] == "derived" || column.get("depends_on").is_some();
        let derived = columns.values_mut().filter(|column| follows(column));
        derived.for_each(|column| *column = serde_json::json!({ "type": "ignore" }));
    }
    // A condition on columns that are not known cannot be told.
    for rule in ["impossible", "missing_together", "in_order"] {
        json.as_object_mut().map(|json| json.shift_remove(rule));
    }
    let known_schema = Schema::parse(&json.to_string(), "schema")?;
    let table = opened_for_steward_only(Source::Input(Input::Batches(HeldBatches::new(known))), &known_schema)?;
    let codes = |attribute: AttrId| {
        let own = table.schema().attribute(&schema.column(attribute).name);
        Ok(own.map(|own| table.codes(own)).transpose()?)
    };
    let codes: Vec<Option<Vec<u32>>> = schema.domain().attributes().map(codes).collect::<Result<_, Error>>()?;
    let rows = usize::try_from(table.rows()).map_err(|_| Error::fault("more rows than memory holds"))?;
    let block = model.complete(&codes, rows, seed.0, &halt_of(cancel))?;
    one_batch(schema, &block).map(|batch| vec![batch])
}

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
    sampling: Sampling,
    format: Format,
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
        Ok(SampleJob { sampling, format: self.format, condition: self.condition, threads })
    }
}

impl SampleJob {
    /// The seed that the rows are drawn with.
    pub fn seed(&self) -> u64 {
        self.sampling.seed
    }

    /// What has to be known of the rows: bins that the condition cuts.
    ///
    /// # Errors
    /// A condition that is mistaken.
    pub fn notes(&self, schema: &Schema) -> Result<Vec<String>, Error> {
        let filter = self.condition.as_deref().map(|text| Filter::parse(schema, text)).transpose()?;
        Ok(filter.map_or_else(Vec::new, |filter| filter.notes(schema)))
    }

    /// The rows to draw, with the condition in the model's codes.
    fn sampling(&self, model: &Model) -> Result<Sampling, Error> {
        let filter = self.condition.as_deref().map(|text| Filter::parse(model.schema(), text)).transpose()?;
        Ok(Sampling { filter, ..self.sampling.clone() })
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
    let sampling = job.sampling(model)?;
    observer.phase("writing");
    pool::on_threads(job.threads, || write_rows(model, &sampling, job.format, out, observer, cancel))
}
