//! The run: from private rows to a closed release.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use lookalike_curator::{Curator, CuratorError};
use lookalike_measurement::{ReleaseFacts, Statement, delta_warning};
use lookalike_methods::workload::WorkloadSpec;
use lookalike_methods::{MethodError, Outcome, PaidRows, answers};
use lookalike_model::{Model, Origin, Sampling};
use lookalike_privacy::{Budget, Ledger, NoiseBits, NoiseRng, PrivacyError, Relation};
use lookalike_schema::Schema;
use lookalike_table::{Input, PrivateTable, RowSource};
use serde_json::{Map, Value, json};

use super::{Format, Job};
use crate::input::Watch;
use crate::ledger::{Account, Draw};
use crate::output::{Partial, Place, random_u64};
use crate::release::{DICTIONARY_FILE, MODEL_FILE, RELEASE_FOLDER, REPORT_FILE, STATEMENT_FILE, describe, rows_file};
use crate::rows::{self, write_drawn, write_rows};
use crate::statement::{guarantee_line, seal, short};
use crate::{Cancel, Error, Observer, Release, journal, pool};

/// A forecast needs some number of rows; what is asked of it here hardly depends on it.
const FORECAST_ROWS: u64 = 1000;
/// How often it is looked at the stop flag while the page is made.
const GLANCE: Duration = Duration::from_millis(20);
/// Noise of more people than this in one cell drowns every table.
const MOST_NOISE: f64 = 1e6;

/// What the door gave: all public.
struct Answers {
    outcome: Outcome,
    ledger: Ledger,
    schema: Schema,
    is_private: bool,
}

/// A budget that no exact noise can keep is a mistake in the flags.
pub(crate) fn no_such_noise(error: MethodError, budget: Budget) -> Error {
    match error {
        MethodError::Curator(CuratorError::Privacy(PrivacyError::Unit { .. } | PrivacyError::Plan { .. })) => {
            Error::usage(
                format!("epsilon: no exact noise keeps {} with this schema and delta", short(budget.epsilon.get())),
                "use a number between 0.001 and 1000",
            )
        }
        other => other.into(),
    }
}

impl Job {
    /// Reads the table, pays, measures, fits, samples, and writes the release: whole, or not at
    /// all.
    ///
    /// Everything runs on threads of the job's own. Nothing is printed; the observer is told what
    /// may be shown.
    ///
    /// # Errors
    /// Before any row is read: a folder that is in the way or cannot be written. Before anything is
    /// spent: a table that is none or does not fit the schema. After that: the budget, the machine,
    /// or a stop; what was charged stays charged in the journal, what was reserved stays reserved
    /// in the ledger, and no part of a release is left behind.
    pub fn run(&self, input: &Input, observer: &dyn Observer, cancel: &Cancel) -> Result<Release, Error> {
        let place = Place::check(&self.out, self.force)?;
        self.check_reach()?;
        let mut account = self.account()?;
        pool::on_threads(self.threads, || {
            let partial = place.begin()?;
            observer.phase("reading");
            let watch = Watch { observer, cancel };
            let (schema, read, persons) = (&self.schema, &self.read, self.persons.as_ref());
            let wish = account.as_mut().map(Account::digest_wish).transpose()?;
            let (table, digests) = PrivateTable::take(RowSource::Input(input), schema, read, persons, wish, &watch)?;
            stop_if(cancel)?;
            let draw = match (account, digests) {
                (Some(account), Some(digests)) => Some(account.reserve(&self.ledger_request(), digests)?),
                _ => None,
            };
            // From here on the whole cost is reserved, and stays so whatever happens.
            let made = self.run_into(partial, table, draw.as_ref(), observer, cancel);
            let ledger_words = draw.map_or_else(Vec::new, |draw| draw.end(made.is_ok()));
            made.map(|release| Release { ledger_words, ..release })
        })
    }

    /// The ledger that the run draws on. What it refuses by name is refused here, before a row is
    /// read.
    fn account(&self) -> Result<Option<Account>, Error> {
        let open = |(file, _): &(PathBuf, String)| Account::open(file, &self.ledger_request());
        self.account.as_ref().map(open).transpose()
    }

