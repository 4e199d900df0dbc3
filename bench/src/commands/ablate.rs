//! The parts of `auto`, each left out alone: table x run x part, one line a run, and verdicts.

use std::path::PathBuf;

use anyhow::{Context, Result};
use lookalike_methods::auto::AutoParams;
use lookalike_methods::{Parameters, list};

use crate::ablation::figures::{AblationFigures, AblationLine, CHANGE_IN_WORDS, Settings};
use crate::ablation::parts::{Part, parts};
use crate::ablation::tables::{AblationFolders, AblationTable};
use crate::ablation::verdict::Ablation;
use crate::grid::{RunLog, RunRecord, Summary};
use crate::measure::say;
use crate::raw::makers::RunLimits;
use crate::text_table::TextTable;

/// The tables of `--quick`.
const QUICK_TABLES: [&str; 3] = ["heaps@300", "seasons@300", "rows-2000@300"];

#[derive(clap::Args)]
pub struct AblateArgs {
    /// The folder with NAME.csv, NAME-domain.json and NAME-marginals.json, and raw tables in its
    /// folder `raw`.
    #[arg(long, env = "LOOKALIKE_DATA")]
    data: Option<PathBuf>,
    /// Tables, by name: coded, raw or generated ones (NAME, or NAME@ROWS) [default: the benchmark
    /// tables, all raw ones, eight generated ones].
    #[arg(long, value_delimiter = ',')]
    tables: Vec<String>,
    /// Parts, by the names of their switches [default: all].
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    only: Vec<String>,
    /// A parameter of `auto` in all runs.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
    /// Epsilon.
    #[arg(long, default_value_t = 1.0)]
    epsilon: f64,
    /// Delta.
    #[arg(long, default_value_t = 1e-6)]
    delta: f64,
    /// Runs on each table of the default, and with each part left out.
    #[arg(long, default_value_t = 5)]
    runs: u64,
    /// Threads of the library [default: all cores].
    #[arg(long)]
    threads: Option<usize>,
    /// A run that takes longer than this many seconds is stopped.
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0)]
    limit: f64,
    /// Lines are appended to this file, and runs that it has are skipped; the summary is of all
    /// its lines of these tables and parts. Without it lines are printed.
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Runs that failed are tried again.
    #[arg(long)]
    again: bool,
    /// A look in less than a minute: one run on three generated tables with few rows.
    #[arg(long, conflicts_with_all = ["tables", "runs"])]
    quick: bool,
    /// The summary is also written to this file, as Markdown.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

impl AblateArgs {
    pub fn run(&self) -> Result<()> {
        let base = self.base()?;
        let parts = parts(&AutoParams::METHOD, &self.only, &base)?;
        let mut folders = AblationFolders::new(self.data.as_deref())?;
        let tables = self.tables(&folders)?;
        let mut log = self.results.as_deref().map_or_else(|| Ok(RunLog::default()), RunLog::append_to)?;
        let limits = RunLimits { seconds: self.limit, threads: self.threads };
        for table in &tables {
            // Read when the first run needs it.
            let mut open = None;
            for line in self.lines(table, &base, &parts) {
                if if self.again { log.has_result(&line) } else { log.has(&line) } {
                    continue;
                }
                let open = match &mut open {
                    Some(open) => open,
                    none => none.insert(folders.open(table)?),
                };
                let line = open.finished(line, &limits);
                match &self.results {
                    None => say(&serde_json::to_string(&line)?)?,
                    Some(_) => eprintln!("{}", line.told(|figures| figures.seconds)),
                }
                log.push(line)?;
            }
        }
        self.sum_up(&log, &base, &tables, &parts)
    }

    fn base(&self) -> Result<Settings> {
        let pair = |word: &String| {
            let (name, value) = word.split_once('=').with_context(|| format!("--set takes NAME=VALUE, not {word}"))?;
            Ok((name.to_owned(), value.to_owned()))
        };
        let pairs = self.settings.iter().map(pair).collect::<Result<Vec<_>>>()?;
        list::build(AutoParams::METHOD.name, &pairs)?;
        Ok(pairs.into_iter().collect())
    }

    fn tables(&self, folders: &AblationFolders<'_>) -> Result<Vec<AblationTable>> {
        let names = match (self.quick, self.tables.is_empty()) {
            (true, _) => QUICK_TABLES.map(str::to_owned).to_vec(),
            (false, true) => folders.names()?,
            (false, false) => self.tables.clone(),
        };
        names.iter().map(|name| folders.find(name)).collect()
    }

    /// The runs on a table. All variants of one run stand together, so that a study that is stopped
    /// has pairs.
    fn lines(&self, table: &AblationTable, base: &Settings, parts: &[Part]) -> Vec<AblationLine> {
        let variants = variants(base, parts);
        let runs = 0..if self.quick { 1 } else { self.runs };
        let asked = |run| RunRecord::asked(AutoParams::METHOD.name, &table.name, self.epsilon, self.delta, run);
        let of_run = |run| variants.iter().map(move |settings| RunRecord { settings: settings.clone(), ..asked(run) });
        runs.flat_map(of_run).collect()
    }

    fn sum_up(
        &self,
        log: &RunLog<AblationFigures>,
        base: &Settings,
        tables: &[AblationTable],
        parts: &[Part],
    ) -> Result<()> {
        let asked = variants(base, parts);
        let is_asked = |line: &AblationLine| {
            line.epsilon == self.epsilon
                && line.delta == self.delta
                && tables.iter().any(|table| table.name == line.table)
                && asked.contains(&line.settings)
        };
        let lines = log.lines().iter().filter(|line| is_asked(line)).collect();
        let ablation = Ablation { lines, base, tables, parts };
        let failed = Summary::new(log.lines(), Vec::new(), is_asked).failures();
        let sections = [("By class", ablation.by_class()), ("By table", ablation.by_table()), ("Failed", failed)];
        let text = |of: fn(&TextTable) -> String, mark: &str| {
            let shown = sections.iter().filter(|(_, table)| !table.rows.is_empty());
            let shown: Vec<String> = shown.map(|(heading, table)| format!("{mark}{heading}\n{}", of(table))).collect();
            format!("{CHANGE_IN_WORDS}\n\n{}", shown.join("\n"))
        };
        if let Some(path) = &self.markdown {
            let markdown = text(TextTable::markdown, "## ");
            std::fs::write(path, markdown).with_context(|| format!("cannot write {}", path.display()))?;
        }
        // Standard output has the lines when they have no file.
        let plain = text(TextTable::plain, "");
        match &self.results {
            Some(_) => say(plain.trim_end()),
            None => {
                eprintln!("{plain}");
                Ok(())
            }
        }
    }
}

/// The default's settings, and those of each part left out.
fn variants(base: &Settings, parts: &[Part]) -> Vec<Settings> {
    std::iter::once(base.clone()).chain(parts.iter().map(|part| part.left_out(base))).collect()
}
