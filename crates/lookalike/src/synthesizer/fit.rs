//! The run: from private rows to a release.

use lookalike_curator::{Counts, Curator};
use lookalike_measurement::{ReleaseFacts, Statement, delta_warning};
use lookalike_methods::workload::WorkloadSpec;
use lookalike_methods::{Outcome, answers};
use lookalike_privacy::ledger::{JournalStore, LedgerStore, MemoryStore};
use lookalike_privacy::{Ledger, NoiseBits, NoiseRng};
use lookalike_schema::Schema;
use lookalike_table::far::{Coding, FarRows, SameRows};
use lookalike_table::read::HeaderForm;
use lookalike_table::{DigestWish, Digests, Input, PrivateTable, RawCells, RowSource, SourceFacts};
use serde_json::{Map, Value, json};

use super::check::CheckedRun;
use super::coded::CodedFacts;
use super::source::{IntoSource, Source};
use super::{KnownSchema, Synthesizer};
use crate::entropy::random_u64;
use crate::error::{Error, FileFault, SettingError};
use crate::fitted::{Entered, OnceOnly};
use crate::ledger::{Account, Draw};
use crate::release::{Contents, LedgerWords, Release, ReleaseFolder, Seed, WrittenRelease, stop_if};
use crate::watch::Watch;
use crate::{journal, pool};

impl Synthesizer<'_> {
    /// Reads the rows, pays, measures and fits: a release in memory.
    ///
    /// Everything runs on threads of the run's own. Nothing is printed or written; the observer is
    /// told what may be shown.
    ///
    /// # Errors
    /// Before any row is read: settings that cannot be. Before anything is spent: rows that are no
    /// table or do not fit the schema. After that: the budget, the machine, or a stop; what was
    /// charged stays charged in the journal, and what was reserved stays reserved in the ledger.
    pub fn fit<'s, M>(self, source: impl IntoSource<'s, M>) -> Result<Release, Error> {
        let source = source.into_source().resolved()?;
        let mut run = self.checked()?;
        run.check_source(&source)?;
        run.check_reach()?;
        let account = run.account("")?;
        let store = run.journal.take().unwrap_or_else(|| Box::new(MemoryStore::default()));
        let (release, ledger_words) = pool::on_threads(run.threads, || run.fit(source, account, "", || Ok(store), Ok))?;
        Ok(Release { ledger_words: LedgerWords(ledger_words), ..release })
    }

    /// Like [`fit`](Self::fit), and writes the folder of the release: whole, or not at all. Charges
    /// are kept beside it, in `FOLDER.journal.jsonl`, durably before the look that they pay for.
    ///
    /// # Errors
    /// As for [`fit`](Self::fit). A folder that is in the way or cannot be written is refused
    /// before any row is read; no part of a release is left behind.
    pub fn fit_to<'s, M>(
        self,
        source: impl IntoSource<'s, M>,
        folder: &ReleaseFolder,
    ) -> Result<(Release, WrittenRelease), Error> {
        let source = source.into_source().resolved()?;
        let mut run = self.checked()?;
        run.check_source(&source)?;
        if matches!(&source, Source::Input(input) if folder.is_among(input)) {
            return Err(Error::file(folder.path(), FileFault::AmongRows));
        }
        run.check_kept_place(folder)?;
        let place = folder.place()?;
        run.check_reach()?;
        let name = folder.path().to_str().unwrap_or("?");
        let account = run.account(name)?;
        let store = run.journal.take();
        let (observer, cancel) = (run.observer, run.cancel.clone());
        let ((release, written), ledger_words) = pool::on_threads(run.threads, || {
            let partial = place.begin()?;
            let path = store.is_none().then(|| journal::journal_of(folder.path()));
            let open = || match (store, &path) {
                (None, Some(path)) => match JournalStore::open(path) {
                    Ok(store) => Ok(Box::new(store) as Box<dyn LedgerStore>),
                    Err(error) => Err(Error::writing(path, error)),
                },
                (store, _) => Ok(store.unwrap_or_else(|| Box::new(MemoryStore::default()))),
            };
            run.fit(source, account, name, open, |release| {
                let runs = path.as_deref().map_or(Ok(0), journal::charged_runs)?;
                let release = release.with_charged_runs(runs);
                let mut written = release.write_into(partial, folder.row_format(), observer, &cancel)?;
                written.journal = path.clone();
                let statement = written.statement().clone();
                Ok((Release { statement, ..release }, written))
            })
        })?;
        Ok((Release { ledger_words: LedgerWords(ledger_words), ..release }, written))
    }
}

/// What the door gave: all public.
struct Answered {
    outcome: Outcome,
    ledger: Ledger,
    is_private: bool,
}

