//! A job file, or the flags of a face: one way to write down a run.

mod spec;

use std::path::PathBuf;

use lookalike_ledger::LedgerFile;
use lookalike_privacy::Budget;
use lookalike_schema::{OpenSchema, Schema};
use lookalike_table::Input;

pub use spec::JobSpec;

use crate::error::{Error, SettingError};
use crate::input::{
    known, open_with_decimal, open_with_encoding, parse_delimiter, read_open_schema, read_workload, with_decimal,
    with_encoding,
};
use crate::protect::{neighbours, relation};
use crate::release::{Format, Release, ReleaseFolder, Seed, WrittenRelease};
use crate::size::{parse_size, parse_time};
use crate::synthesizer::method::method_info;
use crate::synthesizer::{DISCOVER_SHARE, KnownSchema};
use crate::{Cancel, Observer, Synthesizer, journal};

/// The folder that is written when none is named.
const DEFAULT_OUT: &str = "lookalike-out";
/// The method when none is named.
const DEFAULT_METHOD: &str = "auto";

/// A job whose words were all understood.
pub struct Job {
    /// The run.
    pub synthesizer: Synthesizer<'static>,
    /// The folder that it makes.
    pub folder: ReleaseFolder,
    /// The ledger that it draws on, and the data set's name in it.
    pub account: Option<(PathBuf, String)>,
}

impl JobSpec {
    /// Checks every word, then reads and checks the schema file.
    ///
    /// # Errors
    /// What is missing or wrong, in one line. A schema with unreviewed facts is refused unless
    /// `accept_draft`.
    pub fn check(self) -> Result<Job, Error> {
        let discovers = self.discover.unwrap_or(false);
        match self.schema.clone() {
            Some(path) => self.check_with(|| read_open_schema(&path, discovers)),
            None if discovers => self.check_with(|| Ok(KnownSchema::Open(OpenSchema::nothing()))),
            None => Err(SettingError::NoSchema.into()),
        }
    }

    /// Like [`check`](Self::check), with a schema that is already in memory.
    pub fn check_with_schema(self, schema: Schema) -> Result<Job, Error> {
        self.check_with(|| Ok(KnownSchema::Stated(schema)))
    }

    /// The same with a schema that may leave facts open.
    pub fn check_with_open_schema(self, open: OpenSchema) -> Result<Job, Error> {
        let open = if self.discover.unwrap_or(false) { open.with_unlisted_discovered() } else { open };
        self.check_with(|| known(open))
    }

    fn check_with(self, schema: impl FnOnce() -> Result<KnownSchema, Error>) -> Result<Job, Error> {
        let method = self.method.as_deref().unwrap_or(DEFAULT_METHOD);
        let default_delta = method_info(method)?.default_delta;
        let budget = Budget::new(self.epsilon.ok_or(SettingError::NoBudget)?, self.delta.unwrap_or(default_delta))?;
        let relation = relation(self.relation.as_deref())?;
        neighbours(relation, self.unit.as_deref(), self.contribution)?;
        let account = account(self.ledger, self.dataset)?;
        let memory = self.memory.as_deref().map(|text| parse_size("memory", text)).transpose()?;
        let door_memory = self.door_memory.as_deref().map(|text| parse_size("door-memory", text)).transpose()?;
        let delimiter = self.delimiter.as_deref().map(parse_delimiter).transpose()?;
        let format = self.format.as_deref().map_or(Ok(Format::Csv), Format::parse)?;
        let seconds = self.time.as_deref().map(parse_time).transpose()?;
        let workload = self.workload.as_deref().map(read_workload).transpose()?;
        let schema = match schema()? {
            KnownSchema::Stated(schema) => {
                let schema = with_decimal(schema, self.decimal.as_deref())?;
                KnownSchema::Stated(with_encoding(schema, self.encoding.as_deref())?)
            }
            KnownSchema::Open(open) => {
                let open = open_with_decimal(open, self.decimal.as_deref())?;
                KnownSchema::Open(open_with_encoding(open, self.encoding.as_deref())?)
            }
        };
        if self.discover_share.is_some() && !schema.buys_facts() {
            return Err(SettingError::NothingToDiscover.into());
        }
        let accept_draft = self.accept_draft.unwrap_or(false);
        if account.is_some() && accept_draft && schema.has_marks()? {
            return Err(SettingError::LedgerOfDraft.into());
        }
        let mut run = Synthesizer::of(schema)
            .discover_share(self.discover_share.unwrap_or(DISCOVER_SHARE))
            .budget(budget)
            .method_named(method, self.set)?
            .relation(relation)
            .accept_draft(accept_draft);
        run.unit = self.unit.zip(self.contribution);
        (run.rows, run.seed) = (self.rows, self.seed.map(Seed));
        (run.seconds, run.memory, run.threads) = (seconds, memory, self.threads);
        (run.door_memory, run.keep_coded) = (door_memory, self.keep_coded);
        (run.workload, run.target, run.delimiter) = (workload, self.target, delimiter);
        run.check()?;
        let folder = ReleaseFolder::new(self.out.unwrap_or_else(|| PathBuf::from(DEFAULT_OUT)))
            .format(format)
            .move_aside(self.force.unwrap_or(false));
        Ok(Job { synthesizer: run, folder, account })
    }
}

impl Job {
    /// Runs the job: reads the table and writes the folder, whole or not at all. See
    /// [`Synthesizer::fit_to`].
    pub fn run(
        self,
        input: Input,
        observer: &dyn Observer,
        cancel: &Cancel,
    ) -> Result<(Release, WrittenRelease), Error> {
        let mut run: Synthesizer<'_> = self.synthesizer;
        if let Some((file, dataset)) = self.account {
            run = run.ledger(LedgerFile::open(&file)?, dataset);
        }
        run.progress(observer).cancel(cancel.clone()).fit_to(input, &self.folder)
    }

    /// The journal of charges beside the folder.
    pub fn journal(&self) -> PathBuf {
        journal::journal_of(self.folder.path())
    }
}

/// A ledger and a name in it go together.
fn account(ledger: Option<PathBuf>, dataset: Option<String>) -> Result<Option<(PathBuf, String)>, Error> {
    match (ledger, dataset) {
        (Some(_), None) => Err(SettingError::NoDataSet.into()),
        (None, Some(_)) => Err(SettingError::NoLedger.into()),
        (ledger, dataset) => Ok(ledger.zip(dataset)),
    }
}
