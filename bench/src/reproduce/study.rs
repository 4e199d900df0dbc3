//! What a study may use, and what it leaves.

use std::path::PathBuf;

use serde::Serialize;

use crate::plot::{Panel, plot};
use crate::text_table::TextTable;

/// How much is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudySize {
    /// Under a minute: fewer repetitions, and the benchmark figures on one table.
    Quick,
    /// The papers' repetitions. May take hours.
    Full,
}

/// What a study may use.
pub struct StudySettings<'a> {
    /// How much to run.
    pub size: StudySize,
    /// The folder of the benchmark tables.
    pub data: Option<PathBuf>,
    /// Whether generated stand-ins may take the tables' place.
    pub simulated: bool,
    /// Told what is going on, now and then.
    pub tell: &'a (dyn Fn(&str) + Sync),
}

impl StudySettings<'_> {
    /// One of two numbers.
    pub fn pick<T>(&self, quick: T, full: T) -> T {
        match self.size {
            StudySize::Quick => quick,
            StudySize::Full => full,
        }
    }
}

/// Whether something that a paper reports was seen again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// What the paper says, in short.
    pub claim: String,
    /// Whether our figures say so too.
    pub seen: bool,
    /// What we found, with figures.
    pub words: String,
}

/// What a study found, as it is found.
pub struct Study {
    title: &'static str,
    across: usize,
    /// All numbers.
    pub table: TextTable,
    /// The picture's panels; none where the study draws it itself.
    pub panels: Vec<Panel>,
    /// The picture that the study drew.
    pub drawing: Option<String>,
    /// One entry a claim of the paper.
    pub findings: Vec<Finding>,
    /// What a reader must know: stand-ins, fewer repetitions, other settings than the paper's.
    pub notes: Vec<String>,
}

impl Study {
    /// Nothing yet, of a table with these headings, and a picture with at most `across` panels in a
    /// row.
    pub fn new(title: &'static str, across: usize, headings: &str) -> Self {
        let table = TextTable::new(headings);
        Self { title, across, table, panels: Vec::new(), drawing: None, findings: Vec::new(), notes: Vec::new() }
    }

    /// Adds a claim, whether it was seen, and what was found.
    pub fn finding(&mut self, claim: &str, seen: bool, words: String) {
        self.findings.push(Finding { claim: claim.into(), seen, words });
    }

    /// Adds what a reader must know.
    pub fn note(&mut self, words: impl Into<String>) {
        self.notes.push(words.into());
    }

    /// The picture, a self-contained SVG.
    pub fn svg(&self) -> String {
        self.drawing.clone().unwrap_or_else(|| plot(self.title, self.across, &self.panels))
    }
}

/// Numbers with two decimals, in a row.
pub fn figures(values: &[f64]) -> String {
    values.iter().map(|value| format!("{value:.2}")).collect::<Vec<_>>().join(", ")
}
