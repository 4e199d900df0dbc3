//! From settings to a run. All that can be refused without a row is refused here.

use std::path::PathBuf;

use lookalike_curator::{Cancel, CuratorError, DOOR_MEMORY};
use lookalike_ledger::{LedgerFile, ReservationRequest};
use lookalike_methods::{Method, MethodError, MethodInfo, Observer, Request, methods};
use lookalike_privacy::ledger::LedgerStore;
use lookalike_privacy::{Budget, Neighbours, PrivacyError, Relation};
use lookalike_schema::Schema;
use lookalike_table::{Persons, ReadOptions};

use super::method::ChosenMethod;
use super::{KnownSchema, Synthesizer};
use crate::error::{Error, SettingError};
use crate::fitted::OnceOnly;
use crate::ledger::Account;
use crate::limits::{DEFAULT_MEMORY, check_rows, check_threads};
use crate::protect::neighbours;
use crate::release::{Seed, short};

/// A forecast needs some number of rows; what is asked of it here hardly depends on it.
const FORECAST_ROWS: u64 = 1000;
/// Noise of more people than this in one cell drowns every table.
const MOST_NOISE: f64 = 1e6;

/// A run whose settings were checked: only these run.
pub(super) struct CheckedRun<'a> {
    pub schema: KnownSchema,
    pub discover_share: f64,
    pub budget: Budget,
    pub neighbours: Neighbours,
    /// Whose rows are bounded; `None` where a record is protected.
    pub persons: Option<Persons>,
    pub chosen: ChosenMethod,
    pub request: Request,
    pub seed: Option<Seed>,
    pub read: ReadOptions,
    pub door_memory: u64,
    pub keep_coded: Option<PathBuf>,
    pub threads: usize,
    pub ledger: Option<(LedgerFile, String)>,
    pub journal: Option<Box<dyn LedgerStore>>,
    pub once: Option<OnceOnly<'a>>,
    pub observer: &'a dyn Observer,
    pub cancel: Cancel,
    #[cfg(feature = "test-noise")]
    pub testing: crate::testing::TestHooks,
}

impl<'a> Synthesizer<'a> {
    /// Refuses, from public facts alone, what cannot be run: [`fit`](Self::fit) does so first.
    ///
    /// # Errors
    /// What is missing or wrong, in one line.
    pub fn check(&self) -> Result<(), Error> {
        let budget = self.budget.ok_or(SettingError::NoBudget)?;
        let method = self.method.as_ref().map_err(Clone::clone)?.method.as_ref();
        let neighbours = self.neighbours()?;
        let request = self.request();
        request.rows.map_or(Ok(0), check_rows)?;
        check_threads(self.threads)?;
        refuse_unused(method, &request)?;
        let schema = match &self.schema {
            KnownSchema::Stated(schema) => Some(schema.clone()),
            KnownSchema::Open(open) => open.stand_in()?,
        };
        if self.schema.buys_facts() {
            check_share(self.discover_share)?;
        }
        if matches!(self.schema, KnownSchema::Open(_)) {
            schema.as_ref().map_or(Ok(()), refuse_learning)?;
        }
        if self.keep_coded.is_some() && (matches!(self.schema, KnownSchema::Open(_)) || self.once.is_some()) {
            return Err(SettingError::KeepCodedOfOpenSchema.into());
        }
        if let Some(schema) = &schema {
            self.check_schema(schema)?;
        }
        match (&self.schema, schema) {
            (KnownSchema::Stated(_), Some(schema)) => {
                Ok(method.accept(&method.coding(&schema)?, neighbours, budget, &request)?)
            }
            // What hangs on the columns is refused when they are known.
            _ => Ok(method.accept(&method.coding(&probe()?)?, neighbours, budget, &Request::default())?),
        }
    }

    /// Refuses what the columns that are stated do not go with.
    fn check_schema(&self, schema: &Schema) -> Result<(), Error> {
        if !self.accept_draft {
            refuse_unreviewed(schema)?;
        } else if self.ledger.is_some() && !schema.unreviewed().is_empty() {
            return Err(SettingError::LedgerOfDraft.into());
        }
        match &self.unit {
            Some((column, _)) => check_unit(schema, column),
            None => Ok(()),
        }
    }

    pub(super) fn checked(self) -> Result<CheckedRun<'a>, Error> {
        self.check()?;
        let memory = self.memory.unwrap_or(DEFAULT_MEMORY);
        Ok(CheckedRun {
            neighbours: self.neighbours()?,
            request: self.request(),
            budget: self.budget.ok_or(SettingError::NoBudget)?,
            chosen: self.method?,
            schema: match (self.schema, &self.unit) {
                (KnownSchema::Open(open), Some((unit, _))) => KnownSchema::Open(open.leaving_out(unit)),
                (schema, _) => schema,
            },
            discover_share: self.discover_share,
            persons: self.unit.map(|(column, most)| Persons { column, most }),
            seed: self.seed,
            read: ReadOptions { delimiter: self.delimiter, encoding: None, multiline: false, memory },
            keep_coded: self.keep_coded,
            door_memory: self.door_memory.unwrap_or(DOOR_MEMORY),
            threads: check_threads(self.threads)?,
            ledger: self.ledger,
            journal: self.journal,
            once: self.once,
            observer: self.observer,
            cancel: self.cancel,
            #[cfg(feature = "test-noise")]
            testing: self.testing,
        })
    }

    fn neighbours(&self) -> Result<Neighbours, Error> {
        let unit = self.unit.as_ref();
        neighbours(self.relation, unit.map(|(column, _)| column.as_str()), unit.map(|(_, rows)| *rows))
    }

    fn request(&self) -> Request {
        Request {
            rows: self.rows,
            memory: self.memory,
            seconds: self.seconds,
            workload: self.workload.clone(),
            target: self.target.clone(),
        }
    }
}

