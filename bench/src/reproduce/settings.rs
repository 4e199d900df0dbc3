//! What a study may use.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// How much is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StudySize {
    /// About a minute: fewer runs and places, and the benchmark figures on one table.
    Quick,
    /// What the page shows. Hours in all.
    Full,
    /// A test of the runner: the fewest runs and places that go through all of it.
    Tiny,
}

/// What a study may use.
pub struct StudySettings<'a> {
    /// How much to run.
    pub size: StudySize,
    /// The folder of the benchmark tables.
    pub data: Option<PathBuf>,
    /// Whether generated stand-ins may take the tables' place.
    pub simulated: bool,
    /// The most runs of a place for now; more can be added later.
    pub most_runs: Option<u64>,
    /// Told what is going on, now and then.
    pub tell: &'a (dyn Fn(&str) + Sync),
}

impl StudySettings<'_> {
    /// One of two numbers; a test of the runner has the first.
    pub fn pick<T>(&self, quick: T, full: T) -> T {
        match self.size {
            StudySize::Quick | StudySize::Tiny => quick,
            StudySize::Full => full,
        }
    }

    /// One of three.
    pub fn pick3<T>(&self, tiny: T, quick: T, full: T) -> T {
        match self.size {
            StudySize::Tiny => tiny,
            StudySize::Quick => quick,
            StudySize::Full => full,
        }
    }
}
