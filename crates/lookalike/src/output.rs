//! Files that appear whole or not at all: written beside their place and renamed once.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::{Error, FileFault};
use crate::scratch::{file_beside, parent, private_file};

/// Writes a file whole: beside its place, durable, then renamed. Refuses one that is there unless
/// forced. A device or pipe (`/dev/stdout`) is written as it stands. Dropped before
/// [`finish`](Self::finish), it leaves nothing.
pub struct WholeFile {
    target: PathBuf,
    force: bool,
    file: File,
    /// The name it has until it is whole; none for a device.
    partial: Option<PathBuf>,
}

impl WholeFile {
    /// Checks the place and opens a file beside it.
    pub fn create(target: &Path, force: bool) -> Result<Self, Error> {
        Self::open(target, force, File::options().write(true))
    }

    /// The same for what is steward-only: nobody but its owner may read it.
    pub fn create_private(target: &Path, force: bool) -> Result<Self, Error> {
        Self::open(target, force, &private_file())
    }

    fn open(target: &Path, force: bool, options: &OpenOptions) -> Result<Self, Error> {
        let about = fs::metadata(target).ok();
        if about.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(Error::file(target, FileFault::IsFolder));
        }
        let device = about.is_some_and(|about| !about.is_file());
        let opened = if device {
            options.open(target).map(|file| (None, file))
        } else {
            refuse_existing(target, force)?;
            file_beside(target, options).map(|(partial, file)| (Some(partial), file))
        };
        let (partial, file) = opened.map_err(|error| Error::writing(target, error))?;
        Ok(Self { target: target.to_owned(), force, file, partial })
    }

    /// The file to write to.
    pub fn writer(&self) -> Result<File, Error> {
        self.file.try_clone().map_err(|error| Error::writing(&self.target, error))
    }

    /// Durable, and under its name.
    pub fn finish(mut self) -> Result<(), Error> {
        if let Some(partial) = &self.partial {
            let failed = |error| Error::writing(&self.target, error);
            self.file.sync_all().map_err(failed)?;
            // Somebody may have made one meanwhile.
            refuse_existing(&self.target, self.force)?;
            fs::rename(partial, &self.target).map_err(failed)?;
            self.partial = None;
            sync_parent(&self.target)?;
        }
        Ok(())
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Some(partial) = &self.partial {
            let _ = fs::remove_file(partial);
        }
    }
}

fn refuse_existing(target: &Path, force: bool) -> Result<(), Error> {
    if !force && fs::symlink_metadata(target).is_ok() {
        return Err(Error::file(target, FileFault::Exists));
    }
    Ok(())
}

/// Writes a small text whole.
pub fn write_whole(target: &Path, force: bool, text: &[u8]) -> Result<(), Error> {
    write_text(WholeFile::create(target, force)?, text)
}

/// Writes a small text whole that is steward-only.
pub fn write_private(target: &Path, force: bool, text: &[u8]) -> Result<(), Error> {
    write_text(WholeFile::create_private(target, force)?, text)
}

fn write_text(file: WholeFile, text: &[u8]) -> Result<(), Error> {
    file.writer()?.write_all(text).map_err(|error| Error::writing(&file.target, error))?;
    file.finish()
}

/// `DIR` with a word after its name.
pub(crate) fn beside(folder: &Path, word: &str) -> PathBuf {
    let mut name: OsString = folder.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(word);
    folder.with_file_name(name)
}

/// Makes every file and folder below durable, then the folder itself.
pub(crate) fn sync_tree(folder: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(folder).map_err(|error| Error::io("reading", folder, error))? {
        let path = entry.map_err(|error| Error::io("reading", folder, error))?.path();
        if path.is_dir() {
            sync_tree(&path)?;
        } else {
            sync(&path)?;
        }
    }
    sync(folder)
}

pub(crate) fn sync_parent(path: &Path) -> Result<(), Error> {
    sync(parent(path))
}

#[cfg(unix)]
fn sync(path: &Path) -> Result<(), Error> {
    File::open(path).and_then(|file| file.sync_all()).map_err(|error| Error::io("writing", path, error))
}

/// Folders cannot be opened for this here, and files need write access.
#[cfg(not(unix))]
fn sync(path: &Path) -> Result<(), Error> {
    if path.is_dir() {
        return Ok(());
    }
    let file = fs::OpenOptions::new().write(true).open(path);
    file.and_then(|file| file.sync_all()).map_err(|error| Error::io("writing", path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn whole_files_appear_at_the_end_or_not_at_all() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("file");
        let given_up = WholeFile::create(&target, false).unwrap();
        given_up.writer().unwrap().write_all(b"half").unwrap();
        drop(given_up);
        assert_eq!(names(home.path()), Vec::<String>::new());
        write_whole(&target, false, b"one").unwrap();
        assert!(write_whole(&target, false, b"two").is_err());
        write_whole(&target, true, b"two").unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"two");
        assert_eq!(names(home.path()), ["file"]);
    }
}
