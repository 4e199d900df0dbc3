//! A run as a program writes it: settings one after the other, then [`fit`](Synthesizer::fit).

pub(crate) mod check;
mod coded;
mod discover;
mod fit;
mod learn;
pub(crate) mod method;
pub(crate) mod source;

use std::path::PathBuf;

use lookalike_curator::Cancel;
use lookalike_ledger::LedgerFile;
use lookalike_methods::auto::AutoParams as Auto;
use lookalike_methods::workload::WorkloadSpec;
use lookalike_methods::{Observer, Parameters};
use lookalike_privacy::ledger::LedgerStore;
use lookalike_privacy::{Budget, Relation};
use lookalike_schema::{OpenSchema, Schema};

use self::method::ChosenMethod;
use crate::error::{Error, SettingError};
use crate::fitted::{FittedRows, OnceOnly};
use crate::observe::Unwatched;
use crate::release::Seed;

/// The share of the budget that facts of the schema take which are bought first, when nobody says
/// otherwise.
pub(crate) const DISCOVER_SHARE: f64 = 0.1;

/// What is known of the columns before the run.
#[derive(Clone, Debug)]
pub(crate) enum KnownSchema {
    /// Everything.
    Stated(Schema),
    /// Some facts are to be bought.
    Open(OpenSchema),
}

impl KnownSchema {
    /// Whether the budget buys facts of the schema before anything else.
    pub(crate) fn buys_facts(&self) -> bool {
        match self {
            Self::Stated(schema) => schema.learns(),
            Self::Open(_) => true,
        }
    }

    /// Whether facts wait for review.
    pub(crate) fn has_marks(&self) -> Result<bool, Error> {
        Ok(match self {
            Self::Stated(schema) => !schema.unreviewed().is_empty(),
            Self::Open(open) => open.stand_in()?.is_some_and(|schema| !schema.unreviewed().is_empty()),
        })
    }
}

/// Makes a release of a private table: settings, then [`fit`](Self::fit).
///
/// Every setting but the budget has a default. What cannot be, or does not go together, is refused
/// by [`fit`](Self::fit) before a row is read.
///
/// ```
/// use lookalike::{Auto, Budget, Category, Integer, Schema, Seed, Synthesizer};
/// # use std::sync::Arc;
/// # use arrow_array::{Int64Array, RecordBatch, StringArray};
/// # fn rows() -> Result<Vec<RecordBatch>, arrow_schema::ArrowError> {
/// #     let age = Arc::new(Int64Array::from_iter_values((0..400).map(|row| row % 90)));
/// #     let sex = (0..400).map(|row| ["F", "M"][row % 2]);
/// #     let sex = Arc::new(StringArray::from_iter_values(sex));
/// #     Ok(vec![RecordBatch::try_from_iter([("age", age as _), ("sex", sex as _)])?])
/// # }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let batches = rows()?;
/// let schema = Schema::builder()
///     .column("age", Integer::range(0, 99))
///     .column("sex", Category::of(["F", "M"]))
///     .build()?;
/// let release = Synthesizer::new(schema)
///     .budget(Budget::new(1.0, 1e-9)?)
///     .method(Auto::default())
///     .fit(batches)?;
/// let rows: Vec<RecordBatch> = release.sample(1000, Seed(7))?;
/// # assert_eq!(rows.iter().map(RecordBatch::num_rows).sum::<usize>(), 1000);
/// # Ok(())
/// # }
/// ```
pub struct Synthesizer<'a> {
    schema: KnownSchema,
    discover_share: f64,
    budget: Option<Budget>,
    method: Result<ChosenMethod, SettingError>,
    relation: Relation,
    pub(crate) unit: Option<(String, u32)>,
    pub(crate) rows: Option<u64>,
    pub(crate) seed: Option<Seed>,
    pub(crate) workload: Option<WorkloadSpec>,
    pub(crate) target: Option<String>,
    pub(crate) seconds: Option<u64>,
    pub(crate) memory: Option<u64>,
    pub(crate) door_memory: Option<u64>,
    pub(crate) keep_coded: Option<PathBuf>,
    pub(crate) threads: Option<usize>,
    pub(crate) delimiter: Option<u8>,
    accept_draft: bool,
    ledger: Option<(LedgerFile, String)>,
    journal: Option<Box<dyn LedgerStore>>,
    once: Option<OnceOnly<'a>>,
    observer: &'a dyn Observer,
    cancel: Cancel,
    #[cfg(feature = "test-noise")]
    pub(crate) testing: crate::testing::TestHooks,
}

impl<'a> Synthesizer<'a> {
    /// A run on tables with these columns.
    pub fn new(schema: Schema) -> Self {
        Self::of(KnownSchema::Stated(schema))
    }

    /// A run on tables of which not everything is known: what the schema leaves open is bought with
    /// a part of the budget. [`OpenSchema::nothing`] leaves everything open.
    ///
    /// ```
    /// use lookalike::{Budget, OpenSchema, Synthesizer};
    /// # use std::sync::Arc;
    /// # use arrow_array::{Int64Array, RecordBatch};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let age = Arc::new(Int64Array::from_iter_values((0..4000).map(|row| 20 + row % 50)));
    /// # let batches = vec![RecordBatch::try_from_iter([("age", age as _)])?];
    /// let run = Synthesizer::discovering(OpenSchema::nothing()).budget(Budget::new(1.0, 1e-9)?);
    /// let release = run.fit(batches)?;
    /// let age = &release.schema().columns()[0];
    /// assert_eq!(age.discovered.as_ref().map(|found| found.facts.len()), Some(2));
    /// # Ok(())
    /// # }
    /// ```
    pub fn discovering(schema: OpenSchema) -> Self {
        Self::of(KnownSchema::Open(schema))
    }

