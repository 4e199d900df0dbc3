//! Looking for files in folders.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use super::hive::keys_of;
use super::listed::ListedFile;
use super::pattern::{NamePattern, PathPattern, fits, is_plain};
use super::stamp::FileStamp;
use crate::error::{TableError, file_error};

/// Folders in folders beyond this many are a circle of links.
const DEEPEST: usize = 64;
/// How the journal beside a release ends.
const JOURNAL: &str = ".journal.jsonl";

/// All files below a folder, in the order of the bytes of their paths.
pub(super) fn files_below(folder: &Path) -> Result<Vec<ListedFile>, TableError> {
    let mut found = Vec::new();
    walk(folder, 0, &mut found)?;
    listed(found, folder)
}

/// All files that match; a folder that does stands for all files below it.
pub(super) fn files_matching(pattern: &PathPattern) -> Result<Vec<ListedFile>, TableError> {
    let mut found = Vec::new();
    follow(&pattern.root, &pattern.names, 0, &mut found)?;
    listed(found, &pattern.root)
}

/// Sorts, and reads what the folders below the root tell.
fn listed(mut found: Vec<(PathBuf, FileStamp)>, root: &Path) -> Result<Vec<ListedFile>, TableError> {
    found.sort_by(|a, b| bytes(&a.0).cmp(bytes(&b.0)));
    // `**` may lead to a file in more than one way.
    found.dedup_by(|a, b| a.0 == b.0);
    let files = found.into_iter().map(|(path, stamp)| {
        let keys = keys_of(path.strip_prefix(root).unwrap_or(&path));
        ListedFile { path, keys, stamp }
    });
    Ok(files.collect())
}

fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

fn walk(folder: &Path, depth: usize, found: &mut Vec<(PathBuf, FileStamp)>) -> Result<(), TableError> {
    for name in names_in(folder)? {
        if !is_hidden(&name) && !is_ours(folder, &name) {
            take(folder.join(&name), depth + 1, found)?;
        }
    }
    Ok(())
}

/// Whether this is a release or the journal beside one. Synthetic rows that lie among real ones
/// must not be taken for rows of people.
fn is_ours(folder: &Path, name: &OsStr) -> bool {
    let path = folder.join(name);
    let holds = |file: &str| path.join(file).is_file();
    name.as_encoded_bytes().ends_with(JOURNAL.as_bytes())
        || holds("release/privacy.json")
        || holds("privacy.json") && ["synthetic.csv", "synthetic.parquet"].into_iter().any(holds)
}

/// A file is taken, and a folder looked through.
fn take(path: PathBuf, depth: usize, found: &mut Vec<(PathBuf, FileStamp)>) -> Result<(), TableError> {
    if is_folder(&path, depth)? {
        return walk(&path, depth, found);
    }
    let about = std::fs::metadata(&path).map_err(|error| unreadable(&path, error))?;
    if !about.is_file() {
        let help = "name the files by a pattern such as *.csv";
        return Err(file_error(&path.display().to_string(), "is neither a file nor a folder", help));
    }
    found.push((path, FileStamp::of(&about)));
    Ok(())
}

fn follow(
    folder: &Path,
    names: &[NamePattern],
    depth: usize,
    found: &mut Vec<(PathBuf, FileStamp)>,
) -> Result<(), TableError> {
    let Some((first, rest)) = names.split_first() else { return take(folder.to_owned(), depth, found) };
    match first {
        NamePattern::AnyFolders => {
            // No folder at all; and `**` at the end takes in everything.
            if !rest.is_empty() {
                follow(folder, rest, depth, found)?;
            }
            for name in names_in(folder)?.into_iter().filter(|name| !is_hidden(name) && !is_ours(folder, name)) {
                let path = folder.join(&name);
                match is_folder(&path, depth + 1)? {
                    true => follow(&path, names, depth + 1, found)?,
                    false if rest.is_empty() => take(path, depth + 1, found)?,
                    false => {}
                }
            }
        }
        NamePattern::Name(pattern) => {
            let names = names_in(folder)?.into_iter();
            for name in names.filter(|name| fits(pattern, name) && (is_plain(pattern) || !is_ours(folder, name))) {
                let path = folder.join(&name);
                // The last name may be of a file; all before it are of folders.
                if rest.is_empty() || is_folder(&path, depth + 1)? {
                    follow(&path, rest, depth + 1, found)?;
                }
            }
        }
    }
    Ok(())
}

/// Whether this is a folder. `Err` for a link that leads back to where it lies: rows would be read
/// again and again.
fn is_folder(path: &Path, depth: usize) -> Result<bool, TableError> {
    match std::fs::metadata(path) {
        Ok(about) if !about.is_dir() => return Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(unreadable(path, error)),
        Ok(_) => {}
    }
    let is_link = path.symlink_metadata().is_ok_and(|about| about.is_symlink());
    let leads_back = || {
        let (lies_in, leads_to) = (here(path.parent().unwrap_or(path)).canonicalize(), path.canonicalize());
        matches!((lies_in, leads_to), (Ok(lies_in), Ok(leads_to)) if lies_in.starts_with(&leads_to))
    };
    if depth > DEEPEST || (is_link && leads_back()) {
        let what = "leads back to its own folder, or lies in too many";
        return Err(file_error(&path.display().to_string(), what, "name the files by a pattern such as data/*.csv"));
    }
    Ok(true)
}

fn names_in(folder: &Path) -> Result<Vec<std::ffi::OsString>, TableError> {
    let failed = |error: io::Error| unreadable(folder, error);
    let entries = std::fs::read_dir(here(folder)).map_err(failed)?;
    entries.map(|entry| entry.map(|entry| entry.file_name()).map_err(failed)).collect()
}

/// The path of a folder for the system, to which the empty one is none.
fn here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

fn is_hidden(name: &OsStr) -> bool {
    matches!(name.as_encoded_bytes().first(), Some(b'.' | b'_'))
}

fn unreadable(path: &Path, error: io::Error) -> TableError {
    let name = path.display().to_string();
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => file_error(&name, "no such file", "check the path"),
        io::ErrorKind::PermissionDenied => file_error(&name, "may not be read", "check its permissions"),
        _ => TableError::Io { what: format!("looking through {name}"), source: error },
    }
}
