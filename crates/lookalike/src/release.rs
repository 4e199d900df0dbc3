//! A release: what a run made, and the files it is made of.

use std::fs;
use std::path::{Path, PathBuf};

use lookalike_measurement::{ReleaseFile, Statement, statement::Guarantee};

use crate::{Error, Format, hash, statement};

/// The model's file.
pub(crate) const MODEL_FILE: &str = "model.lookalike";
/// The statement's file.
pub(crate) const STATEMENT_FILE: &str = "privacy.json";
/// The dictionary's file.
pub(crate) const DICTIONARY_FILE: &str = "dictionary.csv";
/// The public report's file.
pub(crate) const REPORT_FILE: &str = "report.html";
/// The folder of all that may be published.
pub(crate) const RELEASE_FOLDER: &str = "release";

/// The file of the synthetic rows.
pub(crate) fn rows_file(format: Format) -> &'static str {
    match format {
        Format::Csv => "synthetic.csv",
        Format::Parquet => "synthetic.parquet",
    }
}

/// A release that has been made and closed.
#[derive(Clone, Debug)]
pub struct Release {
    pub(crate) folder: PathBuf,
    pub(crate) journal: PathBuf,
    pub(crate) moved_aside: Option<PathBuf>,
    pub(crate) statement: Statement,
    pub(crate) format: Format,
    pub(crate) rows: u64,
    pub(crate) seed: u64,
}

impl Release {
    /// The folder that was asked for.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder in it that may be published whole.
    pub fn release_folder(&self) -> PathBuf {
        self.folder.join(RELEASE_FOLDER)
    }

    /// The names of the published files, with what they are.
    pub fn files(&self) -> Vec<(&'static str, &'static str)> {
        vec![
            (rows_file(self.format), "the synthetic rows"),
            (MODEL_FILE, "the model they were drawn from; more rows are free"),
            (DICTIONARY_FILE, "what every column and code means"),
            (REPORT_FILE, "a page about the release, to read in a browser"),
            (STATEMENT_FILE, "the privacy statement: every charge, and the files' hashes"),
        ]
    }

    /// The statement of `privacy.json`.
    pub fn statement(&self) -> &Statement {
        &self.statement
    }

    /// The guarantee in one line, or why there is none.
    pub fn guarantee(&self) -> String {
        statement::guarantee_line(&self.statement)
    }

    /// The guaranteed epsilon, when there is a guarantee.
    pub fn epsilon(&self) -> Option<f64> {
        match self.statement.guarantee() {
            Guarantee::Holds(budget) => Some(budget.epsilon.get()),
            Guarantee::None { .. } => None,
        }
    }

    /// The guaranteed delta, when there is a guarantee.
    pub fn delta(&self) -> Option<f64> {
        match self.statement.guarantee() {
            Guarantee::Holds(budget) => Some(budget.delta.get()),
            Guarantee::None { .. } => None,
        }
    }

    /// The epsilon recomputed from the scales used: a check, never the guarantee.
    pub fn used(&self) -> f64 {
        self.statement.used().epsilon
    }

    /// The number of synthetic rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The seed that they were drawn with.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How many charged runs the journal knows of, this one included.
    pub fn charged_runs(&self) -> u64 {
        self.statement.facts().charged_runs
    }

    /// The journal of charges beside the folder.
    pub fn journal(&self) -> &Path {
        &self.journal
    }

    /// Where a folder that was in the way was moved to.
    pub fn moved_aside(&self) -> Option<&Path> {
        self.moved_aside.as_deref()
    }
}

/// Size and digest of a file of the release.
pub(crate) fn describe(folder: &Path, name: &str) -> Result<ReleaseFile, Error> {
    let path = folder.join(name);
    let bytes = fs::metadata(&path).map_err(|error| Error::reading(&path, error))?.len();
    Ok(ReleaseFile { name: name.to_owned(), bytes, sha256: hash::file_sha256(&path)? })
}
