//! Methods compared: method x table x epsilon x run, one line a run, each in a process of its own.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use lookalike_methods::list;

use super::one_run::{self, RunOrder, shipped_program};
use crate::grid::TableFolders;
use crate::grid::cells::{DELTA, JUDGED, product};
use crate::grid::figure::beside_peers;
use crate::grid::summary::Metric;
use crate::grid::{Grid, GridCell, RunLog, RunRecord, Summary};
use crate::measure::say;
use crate::text_table::TextTable;

/// Protects another relation between neighbours, and only tables of a few columns.
const NOT_COMPARED: &str = "histogram";

/// A method and its settings.
pub type Chosen = (String, Vec<(String, String)>);

#[derive(clap::Args)]
pub struct MethodsArgs {
    /// The folder with NAME.csv, NAME-domain.json and NAME-marginals.json; other tables are
    /// generated.
    #[arg(long, env = "LOOKALIKE_DATA")]
    data: Option<PathBuf>,
    /// The cells of a grid; --tables and --epsilons then choose among them.
    #[arg(long, value_enum)]
    grid: Option<Grid>,
    /// Tables, by name: of the data folder, or generated ones (NAME, or NAME@ROWS).
    #[arg(long, value_delimiter = ',')]
    tables: Vec<String>,
    /// Epsilons [default: 0.8].
    #[arg(long, value_delimiter = ',')]
    epsilons: Vec<f64>,
    /// Delta.
    #[arg(long, default_value_t = DELTA)]
    delta: f64,
    /// Methods, by name [default: all that make a model].
    #[arg(long, value_delimiter = ',')]
    methods: Vec<String>,
    /// Instead of all methods: in each cell `auto` and this many of the best others of the file, by
    /// TVD3 and by TVD5.
    #[arg(long, value_name = "N", requires = "out", conflicts_with = "methods")]
    best: Option<usize>,
    /// A parameter of a method.
    #[arg(long = "set", value_name = "METHOD:NAME=VALUE")]
    settings: Vec<String>,
    /// Runs of each method in each cell.
    #[arg(long, default_value_t = 1)]
    runs: u64,
    /// The number of the first run: fresh ones beside those that are there. With --summary: runs
    /// before it are left out.
    #[arg(long, default_value_t = 0)]
    first_run: u64,
    /// Runs the shipped program from the file to the closed release, and measures that process.
    #[arg(long)]
    whole: bool,
    /// The shipped program, for --whole [default: beside this one].
    #[arg(long)]
    program: Option<PathBuf>,
    /// A run that takes longer than this many seconds is stopped.
    #[arg(long, value_name = "SECONDS")]
    limit: Option<f64>,
    /// Lines are appended to this file, and runs that it has are skipped.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Runs that failed are tried again.
    #[arg(long)]
    again: bool,
    /// Runs nothing: sums up the lines of a file.
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,
    /// What the summary shows: tvd1 to tvd5, seconds, cpu_seconds, peak_bytes.
    #[arg(long, value_delimiter = ',', default_value = "tvd3,tvd5")]
    measures: Vec<String>,
    /// Instead of the summary's tables: a picture of `auto` beside other tools, on adult and nltcs
    /// at epsilon 0.8.
    #[arg(long, value_name = "FILE.svg", requires = "summary", requires = "whole")]
    figure: Option<PathBuf>,
    /// The summary's tables for a document.
    #[arg(long)]
    markdown: bool,
}

impl MethodsArgs {
    pub fn run(&self) -> Result<()> {
        if let Some(path) = &self.summary {
            return self.sum_up(path);
        }
        let mut log = self.out.as_deref().map_or_else(|| Ok(RunLog::default()), RunLog::append_to)?;
        let mut tables = TableFolders::new(self.data.as_deref());
        let program = self.whole.then(|| shipped_program(self.program.as_deref())).transpose()?;
        for line in self.plan(&log)? {
            let known = if self.again { log.has_result(&line) } else { log.has(&line) };
            if known {
                continue;
            }
            let folder = tables.folder(&line.table)?;
            let order = RunOrder { folder, line, program: program.clone(), limit: self.limit };
            let line = one_run::in_a_child(&order)?;
            let said = serde_json::to_string(&line)?;
            log.push(line)?;
            say(&said)?;
        }
        Ok(())
    }