    fn ledger_request(&self) -> lookalike_ledger::ReservationRequest<'_> {
        lookalike_ledger::ReservationRequest {
            dataset: self.account.as_ref().map_or("", |(_, name)| name),
            budget: self.budget,
            neighbours: self.neighbours,
            unit: self.persons.as_ref().map(|persons| persons.column.as_str()),
            method: self.method.name(),
            folder: self.out.to_str().unwrap_or("?"),
        }
    }

    /// Refuses, from public facts alone and before any row is read, a budget that no noise can keep
    /// and a row count that would be nothing but noise: a release of a billion rows helps nobody. A
    /// public row count has no noise.
    fn check_reach(&self) -> Result<(), Error> {
        let epsilon = short(self.budget.epsilon.get());
        let forecast = self.method.forecast(&self.schema, FORECAST_ROWS, self.neighbours, self.budget);
        let forecast = forecast.map_err(|error| no_such_noise(error, self.budget))?;
        let is_noisy = self.request.rows.is_none() && self.neighbours.relation() == Relation::AddRemove;
        if is_noisy && forecast.cell_noise > MOST_NOISE {
            return Err(Error::usage(
                format!("epsilon: at {epsilon} the number of rows would be noise alone"),
                "say how many rows you want with --rows, or use a larger epsilon",
            ));
        }
        Ok(())
    }

    fn run_into(
        &self,
        partial: Partial,
        table: PrivateTable,
        draw: Option<&Draw>,
        observer: &dyn Observer,
        cancel: &Cancel,
    ) -> Result<Release, Error> {
        let journal = partial.beside("journal.jsonl");
        let in_rho = draw.is_some_and(Draw::in_rho);
        let ledger = journal::open(&journal, self.budget, self.neighbours, in_rho)?;
        let answers = self.ask(table, ledger, observer, cancel)?;
        self.check_used(&answers.ledger)?;
        let (rows, seed) = match &answers.outcome {
            Outcome::Model(model) => {
                let noisy_rows = i64::try_from(model.rows()).unwrap_or(i64::MAX);
                if let Some(warning) = delta_warning(self.budget.delta, noisy_rows) {
                    observer.note(&warning);
                }
                (self.request.rows.unwrap_or_else(|| model.rows()), Some(self.seed.map_or_else(random_u64, Ok)?))
            }
            Outcome::Rows(paid) => {
                if self.seed.is_some() {
                    observer.note("the seed is not used: these rows were drawn as noise, and no seed fixes noise");
                }
                (paid.drawn.cells.len() as u64, None)
            }
        };
        observer.phase("writing");
        let facts = ReleaseFacts {
            charged_runs: journal::charged_runs(&journal)?.max(draw.map_or(0, Draw::asked_runs)),
            software: vec![("lookalike".to_owned(), env!("CARGO_PKG_VERSION").to_owned())],
            job: self.facts(seed, rows),
            files: Vec::new(),
        };
        let draw = seed.map(|seed| Sampling::new(rows, seed));
        let folder = partial.folder().join(RELEASE_FOLDER);
        let writing = Writing { folder: &folder, format: self.format, observer, cancel };
        let statement = writing.release(answers, facts, draw)?;
        stop_if(cancel)?;
        let moved_aside = partial.publish()?;
        let (folder, format) = (self.out.clone(), self.format);
        Ok(Release { folder, journal, moved_aside, statement, format, rows, seed, ledger_words: Vec::new() })
    }

    /// Everything that needs the rows. They are gone when it returns.
    fn ask(
        &self,
        table: PrivateTable,
        ledger: Ledger,
        observer: &dyn Observer,
        cancel: &Cancel,
    ) -> Result<Answers, Error> {
        let schema = table.schema().clone();
        let engine = Box::new(table);
        let mut curator = Curator::new(schema.clone(), engine, ledger, self.noise()?, cancel.clone());
        #[cfg(feature = "test-noise")]
        self.testing.put_recording(&mut curator);
        let outcome = match self.method.run(&mut curator, &self.request, observer)? {
            // What error bars stand on goes with the model, whatever the method made of it.
            Outcome::Model(model) => Outcome::Model(model.with_answers(answers(&curator)?)),
            rows => rows,
        };
        observer.budget(curator.share_spent());
        let is_private = curator.is_private();
        Ok(Answers { outcome, ledger: curator.close(), schema, is_private })
    }

    fn noise(&self) -> Result<Box<dyn NoiseBits>, Error> {
        #[cfg(feature = "test-noise")]
        if let Some(bits) = self.testing.noise() {
            return Ok(bits);
        }
        Ok(Box::new(NoiseRng::from_os()?))
    }

    /// The total once more, from the scales that were used. A total above the cap would be a broken
    /// promise.
    fn check_used(&self, ledger: &Ledger) -> Result<(), Error> {
        let used = ledger.used()?;
        let cap = self.budget.epsilon.get();
        if used > cap {
            return Err(Error::fault(format!("the charges cost epsilon {used}, above the cap of {cap}")));
        }
        Ok(())
    }

    /// The job for the statement: what was asked for, without any input path.
    fn facts(&self, seed: Option<u64>, rows: u64) -> Map<String, Value> {
        let relation = match self.neighbours.relation() {
            Relation::AddRemove => "add-remove",
            Relation::ReplaceOne => "replace-one",
        };
        let settings: Map<String, Value> =
            self.settings.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let asked = match (self.request.rows, seed) {
            (Some(_), _) => "asked for",
            (None, Some(_)) => "the noisy number of rows",
            (None, None) => "what the budget allows",
        };
        let facts = [
            ("method", json!(self.method.name())),
            ("set", Value::Object(settings)),
            ("epsilon", json!(self.budget.epsilon.get())),
            ("delta", json!(self.budget.delta.get())),
            ("relation", json!(relation)),
            ("unit", json!(self.persons.as_ref().map(|persons| &persons.column))),
            ("contribution", json!(self.persons.as_ref().map(|persons| persons.most))),
            ("memory", json!(self.request.memory)),
            ("seconds", json!(self.request.seconds)),
            ("workload", self.request.workload.as_ref().map_or(Value::Null, workload)),
            ("target", json!(self.request.target)),
            ("rows", json!(rows)),
            ("rows_from", json!(asked)),
            ("seed", json!(seed)),
            ("format", json!(self.format.name())),
            ("accept_draft", json!(!self.schema.unreviewed().is_empty())),
        ];
        facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// The workload for the statement: its tables, but not the name of its file.
fn workload(spec: &WorkloadSpec) -> Value {
    match spec {
        WorkloadSpec::AllOf(ways) => json!(format!("{ways}-way")),
        WorkloadSpec::Tables { tables, .. } => {
            tables.iter().map(|table| json!({ "columns": table.columns, "weight": table.weight })).collect()
        }
    }
}

/// Where and how the files are written.
struct Writing<'a> {
    folder: &'a Path,
    format: Format,
    observer: &'a dyn Observer,
    cancel: &'a Cancel,
}

