//! Methods on raw tables: method x table x epsilon x run, one line a run, in raw units.

use std::path::PathBuf;

use anyhow::Result;

use super::methods::{Chosen, with_settings};
use crate::grid::cells::product;
use crate::grid::{RunLog, RunRecord, Summary};
use crate::measure::{say, spent};
use crate::raw::figures::{RawFigures, judge};
use crate::raw::generated::GENERATED_RAW;
use crate::raw::learning::learning_gap;
use crate::raw::makers::{COMPARED, COPULA, RunLimits, is_method, made};
use crate::raw::summary::{by_method, spreads};
use crate::raw::tables::{OpenRaw, RawFolders};

/// Rows of the generated tables with `--quick`.
const QUICK_ROWS: usize = 300;
/// Methods with `--quick`.
const QUICK_METHODS: [&str; 3] = ["auto", "mst", COPULA];

#[derive(clap::Args)]
pub struct RawArgs {
    /// The folder whose folder `raw` has NAME.csv, NAME.toml and NAME.hints.json.
    #[arg(long, env = "LOOKALIKE_DATA")]
    data: Option<PathBuf>,
    /// Tables, by name: given or generated ones (NAME, or NAME@ROWS) [default: all of both].
    #[arg(long, value_delimiter = ',')]
    tables: Vec<String>,
    /// Methods of the library, `copula`, and other tools: dpmm, dpsynth, smartnoise [default: auto,
    /// mst, aim, privmrf, independent, copula].
    #[arg(long, value_delimiter = ',')]
    methods: Vec<String>,
    /// A parameter of a method.
    #[arg(long = "set", value_name = "METHOD:NAME=VALUE")]
    settings: Vec<String>,
    /// Epsilons.
    #[arg(long, value_delimiter = ',', default_value = "1")]
    epsilon: Vec<f64>,
    /// Delta.
    #[arg(long, default_value_t = 1e-6)]
    delta: f64,
    /// Runs of each method in each cell.
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
    /// Trains models on synthetic rows, too, and tests them on real ones.
    #[arg(long)]
    ml: bool,
    /// Lines are appended to this file, and runs that it has are skipped; the summary is of all
    /// its lines of these tables, methods and epsilons. Without it lines are printed.
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Runs that failed are tried again.
    #[arg(long)]
    again: bool,
    /// A look in less than a minute: the generated tables with few rows, one run of three methods.
    #[arg(long, conflicts_with_all = ["tables", "methods"])]
    quick: bool,
    /// The summary's tables for a document.
    #[arg(long)]
    markdown: bool,
}

impl RawArgs {
    pub fn run(&self) -> Result<()> {
        let folders = RawFolders::new(self.data.as_deref())?;
        let mut log = self.results.as_deref().map_or_else(|| Ok(RunLog::default()), RunLog::append_to)?;
        let (tables, methods) = (self.table_names(&folders)?, self.chosen()?);
        let limits = RunLimits { seconds: self.limit, threads: self.threads };
        for name in &tables {
            // Read when the first run needs it.
            let mut open = None;
            for line in self.lines(name, &methods) {
                if if self.again { log.has_result(&line) } else { log.has(&line) } {
                    continue;
                }
                let table = match &mut open {
                    Some(table) => table,
                    none => none.insert(folders.open(name)?),
                };
                let line = self.finished(table, line, &limits);
                match &self.results {
                    None => say(&serde_json::to_string(&line)?)?,
                    Some(_) => eprintln!("{}", line.told(|figures| figures.seconds)),
                }
                log.push(line)?;
            }
        }
        self.sum_up(&log, &tables, &methods)
    }

    fn table_names(&self, folders: &RawFolders) -> Result<Vec<String>> {
        if self.quick {
            return Ok(GENERATED_RAW.iter().map(|table| format!("{}@{QUICK_ROWS}", table.name)).collect());
        }
        if !self.tables.is_empty() {
            return Ok(self.tables.clone());
        }
        let mut names = folders.given()?;
        if names.is_empty() {
            eprintln!("lookalike-bench: LOOKALIKE_DATA has no raw tables: generated ones alone are compared");
        }
        names.extend(GENERATED_RAW.iter().map(|table| table.name.to_owned()));
        Ok(names)
    }

    fn chosen(&self) -> Result<Vec<Chosen>> {
        let names: Vec<String> = match (self.quick, self.methods.is_empty()) {
            (true, _) => QUICK_METHODS.map(str::to_owned).to_vec(),
            (false, true) => COMPARED.map(str::to_owned).to_vec(),
            (false, false) => self.methods.clone(),
        };
        let one =
            |name: String| if is_method(&name) { with_settings(name, &self.settings) } else { Ok((name, vec![])) };
        names.into_iter().map(one).collect()
    }

    /// The runs that are asked for on a table.
    fn lines(&self, table: &str, methods: &[Chosen]) -> Vec<RunRecord<RawFigures>> {
        let mut lines = Vec::new();
        for cell in product(&[table], &self.epsilon) {
            for (method, settings) in methods {
                for run in self.first_run..self.first_run + self.runs {
                    let asked = RunRecord::asked(method, table, cell.epsilon, self.delta, run);
                    lines.push(RunRecord { settings: settings.iter().cloned().collect(), ..asked });
                }
            }
        }
        lines
    }

    /// Runs it and fills in the line, whether the run ends well or not.
    fn finished(&self, table: &OpenRaw, mut line: RunRecord<RawFigures>, limits: &RunLimits) -> RunRecord<RawFigures> {
        let (found, cost) = spent(|| made(table, &line, limits));
        let figures = found.and_then(|(rows, used_epsilon)| {
            let ml_gap = if self.ml { learning_gap(table, &rows) } else { None };
            let figures = judge(table, &rows)?;
            Ok(RawFigures { used_epsilon, seconds: cost.wall, cpu_seconds: cost.cpu, ml_gap, ..figures })
        });
        match figures {
            Ok(figures) => line.result = Some(figures),
            Err(why) => line.failed = Some(format!("{why:#}")),
        }
        line
    }

    fn sum_up(&self, log: &RunLog<RawFigures>, tables: &[String], methods: &[Chosen]) -> Result<()> {
        let cells = product(tables, &self.epsilon);
        let summary = Summary::new(log.lines(), cells, |line| {
            line.delta == self.delta
                && tables.contains(&line.table)
                && self.epsilon.contains(&line.epsilon)
                && methods.iter().any(|(method, _)| *method == line.method)
        });
        let parts = [("", by_method(&summary)), ("Spread", spreads(&summary)), ("Failed", summary.failures())];
        for (heading, table) in parts.iter().filter(|(_, table)| !table.rows.is_empty()) {
            let text = if self.markdown { table.markdown() } else { table.plain() };
            let text = format!("{heading}\n{text}");
            // Standard output has the lines when they have no file.
            match &self.results {
                Some(_) => say(text.trim_start())?,
                None => eprintln!("{}", text.trim_start()),
            }
        }
        Ok(())
    }
}
