//! From a job as typed to a checked one. All that can be refused without a row is refused here.

use std::path::{Path, PathBuf};

use lookalike_methods::{Method, MethodInfo, Request, methods};
use lookalike_privacy::{Budget, Delta, Epsilon, Neighbours, Relation};
use lookalike_schema::Schema;
use lookalike_table::{Persons, ReadOptions};

use super::JobSpec;
use crate::size::parse_time;
use crate::{Error, input, journal, ledger};

/// The folder that is written when none is named.
const DEFAULT_OUT: &str = "lookalike-out";
/// More rows than any table needs, and few enough that no sum of sizes overflows.
const MAX_ROWS: u64 = 1 << 40;
/// More threads than any machine that will run this.
const MAX_THREADS: usize = 4096;

/// Rows of one person beyond which nothing is left but noise, and few enough that no sensitivity
/// overflows.
const MOST_CONTRIBUTION: u32 = 100_000;

/// The form of the synthetic rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated text with a header.
    Csv,
    /// Parquet with the columns' own types.
    Parquet,
}

impl Format {
    /// The form of that name.
    pub fn parse(name: &str) -> Result<Self, Error> {
        match name {
            "csv" => Ok(Self::Csv),
            "parquet" => Ok(Self::Parquet),
            _ => Err(Error::usage(format!("format: {name:?} is not known"), "write csv or parquet")),
        }
    }

    /// The name on the command line, which is the file's ending too.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }
}

/// A checked job: only these run.
pub struct Job {
    pub(super) schema: Schema,
    pub(super) budget: Budget,
    pub(super) neighbours: Neighbours,
    /// Whose rows are bounded; `None` where a record is protected.
    pub(super) persons: Option<Persons>,
    pub(super) method: Box<dyn Method>,
    pub(super) settings: Vec<(String, String)>,
    pub(super) request: Request,
    pub(super) seed: Option<u64>,
    pub(super) read: ReadOptions,
    pub(super) threads: usize,
    pub(super) out: PathBuf,
    pub(super) format: Format,
    pub(super) force: bool,
    /// The ledger that the run draws on, and the data set's name in it.
    pub(super) account: Option<(PathBuf, String)>,
    #[cfg(feature = "test-noise")]
    pub(crate) testing: crate::testing::TestHooks,
}

impl JobSpec {
    /// Checks every flag, then reads and checks the schema file.
    ///
    /// # Errors
    /// What is missing or wrong, in one line. A schema with unreviewed facts is refused unless
    /// `accept_draft`.
    pub fn check(self) -> Result<Job, Error> {
        let path = self.schema.clone().ok_or_else(|| {
            Error::usage("no schema was given", "write --schema FILE; `lookalike schema draft DATA` makes a first one")
        })?;
        self.check_with(|| input::read_schema(&path))
    }

    /// Like [`check`](Self::check), with a schema that is already in memory.
    pub fn check_with_schema(self, schema: Schema) -> Result<Job, Error> {
        self.check_with(|| Ok(schema))
    }