impl Writing<'_> {
    /// Writes the files, the statement with the hashes of the others last.
    fn release(
        &self,
        answers: Answers,
        mut facts: ReleaseFacts,
        sampling: Option<Sampling>,
    ) -> Result<Statement, Error> {
        let Answers { outcome, ledger, schema, is_private } = answers;
        fs::create_dir(self.folder).map_err(|error| Error::writing(self.folder, error))?;
        let early = Statement::from_ledger(&ledger, &schema, is_private, facts.clone())?;
        let mut names = vec![rows_file(self.format)];
        let page = match (outcome, sampling) {
            (Outcome::Model(model), Some(sampling)) => {
                names.push(MODEL_FILE);
                self.model(model, sampling, &early)?
            }
            (Outcome::Model(_), None) => return Err(Error::fault("a model without a seed to draw with")),
            (Outcome::Rows(paid), _) => self.rows(&paid, &schema, &early)?,
        };
        self.file(DICTIONARY_FILE, lookalike_report::dictionary_csv(&schema).as_bytes())?;
        self.file(REPORT_FILE, page.as_bytes())?;
        for name in names.into_iter().chain([DICTIONARY_FILE, REPORT_FILE]) {
            facts.files.push(describe(self.folder, name, self.cancel)?);
        }
        let statement = Statement::from_ledger(&ledger, &schema, is_private, facts)?;
        self.file(STATEMENT_FILE, seal(&statement.to_json()).as_bytes())?;
        Ok(statement)
    }

    /// Rows drawn from a model, and the model; gives the page.
    fn model(&self, model: Model, sampling: Sampling, early: &Statement) -> Result<String, Error> {
        let origin = Origin { method: model.origin().method.clone(), guarantee: guarantee_line(early) };
        let model = model.with_origin(origin);
        let draw = rows::Draw { sampling, format: self.format };
        write_rows(&model, &draw, Box::new(self.rows_file()?), self.observer, self.cancel)?;
        stop_if(self.cancel)?;
        self.file(MODEL_FILE, &model.to_bytes())?;
        self.page(early, model)
    }

    /// The page of a model. With many columns it takes seconds, so it is made aside: whoever asks
    /// to stop need not wait for it, and what becomes of it then is of no use to anybody.
    fn page(&self, early: &Statement, model: Model) -> Result<String, Error> {
        let early = early.clone();
        let (send, receive) = channel();
        std::thread::spawn(move || send.send(lookalike_report::public_page(&early, &model)));
        loop {
            stop_if(self.cancel)?;
            match receive.recv_timeout(GLANCE) {
                Ok(page) => return Ok(page),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Error::fault("the page could not be made")),
            }
        }
    }

    /// Rows alone; gives the page.
    fn rows(&self, paid: &PaidRows, schema: &Schema, early: &Statement) -> Result<String, Error> {
        write_drawn(schema, &paid.drawn, self.format, Box::new(self.rows_file()?), self.observer, self.cancel)?;
        let (shares, rows) = (paid.drawn.shares(schema.domain()), paid.drawn.cells.len() as u64);
        let made = lookalike_report::RowsOnly { schema, rows, shares: &shares, words: &paid.words };
        Ok(lookalike_report::public_page(early, made))
    }

    fn rows_file(&self) -> Result<File, Error> {
        let path = self.folder.join(rows_file(self.format));
        File::create_new(&path).map_err(|error| Error::writing(&path, error))
    }

    fn file(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        stop_if(self.cancel)?;
        let path = self.folder.join(name);
        fs::write(&path, bytes).map_err(|error| Error::writing(&path, error))
    }
}

fn stop_if(cancel: &Cancel) -> Result<(), Error> {
    if cancel.is_cancelled() { Err(Error::Interrupted) } else { Ok(()) }
}