/// The rows, and what a ledger knows them by.
pub(super) struct Taken {
    pub rows: TakenRows,
    pub digests: Option<Digests>,
    /// Where they came from, for the statement.
    pub source: Option<SourceFacts>,
}

impl Taken {
    fn coded(table: PrivateTable, digests: Option<Digests>) -> Self {
        let schema = table.schema().clone();
        Self { rows: TakenRows::Coded(Box::new(table), schema), digests, source: None }
    }
}

/// The rows behind the door.
pub(super) enum TakenRows {
    /// Coded, with their schema in the order in which they are counted.
    Coded(Box<dyn Counts>, Schema),
    /// Texts, whose schema is not known yet, and what their header tells of how they are written.
    Cells(RawCells, HeaderForm),
}

impl CheckedRun<'_> {
    /// Rows that are coded already can neither be bounded by person nor be recognized by a ledger.
    fn check_source(&self, source: &Source<'_>) -> Result<(), Error> {
        let is_coded = matches!(source, Source::Table(_) | Source::Engine(_));
        if self.keep_coded.is_some() && !matches!(source, Source::Input(_)) {
            return Err(SettingError::KeepCodedOfOpenSchema.into());
        }
        if self.keep_coded.is_some() && self.once.is_some() {
            return Err(SettingError::OnceOfCodedRows.into());
        }
        if matches!(source, Source::Far(_)) {
            return match (&self.ledger, &self.schema) {
                (Some(_), _) => Err(SettingError::LedgerOfFarRows.into()),
                (None, KnownSchema::Open(_)) => Err(SettingError::DiscoverOfFarRows.into()),
                (None, KnownSchema::Stated(_)) => Ok(()),
            };
        }
        // What a table was coded by may leave something to be found too.
        let learns = matches!(source, Source::Table(table) if table.schema().learns());
        match (&self.persons, &self.ledger) {
            (Some(_), _) if is_coded => Err(SettingError::UnitOfCodedRows.into()),
            (_, Some(_)) if is_coded => Err(SettingError::LedgerOfCodedRows.into()),
            _ if is_coded && self.once.is_some() => Err(SettingError::OnceOfCodedRows.into()),
            _ if is_coded && (learns || self.schema.buys_facts()) => Err(SettingError::DiscoverOfCodedRows.into()),
            _ => Ok(()),
        }
    }

    /// Kept rows are private: they must not lie in what may be published.
    fn check_kept_place(&self, folder: &ReleaseFolder) -> Result<(), Error> {
        match &self.keep_coded {
            Some(kept) if folder.holds(kept) => Err(Error::file(kept, FileFault::InRelease)),
            _ => Ok(()),
        }
    }

    /// Takes the rows in, reserves, asks and makes the release; `finish` has its say before the
    /// ledger is told that there is one. Gives what is left in the ledger too, in words.
    fn fit<T>(
        self,
        source: Source<'_>,
        mut account: Option<Account>,
        folder: &str,
        journal: impl FnOnce() -> Result<Box<dyn LedgerStore>, Error>,
        finish: impl FnOnce(Release) -> Result<T, Error>,
    ) -> Result<(T, Vec<String>), Error> {
        self.observer.phase("reading");
        let Taken { rows, digests, source } = self.take(source, account.as_mut())?;
        stop_if(&self.cancel)?;
        let entered = match (self.once, &digests) {
            (Some(once), Some(digests)) => Some(once.enter(digests)?),
            _ => None,
        };
        let draw = match (account, digests) {
            (Some(account), Some(digests)) => {
                let dataset = account.dataset().to_owned();
                Some(account.reserve(&self.reservation(&dataset, folder), digests)?)
            }
            _ => None,
        };
        entered.into_iter().for_each(Entered::stays);
        // From here on the whole cost is reserved, and stays so whatever happens.
        let made = journal().and_then(|store| self.release(rows, source, store, draw.as_ref())).and_then(finish);
        let ledger_words = draw.map_or_else(Vec::new, |draw| draw.end(made.is_ok()));
        made.map(|made| (made, ledger_words))
    }

    fn take(&self, source: Source<'_>, account: Option<&mut Account>) -> Result<Taken, Error> {
        match (source, &self.schema) {
            (Source::Input(input), KnownSchema::Stated(schema)) if self.keep_coded.is_some() => {
                self.code_or_reopen(&input, schema, account)
            }
            (Source::Input(input), _) => {
                let taken = self.read(RowSource::Input(&input), account)?;
                Ok(Taken { source: facts_of(&input), ..taken })
            }
            (Source::Batches(mut batches), _) => self.read(RowSource::Batches(&mut batches), account),
            (Source::Table(table), _) => {
                let schema = table.schema().clone();
                Ok(Taken { rows: TakenRows::Coded(table, schema), digests: None, source: None })
            }
            (Source::Engine(counts), KnownSchema::Stated(schema)) => {
                Ok(Taken { rows: TakenRows::Coded(counts, schema.clone()), digests: None, source: None })
            }
            (Source::Engine(_), KnownSchema::Open(_)) => Err(SettingError::DiscoverOfCodedRows.into()),
            (Source::Far(rows), KnownSchema::Stated(schema)) => self.code_far(rows, schema),
            (Source::Far(_), KnownSchema::Open(_)) => Err(SettingError::DiscoverOfFarRows.into()),
        }
    }

    /// Has rows coded where they are.
    fn code_far(&self, mut rows: Box<dyn FarRows>, schema: &Schema) -> Result<Taken, Error> {
        let watch = Watch { observer: self.observer, cancel: &self.cancel };
        let coding = self.coding(schema)?;
        let coding = Coding::new(&coding, &rows.names(&watch)?, self.persons.as_ref())?;
        rows.code(&coding, &watch)?;
        let (source, arranged) = (Some(rows.facts()), coding.schema().clone());
        Ok(Taken { rows: TakenRows::Coded(Box::new(SameRows::new(rows)), arranged), digests: None, source })
    }

    fn read(&self, rows: RowSource<'_>, account: Option<&mut Account>) -> Result<Taken, Error> {
        let wish = OnceOnly::wish(self.once, account.map(Account::digest_wish).transpose()?);
        match &self.schema {
            KnownSchema::Stated(schema) => self.code(rows, schema, wish),
            KnownSchema::Open(open) => self.take_cells(rows, open, wish),
        }
    }

    /// Coded rows that were kept for this very run, or else the table's, which are kept then.
    fn code_or_reopen(
        &self,
        input: &Input,
        schema: &Schema,
        mut account: Option<&mut Account>,
    ) -> Result<Taken, Error> {
        let Some(path) = &self.keep_coded else { return self.read(RowSource::Input(input), account) };
        let coding = self.coding(schema)?;
        let ledger = account.as_deref().map(Account::id);
        let facts = CodedFacts::new(&coding, self.persons.as_ref(), ledger, input.stamp()?);
        if let Some(kept) = facts.reopen(path, &coding, self.read.memory, account.as_deref())? {
            self.observer.note("the rows are those that were kept; the table was not read");
            return Ok(Taken { source: kept.source, ..Taken::coded(kept.table, kept.digests) });
        }
        let wish = account.as_deref_mut().map(Account::digest_wish).transpose()?;
        let (table, digests) = self.coded(RowSource::Input(input), &coding, wish)?;
        let source = facts_of(input);
        facts.keep(path, &table, digests.as_ref().zip(account.as_deref()), source.clone())?;
        Ok(Taken { source, ..Taken::coded(table, digests) })
    }

    fn code(&self, rows: RowSource<'_>, schema: &Schema, wish: Option<DigestWish<'_>>) -> Result<Taken, Error> {
        let (table, digests) = self.coded(rows, &self.coding(schema)?, wish)?;
        Ok(Taken::coded(table, digests))
    }

    fn coded(
        &self,
        rows: RowSource<'_>,
        coding: &Schema,
        wish: Option<DigestWish<'_>>,
    ) -> Result<(PrivateTable, Option<Digests>), Error> {
        let watch = Watch { observer: self.observer, cancel: &self.cancel };
        Ok(PrivateTable::take(rows, coding, &self.read, self.persons.as_ref(), wish, &watch)?)
    }

    fn release(
        &self,
        rows: TakenRows,
        source: Option<SourceFacts>,
        store: Box<dyn LedgerStore>,
        draw: Option<&Draw>,
    ) -> Result<Release, Error> {
        let (ledger, noise) = (self.open_account(store, draw.is_some_and(Draw::in_rho))?, self.noise()?);
        let (counts, schema, ledger, noise) = match rows {
            TakenRows::Coded(counts, schema) => (counts, schema, ledger, noise),
            TakenRows::Cells(cells, form) => self.discover(cells, form, ledger, noise)?,
        };
        let curator = self.door(counts, schema, ledger, noise)?;
        let schema = curator.schema().clone();
        let answered = self.ask(curator)?;
        self.check_used(&answered.ledger)?;
        let (rows, seed) = self.rows_and_seed(&answered.outcome)?;
        let is_charged = answered.ledger.stages().iter().any(|stage| !stage.charged().is_empty());
        let facts = ReleaseFacts {
            charged_runs: u64::from(is_charged).max(draw.map_or(0, Draw::asked_runs)),
            software: vec![("lookalike".to_owned(), env!("CARGO_PKG_VERSION").to_owned())],
            job: self.facts(&schema, seed, rows, source),
            files: Vec::new(),
        };
        let statement = Statement::from_ledger(&answered.ledger, &schema, answered.is_private, facts)?;
        let contents = match answered.outcome {
            Outcome::Model(model) => Contents::of_model(model, &statement),
            Outcome::Rows(paid) => Contents::Rows(paid),
        };
        Ok(Release { contents, schema, statement, rows, seed, ledger_words: LedgerWords::default(), opened: None })
    }

    /// The run's own account, durably opened; in rho when a ledger across releases counts it there.
    fn open_account(&self, store: Box<dyn LedgerStore>, in_rho: bool) -> Result<Ledger, Error> {
        let open = match &self.schema {
            known if known.buys_facts() => Ledger::open_for_discovery,
            _ if in_rho => Ledger::open_in_rho,
            _ => Ledger::open,
        };
        Ok(open(store, self.budget, self.neighbours)?)
    }

    /// Everything that needs the rows. They are gone when it returns.
    fn ask(&self, mut curator: Curator) -> Result<Answered, Error> {
        curator.set_door_memory(self.door_memory);
        let outcome = match self.chosen.method.run(&mut curator, &self.request, self.observer)? {
            // What error bars stand on goes with the model, whatever the method made of it.
            Outcome::Model(model) => Outcome::Model(model.with_answers(answers(&curator)?)),
            rows => rows,
        };
        self.observer.budget(curator.share_spent());
        self.observer.passes(curator.passes());
        let is_private = curator.is_private();
        Ok(Answered { outcome, ledger: curator.close(), is_private })
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

    /// The number of synthetic rows, and the seed that they are drawn with; no seed fixes noise.
    fn rows_and_seed(&self, outcome: &Outcome) -> Result<(u64, Option<Seed>), Error> {
        match outcome {
            Outcome::Model(model) => {
                let noisy_rows = i64::try_from(model.rows()).unwrap_or(i64::MAX);
                if let Some(warning) = delta_warning(self.budget.delta, noisy_rows) {
                    self.observer.note(&warning);
                }
                let seed = self.seed.map_or_else(|| random_u64().map(Seed), Ok)?;
                Ok((self.request.rows.unwrap_or_else(|| model.rows()), Some(seed)))
            }
            Outcome::Rows(paid) => {
                if self.seed.is_some() {
                    self.observer.note("the seed is not used: these rows were drawn as noise, and no seed fixes noise");
                }
                Ok((paid.drawn.cells.len() as u64, None))
            }
        }
    }

    /// The job for the statement: what was asked for, without any input path. The format of the
    /// rows is known when they are written.
    fn facts(&self, schema: &Schema, seed: Option<Seed>, rows: u64, source: Option<SourceFacts>) -> Map<String, Value> {
        let settings: Map<String, Value> =
            self.chosen.settings.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let asked = match (self.request.rows, seed) {
            (Some(_), _) => "asked for",
            (None, Some(_)) => "the noisy number of rows",
            (None, None) => "what the budget allows",
        };
        let facts = [
            ("method", json!(self.chosen.method.name())),
            ("set", Value::Object(settings)),
            ("epsilon", json!(self.budget.epsilon.get())),
            ("delta", json!(self.budget.delta.get())),
            ("relation", json!(self.neighbours.relation().name())),
            ("unit", json!(self.persons.as_ref().map(|persons| &persons.column))),
            ("contribution", json!(self.persons.as_ref().map(|persons| persons.most))),
            ("memory", json!(self.request.memory)),
            ("seconds", json!(self.request.seconds)),
            ("workload", self.request.workload.as_ref().map_or(Value::Null, workload)),
            ("target", json!(self.request.target)),
            ("rows", json!(rows)),
            ("rows_from", json!(asked)),
            ("seed", json!(seed.map(|seed| seed.0))),
            ("format", Value::Null),
            ("accept_draft", json!(!schema.unreviewed().is_empty())),
        ];
        let share = self.schema.buys_facts().then(|| ("discover_share", json!(self.discover_share)));
        let source = source.map(|SourceFacts { engine, version, rows_of, assumes }| {
            let source = json!({ "engine": engine, "version": version, "rows_of": rows_of, "assumes": assumes });
            ("source", source)
        });
        facts.into_iter().chain(share).chain(source).map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// What a statement says of where rows came from, once they were read.
fn facts_of(input: &Input) -> Option<SourceFacts> {
    match input {
        Input::Remote(remote) => remote.rows().facts(),
        _ => None,
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
