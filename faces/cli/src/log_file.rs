//! `--log-file`: what a run did, fit to be published with its release.
//!
//! It tells phases, rounds, budget and notes. It knows no times, no row counts, no paths and no
//! share of the file read, because those would tell of the rows without being paid for.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use lookalike::{Observer, Release, WholeFile};

use crate::fail::Failure;

/// Collects a run's story, and writes it whole when there is a release.
pub struct LogFile {
    file: WholeFile,
    story: Mutex<Story>,
}

#[derive(Default)]
struct Story {
    lines: Vec<String>,
    phase: Option<Phase>,
}

struct Phase {
    name: String,
    rounds: Option<(u64, u64)>,
    budget: Option<f64>,
    passes: Option<u64>,
}

impl LogFile {
    /// Checks that it can be written, before anything is spent. A log that is there already is
    /// replaced.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        Ok(Self { file: WholeFile::create(path, true)?, story: Mutex::default() })
    }

    /// Writes the story of the run that made the release.
    pub fn finish(self, release: &Release) -> Result<(), Failure> {
        let mut story = self.story.into_inner().unwrap_or_else(PoisonError::into_inner);
        story.end_phase();
        let mut text = format!("lookalike {}\n", env!("CARGO_PKG_VERSION"));
        for line in story.lines {
            let _ = writeln!(text, "{line}");
        }
        let _ = writeln!(text, "guarantee: {}", release.guarantee());
        let mut writer = self.file.writer()?;
        std::io::Write::write_all(&mut writer, text.as_bytes()).map_err(Failure::Output)?;
        Ok(self.file.finish()?)
    }

    fn with(&self, change: impl FnOnce(&mut Story)) {
        change(&mut self.story.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Story {
    fn end_phase(&mut self) {
        let Some(phase) = self.phase.take() else {
            return;
        };
        let mut line = format!("phase: {}", phase.name);
        if let Some((done, planned)) = phase.rounds {
            let _ = write!(line, ", round {done} of {planned}");
        }
        if let Some(share) = phase.budget {
            let _ = write!(line, ", budget spent {share:.3}");
        }
        if let Some(passes) = phase.passes {
            let _ = write!(line, ", passes over the rows {passes}");
        }
        self.lines.push(line);
    }
}

/// The share of the file read is left out: it is for the steward's own terminal only.
impl Observer for LogFile {
    fn phase(&self, name: &str) {
        self.with(|story| {
            story.end_phase();
            story.phase = Some(Phase { name: name.to_owned(), rounds: None, budget: None, passes: None });
        });
    }

    fn round(&self, done: u64, planned: u64) {
        self.with(|story| {
            if let Some(phase) = &mut story.phase {
                phase.rounds = Some((done, planned));
            }
        });
    }

    fn budget(&self, share: f64) {
        self.with(|story| {
            if let Some(phase) = &mut story.phase {
                phase.budget = Some(share);
            }
        });
    }

    fn passes(&self, passes: u64) {
        self.with(|story| {
            if let Some(phase) = &mut story.phase {
                phase.passes = Some(passes);
            }
        });
    }

    fn note(&self, text: &str) {
        self.with(|story| {
            story.end_phase();
            story.lines.push(format!("note: {text}"));
        });
    }
}
