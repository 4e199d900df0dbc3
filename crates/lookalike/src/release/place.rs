//! Where a folder will stand: written beside its place and renamed once, whole or not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, FileFault};
use crate::output::{beside, sync_parent, sync_tree};
use crate::scratch::{ScratchFolder, parent};

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
        if folder.file_name().is_none() {
            return Err(Error::file(folder, FileFault::NoFolderName));
        }
        match fs::symlink_metadata(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::writing(folder, error)),
            Ok(about) if !about.is_dir() => return Err(Error::file(folder, FileFault::InTheWay)),
            Ok(_) if !force && !is_empty(folder)? => return Err(Error::file(folder, FileFault::NotEmpty)),
            Ok(_) => {}
        }
        Ok(Self { folder: folder.to_owned(), force })
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

    /// Makes everything durable and renames once. Gives the folder, and where an older one was
    /// moved to.
    pub fn publish(mut self) -> Result<(PathBuf, Option<PathBuf>), Error> {
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
        Ok((target.clone(), aside))
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
        fs::write(beside(&target, "journal.jsonl"), "charged").unwrap();
        drop(partial);
        assert_eq!(names(&home.path().join("a/b")), ["c.journal.jsonl"]);
    }

    #[test]
    fn publishing_renames_once_and_moves_the_old_one_aside() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("x");
        assert_eq!(begin(&target, false).unwrap().publish().unwrap().1, None);
        assert_eq!(names(home.path()), ["x"]);
        assert!(begin(&target, false).is_err());
        for number in [1, 2] {
            let (_, aside) = begin(&target, true).unwrap().publish().unwrap();
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
}
