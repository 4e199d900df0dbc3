//! One run, one line. A file of lines is only ever appended to, so that a study can be stopped and
//! gone on with.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What a benchmark keeps of a run that ended well. One field at least is always there, so that a
/// line without figures is known by it.
pub trait Figures: Clone + Serialize + DeserializeOwned {
    /// The word that tells the benchmark's lines from others.
    const BENCH: &'static str;
}

impl Figures for RunFigures {
    const BENCH: &'static str = "methods";
}

/// One run: what was asked, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRecord<F = RunFigures> {
    /// The benchmark's word.
    pub bench: String,
    /// Whether the shipped program was run, from file to closed release; otherwise the library,
    /// without files.
    pub whole: bool,
    /// The method.
    pub method: String,
    /// Its parameters that differ from the defaults.
    pub settings: BTreeMap<String, String>,
    /// The table.
    pub table: String,
    /// The total epsilon: the cap.
    pub epsilon: f64,
    /// The total delta.
    pub delta: f64,
    /// The number of the run, and the seed of its rows. Noise is fresh in every run.
    pub run: u64,
    /// Why it did not come to an end; all below is then absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// What it reached and took.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub result: Option<F>,
}

/// What a run reached, and what it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunFigures {
    /// Mean total variation distance of the columns alone; 0 in lines that were written before it
    /// was measured.
    #[serde(default)]
    pub tvd1: f64,
    /// Mean total variation distance of the 2-way marginals.
    pub tvd2: f64,
    /// Of the 3-way ones.
    pub tvd3: f64,
    /// Of the 4-way ones.
    pub tvd4: f64,
    /// Of the 5-way ones.
    pub tvd5: f64,
    /// Synthetic rows.
    pub rows: u64,
    /// The epsilon recomputed from the scales used, at most the cap.
    pub used_epsilon: f64,
    /// Wall seconds from the file to the synthetic rows (`whole`: to the closed release), without
    /// judging them.
    pub seconds: f64,
    /// CPU seconds of the same, all threads.
    pub cpu_seconds: f64,
    /// Peak resident memory of the same.
    pub peak_bytes: u64,
    /// The model file's size (`whole` only, else 0).
    #[serde(default)]
    pub model_bytes: u64,
}

impl<F: Figures> RunRecord<F> {
    /// A run that is asked for, with the method's default parameters.
    pub fn asked(method: &str, table: &str, epsilon: f64, delta: f64, run: u64) -> Self {
        let (bench, method, table) = (F::BENCH.to_owned(), method.to_owned(), table.to_owned());
        let (settings, failed, result) = (BTreeMap::new(), None, None);
        Self { bench, whole: false, method, settings, table, epsilon, delta, run, failed, result }
    }

    /// Whether both are the same run of the same thing.
    pub fn same_run(&self, other: &Self) -> bool {
        self.same_variant(other) && self.table == other.table && self.run == other.run
    }

    /// Whether both are the same method with the same settings at the same budget.
    pub fn same_variant(&self, other: &Self) -> bool {
        self.whole == other.whole
            && self.method == other.method
            && self.settings == other.settings
            && self.epsilon == other.epsilon
            && self.delta == other.delta
    }

    /// The method with its settings, in one word or a few.
    pub fn variant(&self) -> String {
        let settings: Vec<String> = self.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if settings.is_empty() { self.method.clone() } else { format!("{} {}", self.method, settings.join(" ")) }
    }

    /// The run in a few words, for whoever waits.
    pub fn told(&self, seconds: fn(&F) -> f64) -> String {
        let what = format!("{} {} epsilon {} run {}", self.table, self.variant(), self.epsilon, self.run);
        match (&self.result, &self.failed) {
            (Some(figures), _) => format!("{what}: {:.1} seconds", seconds(figures)),
            (None, why) => format!("{what}: {}", why.as_deref().unwrap_or("no result")),
        }
    }
}

/// The lines of a file, and the file itself when there is one.
pub struct RunLog<F = RunFigures> {
    lines: Vec<RunRecord<F>>,
    /// Lines that are none of ours: torn by a kill, or written by another benchmark.
    pub strange: usize,
    file: Option<File>,
}

impl<F> Default for RunLog<F> {
    fn default() -> Self {
        Self { lines: Vec::new(), strange: 0, file: None }
    }
}

impl<F: Figures> RunLog<F> {
    /// Reads the lines of a file that is there.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Self::parse(&text))
    }

    /// Opens a file to go on with, or begins it. A torn last line is closed and left alone.
    pub fn append_to(path: &Path) -> Result<Self> {
        let place = || format!("cannot write {}", path.display());
        let text = if path.exists() { std::fs::read_to_string(path).with_context(place)? } else { String::new() };
        let mut file = OpenOptions::new().create(true).append(true).open(path).with_context(place)?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").with_context(place)?;
        }
        Ok(Self { file: Some(file), ..Self::parse(&text) })
    }

    fn parse(text: &str) -> Self {
        let mut log = Self::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            match serde_json::from_str::<RunRecord<F>>(line) {
                Ok(line) if line.bench == F::BENCH => log.lines.push(line),
                _ => log.strange += 1,
            }
        }
        log
    }

    /// All lines.
    pub fn lines(&self) -> &[RunRecord<F>] {
        &self.lines
    }

    /// Whether this run is there, ended well or not.
    pub fn has(&self, line: &RunRecord<F>) -> bool {
        self.lines.iter().any(|known| known.same_run(line))
    }

    /// Whether this run is there and ended well.
    pub fn has_result(&self, line: &RunRecord<F>) -> bool {
        self.lines.iter().any(|known| known.same_run(line) && known.result.is_some())
    }

    /// Adds a line, in one write.
    pub fn push(&mut self, line: RunRecord<F>) -> Result<()> {
        if let Some(file) = &mut self.file {
            file.write_all(format!("{}\n", serde_json::to_string(&line)?).as_bytes())
                .context("cannot write the line")?;
            file.flush().context("cannot write the line")?;
        }
        self.lines.push(line);
        Ok(())
    }
}
