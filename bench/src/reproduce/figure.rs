//! What a figure is.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lookalike::write_whole;

use super::recorder::Recorder;
use super::results::{StudyResults, results_file};
use super::settings::StudySettings;
use super::study::Study;

/// A paper's figure, or a claim or question of its text, that can be had again.
pub struct PaperFigure {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// Where it stands.
    pub from: &'static str,
    /// What the paper says.
    pub(super) paper: &'static str,
    /// Where the study differs from the paper's, and why; in Markdown. No figures of ours: they are
    /// computed from the results.
    pub(super) differs: &'static str,
    /// Runs what is not recorded yet.
    pub(super) record: fn(&mut Recorder) -> Result<()>,
    /// Reads the results.
    pub(super) read: fn(&StudyResults) -> Study,
}

impl PaperFigure {
    /// Runs what is not recorded yet in `folder`, and records it there; without a folder nothing is
    /// kept.
    pub fn record(&self, settings: &StudySettings, folder: Option<&Path>) -> Result<StudyResults> {
        let path = folder.map(|folder| results_file(folder, self.name));
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
        }
        let mut recorder = Recorder::open(self.name, settings, path)?;
        (self.record)(&mut recorder).with_context(|| self.name.to_owned())?;
        if recorder.seconds_left() > 0.0 {
            let left = recorder.seconds_left();
            (settings.tell)(&format!("{}: the runs that are left take about {left:.0} CPU seconds", self.name));
        }
        recorder.finish()
    }

    /// What the results say.
    pub fn read(&self, results: &StudyResults) -> Study {
        (self.read)(results)
    }
}

/// Writes `NAME.csv` and `NAME.svg` beside the results; gives their paths.
pub fn write(name: &str, study: &Study, results: &StudyResults, folder: &Path) -> Result<[PathBuf; 2]> {
    let place = |ending: &str| folder.join(format!("{name}.{ending}"));
    let (csv, svg) = (place("csv"), place("svg"));
    write_whole(&csv, true, results.csv().as_bytes())?;
    write_whole(&svg, true, study.svg().as_bytes())?;
    Ok([csv, svg])
}
