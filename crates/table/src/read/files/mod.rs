//! Several files as one table: a folder, or the files that a pattern names.
//!
//! The list is made once, with each file's size and time of change, in the order of the paths'
//! bytes. Reading checks it before and after, so that all rows are of one state of the files.

mod hive;
mod listed;
mod listing;
mod pattern;
mod stamp;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

pub(super) use self::hive::PartitionKey;
pub(super) use self::listed::ListedFile;
pub(super) use self::stamp::FileStamp;

use self::listing::{files_below, files_matching};
use self::pattern::{PathPattern, takes_in};
use crate::error::{TableError, file_error};

/// The path from the root of the file system on, links followed as far as it is there.
fn whole_path(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut there = path.ancestors().filter_map(|part| Some((part, part.canonicalize().ok()?)));
    match there.next() {
        Some((part, found)) => found.join(path.strip_prefix(part).unwrap_or(Path::new(""))),
        None => path,
    }
}

/// Files that are read one after the other as one table, as they were when the list was made.
///
/// Files and folders whose names begin with `.` or `_` are left out: other programs keep their own
/// notes there. So are releases and their journals, unless the path names them outright. Below a
/// folder, or below the first wildcard of a pattern, folders such as `year=2020` are columns, as
/// Hive and Spark write them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileList {
    given: PathBuf,
    files: Vec<ListedFile>,
}

impl FileList {
    /// The files of a folder, those of its folders included, or those that match a pattern:
    /// `data/*.parquet`, `data/**/*.csv.gz`, with `*`, `?`, `[a-z]` and `**` for any folders. A
    /// name that is there is taken as it stands, whatever characters it has. `None` when the path
    /// is neither a folder nor a pattern.
    ///
    /// `Err` when there are no such files, or when a folder cannot be looked through.
    pub fn find(given: &Path) -> Result<Option<Self>, TableError> {
        let found = match std::fs::metadata(given) {
            Ok(about) if about.is_dir() => files_below(given)?,
            Ok(_) => return Ok(None),
            Err(_) => match PathPattern::new(given) {
                Some(pattern) => files_matching(&pattern)?,
                None => return Ok(None),
            },
        };
        if found.is_empty() {
            let help =
                "names with . or _ in front and releases are left out; name .csv, .tsv, .parquet or .arrow files";
            return Err(file_error(&given.display().to_string(), "has no files to read", help));
        }
        Ok(Some(Self { given: given.to_owned(), files: found }))
    }

    /// Whether a file at this path would be of the list that is made of this folder or pattern. It
    /// need not be there: this is judged from names alone.
    pub(super) fn would_take(given: &Path, file: &Path) -> bool {
        let pattern = match given.is_dir() {
            true => PathPattern { root: given.to_owned(), names: Vec::new() },
            false => match PathPattern::new(given) {
                Some(pattern) => pattern,
                None => return false,
            },
        };
        let (root, file) = (whole_path(&pattern.root), whole_path(file));
        let Ok(below) = file.strip_prefix(root) else { return false };
        takes_in(&pattern.names, &below.iter().collect::<Vec<_>>())
    }

    /// The folder or pattern as the user named it.
    pub fn given(&self) -> &Path {
        &self.given
    }

    /// The files, in the order in which they are read.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|file| file.path.as_path())
    }

    pub(super) fn files(&self) -> &[ListedFile] {
        &self.files
    }

    /// Whether the files are what they were when the list was made.
    ///
    /// `Err` when one of them changed, when one is gone, or when there is another.
    pub(super) fn is_unchanged(&self) -> Result<(), TableError> {
        match Self::find(&self.given) {
            Ok(Some(now)) if now == *self => Ok(()),
            _ => Err(TableError::Changed),
        }
    }
}
