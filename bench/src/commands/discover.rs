//! Releases that discover their schema, beside those with the public one: table x epsilon x run x
//! schema, one line a run.

use std::path::PathBuf;

use anyhow::Result;

use crate::discover::figures::{DiscoverFigures, DiscoverLine, FOUND, SCHEMA, STATED, finished};
use crate::discover::summary::{beside_stated, shortfalls};
use crate::discover::table::StudyTable;
use crate::grid::cells::product;
use crate::grid::{RunLog, RunRecord, Summary};
use crate::measure::say;
use crate::raw::generated::GENERATED_RAW;
use crate::raw::makers::RunLimits;
use crate::raw::tables::RawFolders;

/// The coded table whose words are known.
const LABELS: &str = "adult-labels";
/// The tables of `--quick`.
const QUICK_TABLES: [&str; 2] = ["heaps@300", "gaps@300"];

#[derive(clap::Args)]
pub struct DiscoverArgs {
    /// The folder with adult-labels.csv and adult-labels.json, and raw tables in its folder `raw`.
    #[arg(long, env = "LOOKALIKE_DATA")]
    data: Option<PathBuf>,
    /// Tables, by name: given or generated ones (NAME, or NAME@ROWS) [default: adult-labels, all
    /// raw ones, the six generated ones of `raw`].
    #[arg(long, value_delimiter = ',')]
    tables: Vec<String>,
    /// The method.
    #[arg(long, default_value = "auto")]
    method: String,
    /// Epsilons.
    #[arg(long, value_delimiter = ',', default_value = "0.3,1,3")]
    epsilon: Vec<f64>,
    /// Delta.
    #[arg(long, default_value_t = 1e-6)]
    delta: f64,
    /// Runs of each kind in each cell.
    #[arg(long, default_value_t = 1)]
    runs: u64,
    /// The number of the first run.
    #[arg(long, default_value_t = 0)]
    first_run: u64,
    /// Threads of the library [default: all cores].
    #[arg(long)]
    threads: Option<usize>,
    /// A run that takes longer than this many seconds is stopped.
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0)]
    limit: f64,
    /// Lines are appended to this file, and runs that it has are skipped; the summary is of all
    /// its lines of these tables, method and epsilons. Without it lines are printed.
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Runs that failed are tried again.
    #[arg(long)]
    again: bool,
    /// A look in a few seconds: two generated tables with few rows.
    #[arg(long, conflicts_with = "tables")]
    quick: bool,
    /// The summary's tables for a document.
    #[arg(long)]
    markdown: bool,
}

impl DiscoverArgs {
    pub fn run(&self) -> Result<()> {
        let folders = RawFolders::new(self.data.as_deref())?;
        let mut log = self.results.as_deref().map_or_else(|| Ok(RunLog::default()), RunLog::append_to)?;
        let tables = self.table_names(&folders)?;
        let limits = RunLimits { seconds: self.limit, threads: self.threads };
        for name in &tables {
            // Read when the first run needs it.
            let mut open = None;
            for line in self.lines(name) {
                if if self.again { log.has_result(&line) } else { log.has(&line) } {
                    continue;
                }
                let table = match &mut open {
                    Some(table) => table,
                    none => none.insert(StudyTable::open(name, self.data.as_deref(), &folders)?),
                };
                let line = finished(table, line, &limits);
                match &self.results {
                    None => say(&serde_json::to_string(&line)?)?,
                    Some(_) => eprintln!("{}", line.told(|figures| figures.seconds)),
                }
                log.push(line)?;
            }
        }
        self.sum_up(&log, &tables)
    }

    fn table_names(&self, folders: &RawFolders) -> Result<Vec<String>> {
        if self.quick {
            return Ok(QUICK_TABLES.map(str::to_owned).to_vec());
        }
        if !self.tables.is_empty() {
            return Ok(self.tables.clone());
        }
        let has_labels = self.data.as_ref().is_some_and(|data| data.join(format!("{LABELS}.csv")).is_file());
        let mut names: Vec<String> = has_labels.then(|| LABELS.to_owned()).into_iter().collect();
        names.extend(folders.given()?);
        if names.is_empty() {
            eprintln!("lookalike-bench: LOOKALIKE_DATA has no tables: generated ones alone are compared");
        }
        names.extend(GENERATED_RAW.iter().map(|table| table.name.to_owned()));
        Ok(names)
    }

    /// The runs that are asked for on a table; both kinds of a run stand together.
    fn lines(&self, table: &str) -> Vec<DiscoverLine> {
        let mut lines = Vec::new();
        for cell in product(&[table], &self.epsilon) {
            for run in self.first_run..self.first_run + self.runs {
                for schema in [STATED, FOUND] {
                    let asked = RunRecord::asked(&self.method, table, cell.epsilon, self.delta, run);
                    lines.push(RunRecord { settings: [(SCHEMA.to_owned(), schema.to_owned())].into(), ..asked });
                }
            }
        }
        lines
    }

    fn sum_up(&self, log: &RunLog<DiscoverFigures>, tables: &[String]) -> Result<()> {
        let summary = Summary::new(log.lines(), product(tables, &self.epsilon), |line| {
            line.delta == self.delta
                && line.method == self.method
                && tables.contains(&line.table)
                && self.epsilon.contains(&line.epsilon)
        });
        let parts = [
            ("Found beside stated", beside_stated(&summary)),
            ("Short", shortfalls(&summary)),
            ("Failed", summary.failures()),
        ];
        for (heading, table) in parts.iter().filter(|(_, table)| !table.rows.is_empty()) {
            let text = if self.markdown { table.markdown() } else { table.plain() };
            // Standard output has the lines when they have no file.
            match &self.results {
                Some(_) => say(&format!("{heading}\n{text}"))?,
                None => eprintln!("{heading}\n{text}"),
            }
        }
        Ok(())
    }
}
