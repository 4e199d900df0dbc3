//! What is still in the making: closed to others, locked as long as its run lives, and swept away
//! by a later run when a kill left it behind.
//!
//! The system lets go of a lock when its process ends, however it ends. So whoever gets the lock of
//! a folder or file in the making knows that nobody is writing it any more: a process number would
//! have to be trusted not to be somebody else's by now.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// How often another name is tried when a sweeping run was faster.
const TRIES: usize = 8;
/// What stands between a folder's name and the digits of its partial.
const FOLDER_MARK: &str = ".partial-";
/// What the names of files in the making begin with.
const FILE_MARK: &str = ".lookalike-partial-";

/// A folder in the making (mode 0700). Dropped before [`rename`](Self::rename), it goes with
/// everything in it.
pub(crate) struct ScratchFolder {
    path: PathBuf,
    renamed: bool,
    /// Held open for its lock.
    _lock: Option<File>,
}

impl ScratchFolder {
    /// Makes `TARGET.partial-` with random digits beside its place, and takes away those that runs
    /// left which are no more.
    pub fn beside(target: &Path) -> io::Result<Self> {
        let mut mark: OsString = target.file_name().unwrap_or_default().to_owned();
        mark.push(FOLDER_MARK);
        let (path, lock) = make(parent(target), &mark, |path| {
            private_folder(path)?;
            Ok(lockable(path))
        })?;
        sweep(parent(target), &mark, &path);
        Ok(Self { path, renamed: false, _lock: lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives it its name.
    pub fn rename(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.renamed = true;
        Ok(())
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        if !self.renamed {
            // Nothing can be done about a failure here, and the error that led here is the one to
            // show.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Makes a file in the making beside its place, and takes away those that runs left which are no
/// more. Whoever is given the file holds its lock until it is closed.
pub(crate) fn file_beside(target: &Path, options: &OpenOptions) -> io::Result<(PathBuf, File)> {
    let mark = OsStr::new(FILE_MARK);
    let (path, file) = make(parent(target), mark, |path| Ok(Some(options.clone().create_new(true).open(path)?)))?;
    sweep(parent(target), mark, &path);
    let file = file.ok_or_else(|| io::Error::other("a new file could not be opened"))?;
    Ok((path, file))
}

/// A new folder that only its owner may look into: it never was open to others.
pub(crate) fn private_folder(path: &Path) -> io::Result<()> {
    #[allow(unused_mut)] // Where there are no modes there is nothing to set.
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Options that make a file which only its owner may read: it never was open to others.
pub(crate) fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// The folder that a path lies in.
pub(crate) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Makes something under a name that nobody has, and locks it. Between the two a sweeping run may
/// take it for a leftover: then the lock is not to be had, or what is locked is no longer what the
/// name says, and another name is tried.
fn make(
    parent: &Path,
    mark: &OsStr,
    create: impl Fn(&Path) -> io::Result<Option<File>>,
) -> io::Result<(PathBuf, Option<File>)> {
    for _ in 0..TRIES {
        let mut name = mark.to_owned();
        name.push(format!("{:016x}", getrandom::u64().map_err(io::Error::other)?));
        let path = parent.join(name);
        let file = create(&path)?;
        if file.as_ref().is_none_or(|file| locking::is_ours(&path, file)) {
            return Ok((path, file));
        }
    }
    Err(io::Error::other("another run takes away what this one makes"))
}

/// A folder opened for its lock, where the system can.
fn lockable(folder: &Path) -> Option<File> {
    if cfg!(unix) { File::open(folder).ok() } else { None }
}

/// Takes away what stands under the mark and 16 digits, belongs to whoever owns `own`, is no link,
/// and whose lock is free. Nothing depends on it, so nothing is said when it fails.
fn sweep(parent: &Path, mark: &OsStr, own: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.file_name() != own.file_name() && is_marked(&entry.file_name(), mark) {
            locking::take_away(&path, own);
        }
    }
}

fn is_marked(name: &OsStr, mark: &OsStr) -> bool {
    let digits = name.as_encoded_bytes().strip_prefix(mark.as_encoded_bytes());
    digits.is_some_and(|digits| digits.len() == 16 && digits.iter().all(|digit| b"0123456789abcdef".contains(digit)))
}

#[cfg(unix)]
mod locking {
    use std::fs::{self, File, TryLockError};
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    /// Locks what was just made. Whether it is still there under its name.
    pub fn is_ours(path: &Path, file: &File) -> bool {
        match file.try_lock() {
            Ok(()) => is_same(path, file),
            Err(TryLockError::WouldBlock) => false,
            // A file system without locks: then nobody can take it for a leftover either.
            Err(TryLockError::Error(_)) => true,
        }
    }

    /// Takes away a folder or file that nobody writes any more. Links are neither followed nor
    /// touched.
    pub fn take_away(path: &Path, own: &Path) {
        let (Ok(about), Ok(mine)) = (fs::symlink_metadata(path), fs::symlink_metadata(own)) else { return };
        if about.uid() != mine.uid() || about.file_type() != mine.file_type() {
            return;
        }
        let Ok(file) = File::open(path) else { return };
        // It may be a link by now, or another: only what is locked is taken away.
        if file.try_lock().is_ok() && is_same(path, &file) {
            let _ = if about.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        }
    }

    fn is_same(path: &Path, file: &File) -> bool {
        match (fs::symlink_metadata(path), file.metadata()) {
            (Ok(there), Ok(here)) => (there.dev(), there.ino()) == (here.dev(), here.ino()),
            _ => false,
        }
    }
}

/// Folders cannot be locked here, and a locked file cannot be written: leftovers stay.
#[cfg(not(unix))]
mod locking {
    use std::fs::File;
    use std::path::Path;

    pub fn is_ours(_path: &Path, _file: &File) -> bool {
        true
    }

    pub fn take_away(_path: &Path, _own: &Path) {}
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn leftovers_go_and_what_a_live_run_writes_stays() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("out");
        let left = home.path().join("out.partial-0123456789abcdef");
        fs::create_dir_all(left.join("release")).unwrap();
        fs::write(left.join("release/synthetic.csv"), "half").unwrap();
        let live = ScratchFolder::beside(&target).unwrap();
        assert!(!left.exists());
        fs::write(live.path().join("half"), "").unwrap();
        let second = ScratchFolder::beside(&target).unwrap();
        assert!(live.path().join("half").exists(), "a live run's folder was taken away");
        assert!(second.path().exists());
    }

    #[test]
    fn a_lock_that_was_let_go_makes_a_leftover() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("out");
        let mut live = ScratchFolder::beside(&target).unwrap();
        // What a kill does: the lock is free, and nobody cleans up.
        live._lock = None;
        live.renamed = true;
        let path = live.path().to_owned();
        drop(live);
        assert!(path.exists());
        drop(ScratchFolder::beside(&target).unwrap());
        assert_eq!(names(home.path()), Vec::<String>::new());
    }

    #[test]
    fn links_other_names_and_other_kinds_are_left_alone() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("out");
        let precious = home.path().join("precious");
        fs::create_dir(&precious).unwrap();
        fs::write(precious.join("rows"), "").unwrap();
        symlink(&precious, home.path().join("out.partial-0000000000000000")).unwrap();
        fs::write(home.path().join("out.partial-1111111111111111"), "a file").unwrap();
        for other in ["out.partial-1", "out.partial-XXXXXXXXXXXXXXXX", "outer.partial-0123456789abcdef", "out.old-1"] {
            fs::create_dir(home.path().join(other)).unwrap();
        }
        let before = names(home.path());
        // A link inside a leftover is taken away, and not what it points to.
        let left = home.path().join("out.partial-2222222222222222");
        fs::create_dir(&left).unwrap();
        symlink(&precious, left.join("link")).unwrap();
        drop(ScratchFolder::beside(&target).unwrap());
        assert_eq!(names(home.path()), before);
        assert_eq!(names(&precious), ["rows"]);
    }

    #[test]
    fn files_in_the_making_are_swept_by_the_same_rule() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("page.html");
        fs::write(home.path().join(".lookalike-partial-0123456789abcdef"), "half").unwrap();
        fs::write(home.path().join(".lookalike-partial-mine"), "another name").unwrap();
        let (one, lock) = file_beside(&target, &private_file()).unwrap();
        let (two, _second) = file_beside(&target, &private_file()).unwrap();
        assert!(one.exists() && two.exists());
        assert_eq!(names(home.path()).len(), 3);
        drop(lock);
        let (three, _third) = file_beside(&target, &private_file()).unwrap();
        assert!(!one.exists() && two.exists() && three.exists());
    }

    #[test]
    fn modes_are_there_from_the_start() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("out");
        let folder = ScratchFolder::beside(&target).unwrap();
        assert_eq!(mode(folder.path()), 0o700);
        let (file, _lock) = file_beside(&target, &private_file()).unwrap();
        assert_eq!(mode(&file), 0o600);
    }
}