    pub(crate) fn of(schema: KnownSchema) -> Self {
        Self {
            schema,
            discover_share: DISCOVER_SHARE,
            budget: None,
            method: ChosenMethod::of(Auto::default()),
            relation: Relation::AddRemove,
            unit: None,
            rows: None,
            seed: None,
            workload: None,
            target: None,
            seconds: None,
            memory: None,
            door_memory: None,
            keep_coded: None,
            threads: None,
            delimiter: None,
            accept_draft: false,
            ledger: None,
            journal: None,
            once: None,
            observer: &Unwatched,
            cancel: Cancel::new(),
            #[cfg(feature = "test-noise")]
            testing: Default::default(),
        }
    }

    /// The epsilon and delta of everything that the run asks of the rows. It must be given.
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = Some(budget);
        self
    }

    /// The share of the budget that facts of the schema may take which are bought before anything
    /// else, between 0 and 1: of rho, or of epsilon at delta 0. Without it 0.1.
    pub fn discover_share(mut self, share: f64) -> Self {
        self.discover_share = share;
        self
    }

    /// The method, by its parameters: `Auto::default()`, `Aim { .. }` and so on. Without it:
    /// [`Auto`].
    pub fn method<P: Parameters>(mut self, parameters: P) -> Self {
        self.method = ChosenMethod::of(parameters);
        self
    }

    /// The method by its name, with settings as texts.
    ///
    /// # Errors
    /// No such method, parameter or value.
    pub fn method_named(
        mut self,
        name: &str,
        settings: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, Error> {
        self.method = Ok(ChosenMethod::named(name, settings.into_iter().collect())?);
        Ok(self)
    }

    /// Which tables are neighbours; without it [`Relation::AddRemove`].
    pub fn relation(mut self, relation: Relation) -> Self {
        self.relation = relation;
        self
    }

    /// Protects persons and not records: the column that tells whose row it is, and the most rows
    /// of one person that are taken.
    pub fn unit(mut self, column: impl Into<String>, contribution: u32) -> Self {
        self.unit = Some((column.into(), contribution));
        self
    }

    /// How many synthetic rows; without it the noisy number of rows.
    pub fn rows(mut self, rows: u64) -> Self {
        self.rows = Some(rows);
        self
    }

    /// The seed that the release's rows are drawn with, never of the noise; without it a random
    /// one.
    pub fn seed(mut self, seed: Seed) -> Self {
        self.seed = Some(seed);
        self
    }

    /// The tables that the release should be good at.
    pub fn workload(mut self, workload: WorkloadSpec) -> Self {
        self.workload = Some(workload);
        self
    }

    /// A column whose tables count more.
    pub fn target(mut self, column: impl Into<String>) -> Self {
        self.target = Some(column.into());
        self
    }

    /// Seconds allowed. They become sizes and numbers of rounds, never a clock.
    pub fn time(mut self, seconds: u64) -> Self {
        self.seconds = Some(seconds);
        self
    }

    /// Bytes allowed: coded rows beyond them go to a private temporary file, and models stay within
    /// them. Without it 2 GiB of coded rows, and the method's own bound for models.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Bytes of exact tables that are kept for later rounds, so that rows are passed over less
    /// often. Without it 256 MiB. Releases do not depend on it.
    pub fn door_memory(mut self, bytes: u64) -> Self {
        self.door_memory = Some(bytes);
        self
    }

    /// Keeps the coded rows in this file, or takes them from there when it is there: a second
    /// release of the same data then need not read the table. The file is private, and refused
    /// where it was written for other columns, persons, files or another ledger.
    pub fn keep_coded(mut self, file: impl Into<PathBuf>) -> Self {
        self.keep_coded = Some(file.into());
        self
    }

    /// Threads; without it all cores. They are the run's own.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// What parts the fields of a text file; without it the schema's, or what its name and header
    /// tell.
    pub fn delimiter(mut self, delimiter: u8) -> Self {
        self.delimiter = Some(delimiter);
        self
    }

    /// Takes a schema with facts that were read from the rows and that nobody has reviewed: the
    /// release then has no guarantee, and says so.
    pub fn accept_draft(mut self, accept: bool) -> Self {
        self.accept_draft = accept;
        self
    }

    /// The ledger across releases that the run draws on, and the data set's name in it.
    pub fn ledger(mut self, ledger: LedgerFile, dataset: impl Into<String>) -> Self {
        self.ledger = Some((ledger, dataset.into()));
        self
    }

    /// Where every charge is written before the look that it pays for; without it in memory, or
    /// beside the folder of [`fit_to`](Self::fit_to).
    pub fn journal(mut self, store: impl LedgerStore + 'static) -> Self {
        self.journal = Some(Box::new(store));
        self
    }

    /// Refuses rows that a run with this register was given before, unless `again` says that they
    /// are meant to be fitted once more. Programs in which lines are run twice by accident, such as
    /// notebooks, keep one register for the whole process.
    pub fn once_only(mut self, register: &'a FittedRows, again: bool) -> Self {
        self.once = Some(OnceOnly { register, again });
        self
    }

    /// Who is told how the run goes on.
    pub fn progress(mut self, observer: &'a dyn Observer) -> Self {
        self.observer = observer;
        self
    }

    /// The flag that stops the run. What was charged until then stays charged.
    pub fn cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }
}
