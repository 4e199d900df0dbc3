//! Methods compared: method x table x epsilon x run, one line a run, each in a process of its own.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use lookalike_bench::grid::cells::{DELTA, JUDGED, is_generated, product};
use lookalike_bench::grid::line::BENCH;
use lookalike_bench::grid::summary::{Measure, Sheet};
use lookalike_bench::grid::{Cell, Grid, Line, Log, Summary};
use lookalike_bench::simulate::files;
use lookalike_methods::list;
use tempfile::TempDir;

use crate::meter::say;
use crate::one_run::{self, Order};

/// Protects another relation between neighbours, and only tables of a few columns.
const NOT_COMPARED: &str = "histogram";

/// A method and its settings.
type Chosen = (String, Vec<(String, String)>);

#[derive(Clone, Copy, clap::ValueEnum)]
enum GridName {
    /// Four benchmark tables and six generated ones at epsilon 0.1, 0.5, 2 and 8.
    Wide,
    /// Wherever another tool's figure is known.
    Peers,
}

#[derive(clap::Args)]
pub struct Methods {
    /// The folder with NAME.csv, NAME-domain.json and NAME-marginals.json; other tables are
    /// generated.
    #[arg(long, env = "LOOKALIKE_DATA")]
    data: Option<PathBuf>,
    /// The cells of a grid; --tables and --epsilons then choose among them.
    #[arg(long, value_enum)]
    grid: Option<GridName>,
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
    /// The summary's tables for a document.
    #[arg(long)]
    markdown: bool,
}

impl Methods {
    pub fn run(&self) -> Result<()> {
        if let Some(path) = &self.summary {
            return self.sum_up(path);
        }
        let mut log = self.out.as_deref().map_or_else(|| Ok(Log::default()), Log::append_to)?;
        let mut tables = Tables::new(self.data.as_deref());
        for line in self.plan(&log)? {
            let known = if self.again { log.has_result(&line) } else { log.has(&line) };
            if known {
                continue;
            }
            let folder = tables.folder(&line.table)?;
            let order = Order { folder, line, program: self.program()?, limit: self.limit };
            let line = one_run::in_a_child(&order)?;
            let said = serde_json::to_string(&line)?;
            log.push(line)?;
            say(&said)?;
        }
        Ok(())
    }

    /// All runs that are asked for, the tables' order first, so that a table is generated once and
    /// light ones come first.
    fn plan(&self, log: &Log) -> Result<Vec<Line>> {
        let cells = self.cells()?;
        ensure!(!cells.is_empty(), "which tables? give --tables NAME,NAME or --grid wide");
        let mut lines = Vec::new();
        for cell in cells {
            for (method, settings) in self.methods(&cell, log)? {
                for run in self.first_run..self.first_run + self.runs {
                    lines.push(Line {
                        bench: BENCH.into(),
                        whole: self.whole,
                        method: method.clone(),
                        settings: settings.iter().cloned().collect(),
                        table: cell.table.clone(),
                        epsilon: cell.epsilon,
                        delta: self.delta,
                        run,
                        ..Line::default()
                    });
                }
            }
        }
        Ok(lines)
    }

    fn cells(&self) -> Result<Vec<Cell>> {
        let Some(grid) = self.grid else {
            let epsilons = if self.epsilons.is_empty() { &[0.8] } else { self.epsilons.as_slice() };
            return Ok(product(&self.tables, epsilons));
        };
        let mut cells = match grid {
            GridName::Wide => Grid::Wide.cells(),
            GridName::Peers => Grid::Peers.cells(),
        };
        cells.retain(|cell| {
            (self.tables.is_empty() || self.tables.contains(&cell.table))
                && (self.epsilons.is_empty() || self.epsilons.contains(&cell.epsilon))
        });
        ensure!(!cells.is_empty(), "the grid has none of these tables and epsilons");
        Ok(cells)
    }

