//! Does a release agree with its own statement?

use std::fs;
use std::path::{Path, PathBuf};

use lookalike_measurement::{Statement, StatementError, statement::Guarantee};
use lookalike_model::Model;

use super::Release;
use super::files::{MODEL_FILE, RELEASE_FOLDER, STATEMENT_FILE};
use super::folder::describe;
use super::statement::{guarantee_line, unseal};
use crate::Cancel;
use crate::error::{Error, FileFault};

const OTHER_GUARANTEE: &str = "model.lookalike: its guarantee is not the statement's";

/// What [`verify`] found.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// The guarantee as the statement puts it, in one line; empty when the statement cannot be
    /// read.
    pub guarantee: String,
    /// The epsilon recomputed from the charges, when it agrees.
    pub used: Option<f64>,
    /// The guaranteed epsilon, when there is a guarantee.
    pub cap: Option<f64>,
    /// The number of charged queries.
    pub charges: usize,
    /// How many charged runs the statement tells of.
    pub charged_runs: u64,
    /// The files that were looked for, the statement first.
    pub files: Vec<String>,
    /// What does not agree, one line each.
    pub disagreements: Vec<String>,
}

impl Verdict {
    /// Whether everything agrees.
    pub fn agrees(&self) -> bool {
        self.disagreements.is_empty()
    }

    /// Takes in what the statement says, and the total once more from its charges.
    fn recompute(&mut self, statement: &Statement) {
        self.guarantee = guarantee_line(statement);
        self.charges = statement.charges().len();
        self.charged_runs = statement.facts().charged_runs;
        if let Guarantee::Holds(budget) = statement.guarantee() {
            self.cap = Some(budget.epsilon.get());
        }
        match statement.recompute() {
            Ok(used) => self.used = Some(used.epsilon),
            Err(StatementError::Disagrees { reasons }) => {
                self.disagreements.extend(reasons.into_iter().map(in_statement))
            }
            Err(error) => self.disagreements.push(in_statement(error.to_string())),
        }
    }
}

impl Release {
    /// Recomputes the total from the charges, and compares the model's guarantee with the
    /// statement's. Of a release that was [opened](Release::open), the folder is checked as it
    /// stands now, file by file, as [`verify`] does.
    pub fn verify(&self) -> Verdict {
        if let Some(folder) = &self.opened {
            let gone = |error: Error| format!("the folder cannot be read any more: {error}");
            return verify(folder)
                .unwrap_or_else(|error| Verdict { disagreements: vec![gone(error)], ..Verdict::default() });
        }
        let mut verdict = Verdict::default();
        verdict.recompute(&self.statement);
        if self.model().is_some_and(|model| model.origin().guarantee != verdict.guarantee) {
            verdict.disagreements.push(OTHER_GUARANTEE.to_owned());
        }
        verdict
    }
}

/// Recomputes the total of a release from its charges and checks the hashes of its files.
///
/// `folder` is a release or the folder of a run. Every changed, missing or unlisted file is a
/// disagreement; of `privacy.json` every changed byte is, by its seal. This guards against accident
/// and is not a signature: a forger can write a statement that agrees with itself.
///
/// # Errors
/// When there is no release, or its files cannot be read.
pub fn verify(folder: &Path) -> Result<Verdict, Error> {
    let folder = find(folder)?;
    let path = folder.join(STATEMENT_FILE);
    let bytes = fs::read(&path).map_err(|error| Error::reading(&path, error))?;
    let mut verdict = Verdict::default();
    verdict.files.push(STATEMENT_FILE.to_owned());
    let Some(statement) = read_statement(&bytes, &mut verdict.disagreements) else {
        return Ok(verdict);
    };
    verdict.recompute(&statement);
    check_files(&folder, &statement, &mut verdict)?;
    check_model(&folder, &verdict.guarantee, &mut verdict.disagreements)?;
    Ok(verdict)
}

/// The release itself, when the folder of the run was named.
fn find(folder: &Path) -> Result<PathBuf, Error> {
    if !folder.is_dir() {
        let fault = if folder.exists() { FileFault::IsNotFolder } else { FileFault::NoSuchFolder };
        return Err(Error::file(folder, fault));
    }
    let places = [folder.to_owned(), folder.join(RELEASE_FOLDER)];
    let found = places.into_iter().find(|place| place.join(STATEMENT_FILE).exists());
    found.ok_or_else(|| Error::file(folder, FileFault::LacksFile { file: STATEMENT_FILE }))
}

fn read_statement(bytes: &[u8], disagreements: &mut Vec<String>) -> Option<Statement> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        disagreements.push(in_statement("is not text"));
        return None;
    };
    let open = match unseal(text) {
        Some((open, true)) => open,
        Some((open, false)) => {
            disagreements.push(in_statement("was changed: its seal does not fit"));
            open
        }
        None => {
            disagreements.push(in_statement("was changed: it has no seal at its end"));
            text.to_owned()
        }
    };
    Statement::parse(&open).map_err(|error| disagreements.push(in_statement(error))).ok()
}

fn in_statement(what: impl std::fmt::Display) -> String {
    format!("{STATEMENT_FILE}: {what}")
}

/// Every listed file is there and unchanged, and nothing else is.
fn check_files(folder: &Path, statement: &Statement, verdict: &mut Verdict) -> Result<(), Error> {
    for listed in &statement.facts().files {
        verdict.files.push(listed.name.clone());
        let path = folder.join(&listed.name);
        if !is_plain_name(&listed.name) || !path.is_file() {
            verdict.disagreements.push(format!("{:?}: is listed but not there", listed.name));
            continue;
        }
        let found = describe(folder, &listed.name, &Cancel::new())?;
        if found != *listed {
            verdict.disagreements.push(format!("{}: was changed: its hash is not the listed one", listed.name));
        }
    }
    let mut there: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| Error::reading(folder, error))? {
        let entry = entry.map_err(|error| Error::reading(folder, error))?;
        there.push(entry.file_name().to_string_lossy().into_owned());
    }
    there.sort();
    for name in there.iter().filter(|name| !verdict.files.contains(name)) {
        verdict.disagreements.push(format!("{name:?}: is there but not listed"));
    }
    Ok(())
}

/// A listed name never leads out of the folder.
fn is_plain_name(name: &str) -> bool {
    Path::new(name).file_name().is_some_and(|plain| plain == name)
}

/// The model file carries the same guarantee.
fn check_model(folder: &Path, guarantee: &str, disagreements: &mut Vec<String>) -> Result<(), Error> {
    let path = folder.join(MODEL_FILE);
    if !path.is_file() {
        return Ok(());
    }
    let bytes = fs::read(&path).map_err(|error| Error::reading(&path, error))?;
    match Model::from_bytes(&bytes) {
        Err(error) => disagreements.push(format!("{MODEL_FILE}: {error}")),
        Ok(model) if model.origin().guarantee != guarantee => {
            disagreements.push(OTHER_GUARANTEE.to_owned());
        }
        Ok(_) => {}
    }
    Ok(())
}