    /// All runs that are asked for, the tables' order first, so that a table is generated once and
    /// light ones come first.
    fn plan(&self, log: &RunLog) -> Result<Vec<RunRecord>> {
        let cells = self.cells()?;
        ensure!(!cells.is_empty(), "which tables? give --tables NAME,NAME or --grid wide");
        let mut lines = Vec::new();
        for cell in cells {
            for (method, settings) in self.methods(&cell, log)? {
                for run in self.first_run..self.first_run + self.runs {
                    let asked = RunRecord::asked(&method, &cell.table, cell.epsilon, self.delta, run);
                    let settings = settings.iter().cloned().collect();
                    lines.push(RunRecord { whole: self.whole, settings, ..asked });
                }
            }
        }
        Ok(lines)
    }

    fn cells(&self) -> Result<Vec<GridCell>> {
        let Some(grid) = self.grid else {
            let epsilons = if self.epsilons.is_empty() { &[0.8] } else { self.epsilons.as_slice() };
            return Ok(product(&self.tables, epsilons));
        };
        let mut cells = grid.cells()?;
        cells.retain(|cell| {
            (self.tables.is_empty() || self.tables.contains(&cell.table))
                && (self.epsilons.is_empty() || self.epsilons.contains(&cell.epsilon))
        });
        ensure!(!cells.is_empty(), "the grid has none of these tables and epsilons");
        Ok(cells)
    }

    /// Methods of a cell, with their settings.
    fn methods(&self, cell: &GridCell, log: &RunLog) -> Result<Vec<Chosen>> {
        let names: Vec<String> = if let Some(count) = self.best {
            // Chosen by the runs before the fresh ones, so that luck in the choice does not enter
            // what is compared.
            let screen = Summary::new(log.lines(), Vec::new(), |line| {
                line.whole == self.whole && line.run < self.first_run.max(1) && line.settings.is_empty()
            });
            let mut names = vec![JUDGED.to_owned()];
            for metric in ["tvd3", "tvd5"] {
                let ranking = screen.ranking(cell, Metric::find(metric)?);
                names.extend(ranking.into_iter().take(count).map(|(variant, _)| variant));
            }
            let mut seen = std::collections::BTreeSet::new();
            names.retain(|name| seen.insert(name.clone()) && list::methods().iter().any(|info| info.name == *name));
            names
        } else if self.methods.is_empty() {
            list::methods().iter().map(|info| info.name.to_owned()).filter(|name| name != NOT_COMPARED).collect()
        } else {
            self.methods.clone()
        };
        names.into_iter().map(|name| with_settings(name, &self.settings)).collect()
    }

    fn sum_up(&self, path: &Path) -> Result<()> {
        let log = RunLog::read(path)?;
        let other = if self.whole { "without" } else { "with" };
        ensure!(
            log.lines().iter().any(|line| line.whole == self.whole),
            "{} has no such runs; try {other} --whole",
            path.display()
        );
        let cells = if self.grid.is_some() || !self.tables.is_empty() { self.cells()? } else { Vec::new() };
        let summary = Summary::new(log.lines(), cells, |line| {
            line.whole == self.whole
                && line.run >= self.first_run
                && line.delta == self.delta
                && (self.methods.is_empty() || self.methods.contains(&line.method))
        });
        if let Some(figure) = &self.figure {
            let picture = beside_peers(&summary)?;
            return std::fs::write(figure, picture).with_context(|| format!("cannot write {}", figure.display()));
        }
        let metrics = self.measures.iter().map(|name| Metric::find(name)).collect::<Result<Vec<_>>>()?;
        metrics.iter().try_for_each(|metric| self.show(metric.words, &summary.table(metric)))?;
        if self.grid == Some(Grid::Peers) {
            self.show("Held against other tools", &summary.promises(&metrics)?)?;
        }
        self.show("Failed", &summary.failures())?;
        if log.strange > 0 {
            eprintln!("lookalike-bench: {} lines of {} are not runs and were left out", log.strange, path.display());
        }
        Ok(())
    }

    fn show(&self, heading: &str, table: &TextTable) -> Result<()> {
        match self.markdown {
            _ if table.rows.is_empty() => Ok(()),
            true => say(&format!("## {heading}\n{}", table.markdown())),
            false => say(&format!("{heading}\n{}", table.plain())),
        }
    }
}

/// A method with those of the settings `METHOD:NAME=VALUE` that are its own.
pub fn with_settings(method: String, words: &[String]) -> Result<Chosen> {
    let mut settings = Vec::new();
    for word in words {
        let parts = word.split_once(':').and_then(|(of, rest)| Some((of, rest.split_once('=')?)));
        let (of, (name, value)) = parts.with_context(|| format!("--set takes METHOD:NAME=VALUE, not {word}"))?;
        if of == method {
            settings.push((name.to_owned(), value.to_owned()));
        }
    }
    list::build(&method, &settings)?;
    Ok((method, settings))
}