impl CheckedRun<'_> {
    /// Refuses, from public facts alone and before any row is read, a budget that no noise can keep
    /// and a row count that would be nothing but noise: a release of a billion rows helps nobody. A
    /// public row count has no noise.
    pub(super) fn check_reach(&self) -> Result<(), Error> {
        let schema = match &self.schema {
            KnownSchema::Stated(schema) => schema.clone(),
            KnownSchema::Open(_) => probe()?,
        };
        let forecast = self.chosen.method.forecast(&lookalike_methods::PublicFacts {
            schema: &schema,
            rows: FORECAST_ROWS,
            neighbours: self.neighbours,
            budget: self.budget,
        });
        let forecast = forecast.map_err(|error| no_such_noise(error, self.budget))?;
        let is_noisy = self.request.rows.is_none() && self.neighbours.relation() == Relation::AddRemove;
        if is_noisy && forecast.cell_noise > MOST_NOISE {
            return Err(SettingError::RowsAreNoise { epsilon: short(self.budget.epsilon.get()) }.into());
        }
        Ok(())
    }

    /// The ledger that the run draws on. What it refuses by name is refused here, before a row is
    /// read. `folder` is what the ledger notes as the run's.
    pub(super) fn account(&mut self, folder: &str) -> Result<Option<Account>, Error> {
        let Some((ledger, dataset)) = self.ledger.take() else { return Ok(None) };
        Account::open(ledger, &self.reservation(&dataset, folder)).map(Some)
    }

    /// What the run asks of a ledger.
    pub(super) fn reservation<'r>(&'r self, dataset: &'r str, folder: &'r str) -> ReservationRequest<'r> {
        ReservationRequest {
            dataset,
            budget: self.budget,
            neighbours: self.neighbours,
            unit: self.persons.as_ref().map(|persons| persons.column.as_str()),
            discovers: self.schema.buys_facts(),
            method: self.chosen.method.name(),
            folder,
        }
    }
}

/// A share that leaves something for discovery and something for the rest.
pub(crate) fn check_share(share: f64) -> Result<(), Error> {
    if (0.001..=0.9).contains(&share) { Ok(()) } else { Err(SettingError::DiscoverShare { share }.into()) }
}

/// A schema in the place of one that is not known: for what does not hang on it.
fn probe() -> Result<Schema, Error> {
    Ok(Schema::builder().column("column", lookalike_schema::Category::of(["a", "b"])).build()?)
}

/// A budget that no exact noise can keep is a mistake in the settings.
pub(crate) fn no_such_noise(error: MethodError, budget: Budget) -> Error {
    match error {
        MethodError::Curator(CuratorError::Privacy(PrivacyError::Unit { .. } | PrivacyError::Plan { .. })) => {
            SettingError::NoSuchNoise { epsilon: short(budget.epsilon.get()) }.into()
        }
        other => other.into(),
    }
}

/// A workload that a method would not look at is refused: whoever names one expects it to matter.
fn refuse_unused(method: &dyn Method, request: &Request) -> Result<(), Error> {
    let setting = match (&request.workload, &request.target) {
        (Some(_), _) => "workload",
        (None, Some(_)) => "target",
        (None, None) => return Ok(()),
    };
    if method.uses_workload() {
        return Ok(());
    }
    let takes = |info: &&MethodInfo| (info.build)(&[]).is_ok_and(|method| method.uses_workload());
    let takers = methods().iter().filter(takes).map(|info| info.name).collect();
    Err(SettingError::WorkloadUnused { setting, method: method.name(), takers }.into())
}

/// Tables of columns that depend on others are bought of rows that are coded, and by columns that
/// are known.
pub(crate) fn refuse_learning(schema: &Schema) -> Result<(), Error> {
    match schema.to_be_learned().next() {
        Some((column, _)) => Err(SettingError::DiscoverBesideTables { column: column.name.clone() }.into()),
        None => Ok(()),
    }
}

/// The column that tells whose row it is must not be modelled: its values would be in the release.
pub(crate) fn check_unit(schema: &Schema, name: &str) -> Result<(), Error> {
    let column = name.to_owned();
    match schema.columns().iter().find(|column| column.name == name) {
        Some(found) if found.written_codec().is_some() => {
            Err(SettingError::UnitIsModelled { column, type_name: found.type_name() }.into())
        }
        Some(_) => Ok(()),
        // Whether the file has it is told by its header.
        None if schema.skips_unlisted() => Ok(()),
        None => Err(SettingError::UnitUnknown { column }.into()),
    }
}

fn refuse_unreviewed(schema: &Schema) -> Result<(), Error> {
    match schema.unreviewed().as_slice() {
        [] => Ok(()),
        [first, rest @ ..] => {
            let (column, fact) = (first.column.map(str::to_owned), first.fact.to_owned());
            Err(SettingError::Unreviewed { column, fact, more: rest.len() }.into())
        }
    }
}
