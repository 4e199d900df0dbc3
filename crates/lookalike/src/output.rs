//! The folder of a release: written beside its place and renamed once, whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::Error;
use crate::scratch::{ScratchFolder, file_beside, parent, private_file};

/// The folder inside a partial one that gets the release's name. The partial one is closed to
/// others; what it holds has the modes that it will be found with.
const WHOLE: &str = "whole";

/// Where a release will stand, checked before any row is read.
pub(crate) struct Place {
    folder: PathBuf,
    force: bool,
}

/// A folder in the making. Dropped before [`publish`](Partial::publish), it takes everything with
/// it.
pub(crate) struct Partial {
    place: Place,
    folder: PathBuf,
    /// Around the folder until it is whole.
    scratch: Option<ScratchFolder>,
    /// Parents that had to be made, outermost first: they go too when nothing comes of the run.
    made: Vec<PathBuf>,
    published: bool,
}

impl Place {
    /// Refuses a folder that has something in it (unless forced), and anything that is not a
    /// folder.
    pub fn check(folder: &Path, force: bool) -> Result<Self, Error> {
        let shown = folder.display();
        if folder.file_name().is_none() {
            return Err(Error::usage(
                format!("out: {shown} is no name for a new folder"),
                "write --out with a folder's name",
            ));
        }
        match fs::symlink_metadata(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::writing(folder, error)),
            Ok(about) if !about.is_dir() => {
                return Err(Error::usage(
                    format!("{shown}: is there already and is not a folder"),
                    "name another with --out",
                ));
            }
            Ok(_) if !force && !is_empty(folder)? => {
                return Err(Error::usage(
                    format!("{shown}: is there already and not empty"),
                    "name another with --out, or pass --force to move it aside",
                ));
            }
            Ok(_) => {}
        }
        Ok(Self { folder: folder.to_owned(), force })
    }

    /// The folder with a word after its name: `DIR.journal.jsonl`.
    pub fn beside(&self, word: &str) -> PathBuf {
        beside(&self.folder, word)
    }

    /// Makes the folder in the making. That it can be made proves, before anything is spent, that
    /// the release can be written.
    pub fn begin(self) -> Result<Partial, Error> {
        let made = make_parents(&self.folder)?;
        let begun = ScratchFolder::beside(&self.folder).and_then(|scratch| {
            let folder = scratch.path().join(WHOLE);
            fs::create_dir(&folder)?;
            Ok((scratch, folder))
        });
        match begun {
            Ok((scratch, folder)) => {
                Ok(Partial { place: self, folder, scratch: Some(scratch), made, published: false })
            }
            Err(error) => {
                unmake(&made);
                Err(Error::writing(&self.folder, error))
            }
        }
    }
}

impl Partial {
    /// The folder in the making.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where the release will stand, with a word after its name.
    pub fn beside(&self, word: &str) -> PathBuf {
        self.place.beside(word)
    }

    /// Makes everything durable and renames once. Gives back where an older folder was moved to.
    pub fn publish(mut self) -> Result<Option<PathBuf>, Error> {
        sync_tree(&self.folder)?;
        let target = &self.place.folder;
        let mut aside = None;
        if fs::symlink_metadata(target).is_ok() && fs::remove_dir(target).is_err() {
            // Not empty. Somebody may have filled it while the run was on its way: ask again.
            Place::check(target, self.place.force)?;
            let old = free_name(target);
            fs::rename(target, &old).map_err(|error| Error::writing(&old, error))?;
            aside = Some(old);
        }
        fs::rename(&self.folder, target).map_err(|error| Error::writing(target, error))?;
        self.published = true;
        // Nothing but an empty folder.
        self.scratch = None;
        sync_parent(target)?;
        Ok(aside)
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        self.scratch = None;
        if !self.published {
            unmake(&self.made);
        }
    }
}

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
            return Err(Error::usage(format!("{}: is a folder", target.display()), "name a file"));
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
        let what = format!("{}: is there already", target.display());
        return Err(Error::usage(what, "name another, or pass --force to overwrite"));
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

/// 64 bits from the operating system.
pub(crate) fn random_u64() -> Result<u64, Error> {
    getrandom::u64().map_err(|error| Error::fault(format!("no entropy from the operating system: {error}")))
}

fn is_empty(folder: &Path) -> Result<bool, Error> {
    let mut entries = fs::read_dir(folder).map_err(|error| Error::writing(folder, error))?;
    Ok(entries.next().is_none())
}

/// Makes the parents that are not there, and says which.
fn make_parents(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let missing: Vec<&Path> =
        parent(folder).ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists()).collect();
    let mut made = Vec::new();
    for path in missing.into_iter().rev() {
        match fs::create_dir(path) {
            Ok(()) => made.push(path.to_owned()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                unmake(&made);
                return Err(Error::writing(path, error));
            }
        }
    }
    Ok(made)
}

/// Takes away parents that were made and are still empty.
fn unmake(made: &[PathBuf]) {
    for path in made.iter().rev() {
        let _ = fs::remove_dir(path);
    }
}

/// The first `DIR.old-1`, `DIR.old-2`, ... that is not there.
fn free_name(folder: &Path) -> PathBuf {
    let mut number = 1u64;
    loop {
        let name = beside(folder, &format!("old-{number}"));
        if fs::symlink_metadata(&name).is_err() {
            return name;
        }
        number += 1;
    }
}

/// Makes every file and folder below durable, then the folder itself.
fn sync_tree(folder: &Path) -> Result<(), Error> {
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

fn sync_parent(path: &Path) -> Result<(), Error> {
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

    fn begin(folder: &Path, force: bool) -> Result<Partial, Error> {
        let partial = Place::check(folder, force)?.begin()?;
        fs::write(partial.folder().join("new"), "new").unwrap();
        Ok(partial)
    }

    #[test]
    fn what_is_given_up_leaves_no_trace_not_even_parents() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("a/b/c");
        drop(begin(&target, false).unwrap());
        assert_eq!(names(home.path()), Vec::<String>::new());
        // A parent with something else in it stays.
        let partial = begin(&target, false).unwrap();
        fs::write(partial.beside("journal.jsonl"), "charged").unwrap();
        drop(partial);
        assert_eq!(names(&home.path().join("a/b")), ["c.journal.jsonl"]);
    }

    #[test]
    fn publishing_renames_once_and_moves_the_old_one_aside() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("x");
        assert_eq!(begin(&target, false).unwrap().publish().unwrap(), None);
        assert_eq!(names(home.path()), ["x"]);
        assert!(begin(&target, false).is_err());
        for number in [1, 2] {
            let aside = begin(&target, true).unwrap().publish().unwrap();
            assert_eq!(aside, Some(home.path().join(format!("x.old-{number}"))));
        }
        assert_eq!(names(home.path()), ["x", "x.old-1", "x.old-2"]);
    }

    #[test]
    fn a_folder_that_was_filled_meanwhile_is_not_lost() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("x");
        let partial = begin(&target, false).unwrap();
        fs::create_dir(&target).unwrap();
        fs::write(target.join("precious"), "").unwrap();
        assert!(partial.publish().is_err());
        assert_eq!(names(home.path()), ["x"]);
        assert_eq!(names(&target), ["precious"]);
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
