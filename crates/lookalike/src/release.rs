//! A release: what a run made, and the files it is made of.

use std::fs;
use std::path::{Path, PathBuf};

use lookalike_measurement::{ReleaseFile, Statement, statement::Guarantee};

use crate::{Cancel, Error, Format, hash, statement};

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
    /// `None` where the rows were drawn inside the door: then there is no model either.
    pub(crate) seed: Option<u64>,
    pub(crate) ledger_words: Vec<String>,
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
        let model = self.has_model().then_some((MODEL_FILE, "the model they were drawn from; more rows are free"));
        let rows = (rows_file(self.format), "the synthetic rows");
        let others = [
            (DICTIONARY_FILE, "what every column and code means"),
            (REPORT_FILE, "a page about the release, to read in a browser"),
            (STATEMENT_FILE, "the privacy statement: every charge, and the files' hashes"),
        ];
        std::iter::once(rows).chain(model).chain(others).collect()
    }

    /// Whether there is a model in it, from which more rows can be drawn. Some methods release rows
    /// alone.
    pub fn has_model(&self) -> bool {
        self.seed.is_some()
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

    /// The seed that they were drawn with; `None` where they were drawn as noise, which no seed
    /// fixes.
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// How many charged runs the journal or the ledger knows of, this one included.
    pub fn charged_runs(&self) -> u64 {
        self.statement.facts().charged_runs
    }

    /// The journal of charges beside the folder.
    pub fn journal(&self) -> &Path {
        &self.journal
    }

    /// What is left in the ledger, one line a data set. Steward-only: whether rows were recognized
    /// depends on them.
    pub fn ledger_words(&self) -> &[String] {
        &self.ledger_words
    }

    /// Where a folder that was in the way was moved to.
    pub fn moved_aside(&self) -> Option<&Path> {
        self.moved_aside.as_deref()
    }
}

/// The method of a release that has no model and never had one, by its own statement.
pub(crate) fn method_without_model(folder: &Path) -> Option<String> {
    let text = fs::read_to_string(folder.join(STATEMENT_FILE)).ok()?;
    let (open, _) = statement::unseal(&text)?;
    let statement = Statement::parse(&open).ok()?;
    let facts = statement.facts();
    let listed = facts.files.iter().any(|file| file.name == MODEL_FILE);
    (!listed).then(|| facts.job.get("method").and_then(|name| name.as_str()).unwrap_or("of this release").to_owned())
}

/// Size and digest of a file of the release.
pub(crate) fn describe(folder: &Path, name: &str, cancel: &Cancel) -> Result<ReleaseFile, Error> {
    let path = folder.join(name);
    let bytes = fs::metadata(&path).map_err(|error| Error::reading(&path, error))?.len();
    Ok(ReleaseFile { name: name.to_owned(), bytes, sha256: hash::file_sha256(&path, cancel)? })
}