    fn check_with(self, schema: impl FnOnce() -> Result<Schema, Error>) -> Result<Job, Error> {
        let info = method_info(self.method.as_deref())?;
        let epsilon = self.epsilon.ok_or_else(|| {
            Error::usage("no epsilon was given", "write --epsilon, such as --epsilon 1; smaller is more private")
        })?;
        let budget =
            Budget { epsilon: Epsilon::new(epsilon)?, delta: Delta::new(self.delta.unwrap_or(info.default_delta))? };
        let settings: Vec<(String, String)> = self.set.into_iter().collect();
        let method = (info.build)(&settings)?;
        let neighbours = neighbours(self.relation.as_deref(), self.unit.as_deref(), self.contribution)?;
        let persons = self.unit.map(|column| Persons { column, most: neighbours.contribution() });
        let account = account(self.ledger, self.dataset)?;
        let rows = self.rows.map(check_rows).transpose()?;
        let threads = check_threads(self.threads)?;
        let read = input::read_options(self.delimiter.as_deref(), self.memory.as_deref())?;
        let format = self.format.as_deref().map_or(Ok(Format::Csv), Format::parse)?;
        let request = Request {
            rows,
            memory: self.memory.is_some().then_some(read.memory),
            seconds: self.time.as_deref().map(parse_time).transpose()?,
            workload: self.workload.as_deref().map(input::read_workload).transpose()?,
            target: self.target,
        };
        refuse_unused(method.as_ref(), &request)?;
        let schema = input::with_decimal(schema()?, self.decimal.as_deref())?;
        if !self.accept_draft.unwrap_or(false) {
            refuse_unreviewed(&schema)?;
        } else if account.is_some() && !schema.unreviewed().is_empty() {
            return Err(Error::usage(
                "ledger: a schema with unreviewed facts carries no guarantee, and a ledger adds guarantees up",
                "review the schema, or leave out --ledger",
            ));
        }
        if let Some(persons) = &persons {
            check_unit(&schema, &persons.column)?;
        }
        method.accept(&schema, neighbours, budget, &request)?;
        Ok(Job {
            schema,
            budget,
            neighbours,
            persons,
            method,
            settings,
            request,
            seed: self.seed,
            read,
            threads,
            out: self.out.unwrap_or_else(|| PathBuf::from(DEFAULT_OUT)),
            format,
            force: self.force.unwrap_or(false),
            account,
            #[cfg(feature = "test-noise")]
            testing: Default::default(),
        })
    }
}

impl Job {
    /// The schema of the job, in its own order.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The total for everything.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// The folder that a run makes.
    pub fn out(&self) -> &Path {
        &self.out
    }

    /// The journal of charges beside that folder.
    pub fn journal(&self) -> PathBuf {
        journal::journal_of(&self.out)
    }

    /// How many runs in the journal charged something; none when there is no journal.
    pub fn charged_runs(&self) -> u64 {
        journal::charged_runs(&self.journal()).unwrap_or(0)
    }

    /// How many runs the ledger knows under the job's data set; none without a ledger.
    pub fn reserved_runs(&self) -> u64 {
        let runs = |(file, name): &(PathBuf, String)| ledger::runs_under(file, name).unwrap_or(0);
        self.account.as_ref().map_or(0, runs)
    }

    /// How the run reads its input.
    pub fn read_options(&self) -> &ReadOptions {
        &self.read
    }
}

/// A workload that a method would not look at is refused: whoever names one expects it to matter.
fn refuse_unused(method: &dyn Method, request: &Request) -> Result<(), Error> {
    let named = match (&request.workload, &request.target) {
        (Some(_), _) => "workload",
        (None, Some(_)) => "target",
        (None, None) => return Ok(()),
    };
    if method.uses_workload() {
        return Ok(());
    }
    let takers: Vec<&str> = methods().iter().filter(|info| takes_workload(info)).map(|info| info.name).collect();
    Err(Error::usage(
        format!("{named}: method {:?} treats all tables alike", method.name()),
        format!("leave it out, or choose one of: {}", takers.join(", ")),
    ))
}

fn takes_workload(info: &MethodInfo) -> bool {
    (info.build)(&[]).is_ok_and(|method| method.uses_workload())
}

pub(crate) fn method_info(name: Option<&str>) -> Result<&'static MethodInfo, Error> {
    let known = methods();
    let Some(name) = name else {
        return known.first().ok_or_else(|| Error::fault("the list of methods is empty"));
    };
    known.iter().find(|info| info.name == name).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|info| info.name).collect();
        Error::usage(format!("method: {name:?} is not known"), format!("choose one of: {}", names.join(", ")))
    })
}

