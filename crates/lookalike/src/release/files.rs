//! The files of a release's folder.

use std::path::{Path, PathBuf};

use super::rows::Format;

/// The model's file.
pub(crate) const MODEL_FILE: &str = "model.lookalike";
/// The statement's file.
pub(crate) const STATEMENT_FILE: &str = "privacy.json";
/// The dictionary's file.
pub(crate) const DICTIONARY_FILE: &str = "dictionary.csv";
/// What was discovered, as a schema.
pub(crate) const SCHEMA_FILE: &str = "schema.toml";
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

/// The file of that name in the folder of a run or of a release.
pub(crate) fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    [folder.join(name), folder.join(RELEASE_FOLDER).join(name)].into_iter().find(|path| path.is_file())
}

/// The synthetic rows in the folder of a run or of a release.
pub(crate) fn synthetic_rows(folder: &Path) -> Option<PathBuf> {
    [Format::Csv, Format::Parquet].into_iter().find_map(|format| find(folder, rows_file(format)))
}
