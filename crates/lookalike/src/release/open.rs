//! Reading a release's folder.

use std::fs;
use std::path::Path;

use lookalike_measurement::Statement;
use lookalike_model::Model;

use super::Release;
use super::files::{MODEL_FILE, STATEMENT_FILE, find};
use super::statement::unseal;
use crate::error::{Error, FileFault};

impl Release {
    /// Reads the folder of a run or of a release. Whether it agrees with its statement, file by
    /// file, is what [`verify`](Release::verify) tells.
    ///
    /// # Errors
    /// When there is no release, or no model in it.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, Error> {
        let folder = folder.as_ref();
        let model = read_model(folder)?;
        let lacking = || Error::file(folder, FileFault::LacksFile { file: STATEMENT_FILE });
        let path = find(folder, STATEMENT_FILE).ok_or_else(lacking)?;
        let text = fs::read_to_string(&path).map_err(|error| Error::reading(&path, error))?;
        let open = unseal(&text).map_or_else(|| text.clone(), |(open, _)| open);
        let statement = Statement::parse(&open)?;
        Ok(Self { opened: Some(folder.to_owned()), ..Self::of_model_and_statement(model, statement) })
    }
}

/// Reads a model file; of a folder, its `model.lookalike` or `release/model.lookalike`.
pub fn read_model(path: &Path) -> Result<Model, Error> {
    let file = match find(path, MODEL_FILE) {
        Some(file) => file,
        None => {
            // Some methods release rows and no model. Who asks for one is told so, and not that a
            // file is missing.
            let folder = if path.exists() { Some(path) } else { path.parent() };
            if let Some(method) = folder.and_then(method_without_model) {
                return Err(Error::file(path, FileFault::RowsAlone { method }));
            }
            if path.is_dir() {
                return Err(Error::file(path, FileFault::LacksFile { file: MODEL_FILE }));
            }
            path.to_owned()
        }
    };
    let bytes = fs::read(&file).map_err(|error| Error::reading(&file, error))?;
    Ok(Model::from_bytes(&bytes)?)
}

/// The method of a release that has no model and never had one, by its own statement.
fn method_without_model(folder: &Path) -> Option<String> {
    let text = fs::read_to_string(find(folder, STATEMENT_FILE)?).ok()?;
    let (open, _) = unseal(&text)?;
    let statement = Statement::parse(&open).ok()?;
    let facts = statement.facts();
    let listed = facts.files.iter().any(|file| file.name == MODEL_FILE);
    (!listed).then(|| facts.job.get("method").and_then(|name| name.as_str()).unwrap_or("of this release").to_owned())
}
