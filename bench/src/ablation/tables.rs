//! Tables by name, and one run on one of them.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use anyhow::{Result, bail};
use lookalike_evaluate::raw::RawTable;
use serde_json::Value;

use super::class::TableClass;
use super::figures::{AblationFigures, AblationLine, LOST_SPEARMAN};
use crate::grid::TableFolders;
use crate::grid::cells::{BENCHMARKS, is_generated};
use crate::measure::spent;
use crate::raw::figures::judge;
use crate::raw::generated::{self, GENERATED_RAW};
use crate::raw::makers::{RunLimits, released};
use crate::raw::tables::{OpenRaw, RawFolders};
use crate::run::Benchmark;

/// Generated tables of codes that stand beside the generated raw ones: little data, and relations
/// that no pair of columns shows.
const GENERATED_CODED: [&str; 2] = ["rows-2000", "interactions"];

/// Fields of a raw run's figures that tell what it took, and are told beside the figures.
const COSTS: [&str; 4] = ["rows", "used_epsilon", "seconds", "cpu_seconds"];

/// A table by name.
#[derive(Clone, Debug, PartialEq)]
pub struct AblationTable {
    /// Its name.
    pub name: String,
    /// Its class.
    pub class: TableClass,
    is_raw: bool,
}

/// Where all tables are.
pub struct AblationFolders<'a> {
    data: Option<&'a Path>,
    coded: TableFolders<'a>,
    raw: RawFolders,
}

impl<'a> AblationFolders<'a> {
    /// With the data folder, where there is one.
    pub fn new(data: Option<&'a Path>) -> Result<Self> {
        Ok(Self { data, coded: TableFolders::new(data), raw: RawFolders::new(data)? })
    }

    /// The names of all tables that the parts are judged on.
    pub fn names(&self) -> Result<Vec<String>> {
        let benchmarks = BENCHMARKS.into_iter().filter(|name| self.has_coded(name)).map(str::to_owned);
        let generated = GENERATED_RAW.iter().map(|table| table.name).chain(GENERATED_CODED).map(str::to_owned);
        Ok(benchmarks.chain(self.raw.given()?).chain(generated).collect())
    }

    fn has_coded(&self, name: &str) -> bool {
        self.data.is_some_and(|folder| folder.join(format!("{name}-domain.json")).is_file())
    }

    /// The table of this name, a given one before a generated one.
    pub fn find(&self, name: &str) -> Result<AblationTable> {
        let (class, is_raw) = if self.raw.given()?.iter().any(|given| given == name) {
            (TableClass::Raw, true)
        } else if self.has_coded(name) {
            (TableClass::Coded, false)
        } else if generated::find(name)?.is_some() {
            (TableClass::Generated, true)
        } else if is_generated(name, self.data) {
            (TableClass::Generated, false)
        } else {
            bail!("no table is called {name:?}; there are {}", self.names()?.join(", "))
        };
        Ok(AblationTable { name: name.to_owned(), class, is_raw })
    }

    /// Opens a table.
    pub fn open(&mut self, table: &AblationTable) -> Result<OpenTable> {
        let rows = if table.is_raw {
            TableRows::Raw(self.raw.open(&table.name)?)
        } else {
            TableRows::Coded(Benchmark::open(&self.coded.folder(&table.name)?, &table.name)?)
        };
        Ok(OpenTable { class: table.class, rows })
    }
}

/// A table that runs can be made on.
pub struct OpenTable {
    class: TableClass,
    rows: TableRows,
}

enum TableRows {
    Coded(Benchmark),
    Raw(OpenRaw),
}

impl OpenTable {
    /// Runs the line in this process and fills it in, whether the run ends well or not.
    pub fn finished(&self, mut line: AblationLine, limits: &RunLimits) -> AblationLine {
        // A method may panic with a part left out that nobody leaves out: the study goes on.
        match catch_unwind(AssertUnwindSafe(|| self.run(&line, limits))) {
            Ok(Ok(figures)) => line.result = Some(figures),
            Ok(Err(why)) => line.failed = Some(format!("{why:#}")),
            Err(_) => line.failed = Some("the method panicked".to_owned()),
        }
        line
    }

    fn run(&self, line: &AblationLine, limits: &RunLimits) -> Result<AblationFigures> {
        let (schema, csv) = match &self.rows {
            TableRows::Coded(table) => (&table.schema, &table.csv),
            TableRows::Raw(table) => (&table.schema, &table.csv),
        };
        let (release, cost) = spent(|| released(schema, csv, line, limits));
        let release = release?;
        let figures = match &self.rows {
            TableRows::Coded(table) => {
                let distances = table.distances(&table.coded(&release)?)?;
                (1..).zip(distances).map(|(ways, tvd)| (format!("tvd{ways}"), tvd)).collect()
            }
            TableRows::Raw(table) => raw_figures(table, &table.decoded(&release)?)?,
        };
        let (rows, used_epsilon) = (release.rows(), release.used());
        Ok(AblationFigures {
            class: self.class,
            rows,
            used_epsilon,
            seconds: cost.wall,
            cpu_seconds: cost.cpu,
            figures,
        })
    }
}

/// What `raw` keeps of such rows, but for single columns and costs, and what is lost of the strong
/// pairs.
fn raw_figures(table: &OpenRaw, synthetic: &RawTable) -> Result<BTreeMap<String, f64>> {
    let found = judge(table, synthetic)?;
    let lost = found.kept_spearman.map(|kept| (LOST_SPEARMAN.to_owned(), 1.0 - kept));
    let fields = match serde_json::to_value(found)? {
        Value::Object(fields) => fields,
        _ => bail!("the figures of a raw table have no names"),
    };
    let figures = fields.into_iter().filter(|(name, _)| !COSTS.contains(&name.as_str()));
    Ok(figures.filter_map(|(name, value)| Some((name, value.as_f64()?))).chain(lost).collect())
}
