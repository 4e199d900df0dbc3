//! What `lookalike plan` says against what `lookalike synth` then reaches.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use lookalike::{PlanSpec, Prospect, calibration_work, read_schema};

use super::one_run::{self, RunOrder, shipped_program};
use crate::grid::TableFolders;
use crate::grid::cells::{BENCHMARKS, DELTA, GENERATED, product};
use crate::grid::record::RunFigures;
use crate::grid::{GridCell, RunLog, RunRecord};
use crate::marginal::mean;
use crate::measure::say;
use crate::text_table::TextTable;

/// A one-way error may be off by a quarter, seconds and memory by a factor of two.
const ONE_WAY: f64 = 1.25;
const TAKES: f64 = 2.0;
/// How often the fixed piece of work is timed; the least counts.
const TRIES: u32 = 40;

#[derive(clap::Args)]
pub struct PlanArgs {
    /// The folder with NAME.csv, NAME-domain.json and NAME-marginals.json; other tables are
    /// generated.
    #[arg(long, env = "LOOKALIKE_DATA")]
    data: Option<PathBuf>,
    /// Tables, by name [default: the four benchmark tables and the six generated ones of the grid].
    /// The constants come from varied-1 and so on.
    #[arg(long, value_delimiter = ',')]
    tables: Vec<String>,
    /// Epsilons.
    #[arg(long, value_delimiter = ',', default_value = "0.2,0.8,3.2")]
    epsilons: Vec<f64>,
    /// Delta.
    #[arg(long, default_value_t = DELTA)]
    delta: f64,
    /// The method.
    #[arg(long, default_value = "auto")]
    method: String,
    /// Runs of each cell, of which the mean is shown.
    #[arg(long, default_value_t = 1)]
    runs: u64,
    /// Seconds of the fixed piece of work that the machine is timed on, in the shipped program: for
    /// when this one was built without optimization.
    #[arg(long, value_name = "S")]
    work_seconds: Option<f64>,
    /// The shipped program [default: beside this one].
    #[arg(long)]
    program: Option<PathBuf>,
    /// Lines of runs are appended to this file, and runs that it has are not made again.
    #[arg(long)]
    out: Option<PathBuf>,
    /// The table for a document.
    #[arg(long)]
    markdown: bool,
}

impl PlanArgs {
    pub fn run(&self) -> Result<()> {
        let mut log = self.out.as_deref().map_or_else(|| Ok(RunLog::default()), RunLog::append_to)?;
        let mut tables = TableFolders::new(self.data.as_deref());
        let work = self.work_seconds.unwrap_or_else(work_seconds);
        let all: Vec<&str> = BENCHMARKS.iter().chain(&GENERATED).copied().collect();
        let cells =
            if self.tables.is_empty() { product(&all, &self.epsilons) } else { product(&self.tables, &self.epsilons) };
        let mut held = Held::default();
        for cell in cells {
            let folder = tables.folder(&cell.table)?;
            let prospect = self.prospect(&cell, &folder, work)?;
            let figures: Vec<RunFigures> =
                (0..self.runs).map(|run| self.measured(&cell, &folder, run, &mut log)).collect::<Result<_>>()?;
            held.add(&cell, &prospect, &figures);
        }
        say(&if self.markdown { held.table.markdown() } else { held.table.plain() })?;
        say(&held.words())
    }

    /// What the plan says.
    fn prospect(&self, cell: &GridCell, folder: &Path, work: f64) -> Result<Prospect> {
        let file = |suffix: &str| folder.join(format!("{}{suffix}", cell.table));
        let csv = file(".csv");
        let opened = std::fs::File::open(&csv).with_context(|| format!("cannot read {}", csv.display()))?;
        let reader = BufReader::with_capacity(1 << 20, opened);
        let rows = (reader.split(b'\n').count() as u64).saturating_sub(1);
        let spec = PlanSpec {
            rows: Some(rows),
            epsilon: vec![cell.epsilon],
            delta: Some(self.delta),
            methods: vec![self.method.clone()],
            work_seconds: Some(work),
            ..PlanSpec::default()
        };
        spec.plan(&read_schema(&file("-domain.json"))?)?.prospects.pop().context("a plan without a line")
    }