/// A ledger and a name in it go together.
fn account(ledger: Option<PathBuf>, dataset: Option<String>) -> Result<Option<(PathBuf, String)>, Error> {
    match (ledger, dataset) {
        (Some(ledger), Some(dataset)) => Ok(Some((ledger, dataset))),
        (None, None) => Ok(None),
        (Some(_), None) => {
            Err(Error::usage("ledger: no data set was named", "write --dataset with its name in the ledger"))
        }
        (None, Some(_)) => Err(Error::usage("dataset: no ledger was named", "write --ledger with its file")),
    }
}

/// The relation, with the rows a person may have, from what was typed.
pub(crate) fn neighbours(
    relation_name: Option<&str>,
    unit: Option<&str>,
    contribution: Option<u32>,
) -> Result<Neighbours, Error> {
    let relation = relation(relation_name)?;
    match (unit, contribution) {
        (None, None) => Ok(Neighbours::new(relation, 1)?),
        (Some(_), None) => Err(Error::usage(
            "unit: how many rows a person may have was not said",
            "write --contribution, such as --contribution 3",
        )),
        (None, Some(_)) => Err(Error::usage(
            "contribution: no column was named that tells whose row it is",
            "write --unit with the name of a column",
        )),
        (Some(_), Some(_)) if relation == Relation::ReplaceOne => Err(Error::usage(
            "unit: replace-one protects single records, not persons",
            "leave out --unit, or use --relation add-remove",
        )),
        (Some(_), Some(rows)) if rows > MOST_CONTRIBUTION => Err(Error::usage(
            format!("contribution: {rows} rows a person is more than noise can hide"),
            format!("write at most {MOST_CONTRIBUTION}; of each person no more rows are taken"),
        )),
        (Some(_), Some(rows)) => Ok(Neighbours::new(relation, rows)?),
    }
}

/// The column that tells whose row it is must not be modelled: its values would be in the release.
fn check_unit(schema: &Schema, name: &str) -> Result<(), Error> {
    match schema.columns().iter().find(|column| column.name == name) {
        Some(column) if column.codec().is_some() => Err(Error::usage(
            format!("unit: column {name:?} has type {:?}, so its values would be modelled", column.type_name()),
            "give it type = \"id\" in the schema",
        )),
        Some(_) => Ok(()),
        // Whether the file has it is told by its header.
        None if schema.skips_unlisted() => Ok(()),
        None => Err(Error::usage(
            format!("unit: the schema has no column {name:?}"),
            "list it with type = \"id\", or correct the name",
        )),
    }
}

pub(crate) fn relation(name: Option<&str>) -> Result<Relation, Error> {
    match name {
        None | Some("add-remove") => Ok(Relation::AddRemove),
        Some("replace-one") => Ok(Relation::ReplaceOne),
        Some(other) => {
            Err(Error::usage(format!("relation: {other:?} is not known"), "write add-remove or replace-one"))
        }
    }
}

pub(crate) fn check_rows(rows: u64) -> Result<u64, Error> {
    if rows > MAX_ROWS {
        return Err(Error::usage(format!("rows: {rows} is too many"), format!("ask for at most {MAX_ROWS}")));
    }
    Ok(rows)
}

pub(crate) fn check_threads(threads: Option<usize>) -> Result<usize, Error> {
    match threads {
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
        Some(0) => Err(Error::usage("threads: 0 cannot do anything", "write 1 or more, or leave it out for all cores")),
        Some(many) if many > MAX_THREADS => {
            Err(Error::usage(format!("threads: {many} is too many"), format!("write at most {MAX_THREADS}")))
        }
        Some(some) => Ok(some),
    }
}

fn refuse_unreviewed(schema: &Schema) -> Result<(), Error> {
    let unreviewed = schema.unreviewed();
    let Some(first) = unreviewed.first() else {
        return Ok(());
    };
    let place = first.column.map_or_else(String::new, |column| format!("column {column:?}: "));
    let fact = first.fact;
    let others = match unreviewed.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Err(Error::usage(
        format!("schema: {place}{fact} was read from the data and nobody has reviewed it{others}"),
        "check each marked fact and take its mark away, or pass --accept-draft and lose the guarantee",
    ))
}
