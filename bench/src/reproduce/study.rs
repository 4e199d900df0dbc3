//! What a study may use, and what it leaves.

use std::path::PathBuf;

use serde::Serialize;

use super::plot::{Panel, plot};
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

impl Finding {
    pub fn new(claim: &str, seen: bool, words: String) -> Self {
        Self { claim: claim.into(), seen, words }
    }
}

/// What a study found.
pub struct Study {
    /// All numbers.
    pub table: TextTable,
    /// The picture, a self-contained SVG.
    pub svg: String,
    /// One entry a claim of the paper.
    pub findings: Vec<Finding>,
    /// What a reader must know: stand-ins, fewer repetitions, other settings than the paper's.
    pub notes: Vec<String>,
}

impl Study {
    /// With a picture of panels, at most `across` in a row.
    pub fn new(
        title: &str,
        across: usize,
        panels: &[Panel],
        table: TextTable,
        findings: Vec<Finding>,
        notes: Vec<String>,
    ) -> Self {
        Self { table, svg: plot(title, across, panels), findings, notes }
    }
}