    /// What the program reaches, from the file's lines or by running it.
    fn measured(&self, cell: &GridCell, folder: &Path, run: u64, log: &mut RunLog) -> Result<RunFigures> {
        let asked = RunRecord::asked(&self.method, &cell.table, cell.epsilon, self.delta, run);
        let line = RunRecord { whole: true, ..asked };
        if let Some(known) = log.lines().iter().find(|known| known.same_run(&line)).and_then(|known| known.result) {
            return Ok(known);
        }
        let program = Some(shipped_program(self.program.as_deref())?);
        let order = RunOrder { folder: folder.to_owned(), line, program, limit: None };
        let line = one_run::in_a_child(&order)?;
        log.push(line.clone())?;
        match (line.result, line.failed) {
            (Some(figures), _) => Ok(figures),
            (None, why) => bail!("{} at {}: {}", cell.table, cell.epsilon, why.unwrap_or_default()),
        }
    }
}

/// Lines of the table, and how many of its figures hold.
struct Held {
    table: TextTable,
    /// For each figure how many hold, and of how many.
    counts: [(u32, u32); 5],
    /// Logarithms of measured over expected, of tables of two and three columns.
    off: [Vec<f64>; 2],
}

impl Default for Held {
    fn default() -> Self {
        let table =
            TextTable::new("table, epsilon, 1-way, measured, 2-way, measured, 3-way, measured, s, CPU s, MB, measured");
        Self { table, counts: [(0, 0); 5], off: [Vec::new(), Vec::new()] }
    }
}

impl Held {
    fn add(&mut self, cell: &GridCell, prospect: &Prospect, figures: &[RunFigures]) {
        let measured = |of: fn(&RunFigures) -> f64| mean(&figures.iter().map(of).collect::<Vec<_>>());
        let mut row = vec![cell.table.clone(), cell.epsilon.to_string()];
        let ways: [fn(&RunFigures) -> f64; 3] = [|it| it.tvd1, |it| it.tvd2, |it| it.tvd3];
        for (place, (expected, of)) in prospect.distances.iter().zip(ways).enumerate() {
            let measured = measured(of);
            let Some(expected) = expected else {
                row.extend(["-".to_owned(), figure(measured)]);
                continue;
            };
            let ratio = measured / expected.mean;
            let (shown, holds) = if place == 0 {
                (figure(expected.mean), within(ratio, ONE_WAY))
            } else {
                self.off[place - 1].push(ratio.ln());
                let shown = format!("{} to {}", figure(expected.low), figure(expected.high));
                (shown, (expected.low..=expected.high).contains(&measured))
            };
            row.extend([shown, self.marked(place, holds, figure(measured))]);
        }
        let megabytes = |bytes: u64| bytes as f64 / 1e6;
        for (place, expected, measured) in [
            (3, prospect.seconds, measured(|it| it.cpu_seconds)),
            (4, prospect.memory_bytes.map(megabytes), megabytes(measured(|it| it.peak_bytes as f64) as u64)),
        ] {
            let holds = expected.is_some_and(|expected| within(measured / expected, TAKES));
            row.push(expected.map_or_else(|| "-".into(), |expected| format!("{expected:.1}")));
            row.push(self.marked(place, holds, format!("{measured:.1}")));
        }
        self.table.rows.push(row);
    }

    /// A figure that does not hold is in bold.
    fn marked(&mut self, place: usize, holds: bool, text: String) -> String {
        self.counts[place].0 += u32::from(holds);
        self.counts[place].1 += 1;
        if holds { text } else { format!("**{text}**") }
    }

    fn words(&self) -> String {
        let count = |(held, all): (u32, u32)| format!("{held} of {all}");
        let [one, two, three, seconds, memory] = self.counts.map(count);
        let off = |logs: &[f64]| {
            let centre = mean(logs);
            let spread = mean(&logs.iter().map(|log| (log - centre).powi(2)).collect::<Vec<_>>()).sqrt();
            format!("{:.2} times what is expected, give or take a factor of {:.2}", centre.exp(), spread.exp())
        };
        format!(
            "1-way within a quarter: {one}. In the range: 2-way {two}, 3-way {three}. Within a factor of two: seconds {seconds}, memory {memory}.\n\
             Measured: 2-way {}; 3-way {}.",
            off(&self.off[0]),
            off(&self.off[1])
        )
    }
}

fn within(ratio: f64, factor: f64) -> bool {
    (1.0 / factor..=factor).contains(&ratio)
}

/// Three digits or more.
fn figure(value: f64) -> String {
    let digits = if value >= 0.1 { 3 } else { 4 + usize::from(value < 0.01) };
    format!("{value:.digits$}")
}

fn work_seconds() -> f64 {
    let once = |_| {
        let begin = Instant::now();
        std::hint::black_box(calibration_work());
        begin.elapsed().as_secs_f64()
    };
    (0..TRIES).map(once).fold(f64::INFINITY, f64::min)
}