    /// Methods of a cell, with their settings.
    fn methods(&self, cell: &Cell, log: &Log) -> Result<Vec<Chosen>> {
        let names: Vec<String> = if let Some(count) = self.best {
            // Chosen by the runs before the fresh ones, so that luck in the choice does not enter
            // what is compared.
            let screen = Summary::new(log.lines(), Vec::new(), |line| {
                line.whole == self.whole && line.run < self.first_run.max(1) && line.settings.is_empty()
            });
            let mut names = vec![JUDGED.to_owned()];
            for measure in [Measure::Tvd(1), Measure::Tvd(3)] {
                names.extend(screen.ranking(cell, measure).into_iter().take(count).map(|(variant, _)| variant));
            }
            let mut seen = std::collections::BTreeSet::new();
            names.retain(|name| seen.insert(name.clone()) && list::methods().iter().any(|info| info.name == *name));
            names
        } else if self.methods.is_empty() {
            list::methods().iter().map(|info| info.name.to_owned()).filter(|name| name != NOT_COMPARED).collect()
        } else {
            self.methods.clone()
        };
        names.into_iter().map(|name| self.with_settings(name)).collect()
    }

    fn with_settings(&self, method: String) -> Result<Chosen> {
        let mut settings = Vec::new();
        for word in &self.settings {
            let parts = word.split_once(':').and_then(|(of, rest)| Some((of, rest.split_once('=')?)));
            let (of, (name, value)) = parts.with_context(|| format!("--set takes METHOD:NAME=VALUE, not {word}"))?;
            if of == method {
                settings.push((name.to_owned(), value.to_owned()));
            }
        }
        list::build(&method, &settings)?;
        Ok((method, settings))
    }

    fn program(&self) -> Result<Option<PathBuf>> {
        if !self.whole {
            return Ok(None);
        }
        let beside = || Ok(std::env::current_exe()?.with_file_name("lookalike"));
        let program = self.program.clone().map_or_else(beside, anyhow::Ok)?;
        if !program.is_file() {
            bail!("{} is not there; build it (cargo build --release) or give --program FILE", program.display());
        }
        Ok(Some(program))
    }

    fn sum_up(&self, path: &Path) -> Result<()> {
        let log = Log::read(path)?;
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
        let parse = |name: &String| Measure::parse(name).with_context(|| format!("no line has a {name}"));
        let measures: Vec<Measure> = self.measures.iter().map(parse).collect::<Result<_>>()?;
        for &measure in &measures {
            self.show(measure.words(), &summary.table(measure))?;
        }
        if matches!(self.grid, Some(GridName::Peers)) {
            self.show("Held against other tools", &summary.promises(&measures))?;
        }
        self.show("Failed", &summary.failures())?;
        if log.strange > 0 {
            eprintln!("lookalike-bench: {} lines of {} are not runs and were left out", log.strange, path.display());
        }
        Ok(())
    }

    fn show(&self, heading: &str, sheet: &Sheet) -> Result<()> {
        match self.markdown {
            _ if sheet.rows.is_empty() => Ok(()),
            true => say(&format!("## {heading}\n{}", sheet.markdown())),
            false => say(&format!("{heading}\n{}", sheet.plain())),
        }
    }
}

/// Where tables are: in the data folder, or in a temporary one into which they are generated when
/// first needed.
pub struct Tables<'a> {
    data: Option<&'a Path>,
    made: Option<TempDir>,
}

impl<'a> Tables<'a> {
    pub fn new(data: Option<&'a Path>) -> Self {
        Self { data, made: None }
    }

    pub fn folder(&mut self, table: &str) -> Result<PathBuf> {
        if !is_generated(table, self.data) {
            let data = self.data.context("which folder has the tables? set LOOKALIKE_DATA or give --data DIR")?;
            return Ok(data.to_owned());
        }
        let made = match &mut self.made {
            Some(made) => made,
            none => none.insert(TempDir::new()?),
        };
        if !made.path().join(format!("{table}.csv")).exists() {
            files::write(table, made.path())?;
        }
        Ok(made.path().to_owned())
    }
}

#[derive(clap::Args)]
pub struct Tabulate {
    /// Generated tables, by name: NAME, or NAME@ROWS.
    #[arg(required = true)]
    tables: Vec<String>,
    /// The folder for NAME.csv, NAME-domain.json and NAME-marginals.json.
    #[arg(long, default_value = ".")]
    out: PathBuf,
}

impl Tabulate {
    pub fn run(&self) -> Result<()> {
        std::fs::create_dir_all(&self.out).with_context(|| format!("cannot make {}", self.out.display()))?;
        self.tables.iter().try_for_each(|table| files::write(table, &self.out))
    }
}
