//! The key file: 32 random bytes as hexadecimal digits.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::LedgerError;
use crate::chain::EntryTag;

/// Where the key of a ledger lies: `L.key` beside `L.db`.
pub(crate) fn place(ledger: &Path) -> Result<PathBuf, LedgerError> {
    let key = ledger.with_extension("key");
    if ledger.file_name().is_none() || key == ledger {
        let what = format!("{}: is no name for a ledger", ledger.display());
        return Err(LedgerError::usage(what, "name a file such as ledger.db; the key lies beside it as ledger.key"));
    }
    Ok(key)
}

/// The key of a ledger that is there.
pub(crate) fn read(path: &Path) -> Result<EntryTag, LedgerError> {
    let shown = path.display();
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let what = format!("{shown}: the ledger's key is missing");
            return Err(LedgerError::usage(what, "put it back: without its key a ledger cannot be used"));
        }
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            return Err(LedgerError::usage(format!("{shown}: may not be read"), "change its permissions"));
        }
        Err(error) if error.kind() == ErrorKind::InvalidData => return Err(no_key(path)),
        Err(error) => return Err(LedgerError::fault(format!("reading {shown}"), error)),
    };
    refuse_open_to_others(path)?;
    from_hex(text.trim_end()).ok_or_else(|| no_key(path))
}

/// The key for a ledger that is being made. A key that is there already (from a try that was cut
/// off) is taken.
pub(crate) fn make(path: &Path) -> Result<EntryTag, LedgerError> {
    if fs::symlink_metadata(path).is_ok() {
        return read(path);
    }
    let mut key: EntryTag = [0; 32];
    let mut name = [0; 8];
    getrandom::fill(&mut key)
        .and_then(|()| getrandom::fill(&mut name))
        .map_err(|error| LedgerError::fault("no entropy from the operating system", error))?;
    // Written under another name first: whoever finds the key finds it whole. A link never replaces
    // a file, so of two who make the same ledger both end up with one key.
    let partial = path.with_extension(format!("key-partial-{}", hex(&name)));
    let made = write_new(&partial, hex(&key).as_bytes()).and_then(|()| match fs::hard_link(&partial, path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    });
    let _ = fs::remove_file(&partial);
    made.map_err(|error| not_writable(path, error))?;
    sync_folder(path).map_err(|error| not_writable(path, error))?;
    read(path)
}

/// An empty file that only its owner may read.
pub(crate) fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn write_new(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut file = create_private(path)?;
    file.write_all(text)?;
    file.write_all(b"\n")?;
    file.sync_all()
}

/// Makes a new name durable.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    // Elsewhere a folder cannot be opened as a file.
    if cfg!(unix) {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}

/// A place that cannot be written: mostly a wrong name, which the user can put right.
pub(crate) fn not_writable(path: &Path, error: io::Error) -> LedgerError {
    let shown = path.display();
    match error.kind() {
        ErrorKind::NotFound => LedgerError::usage(format!("{shown}: no such folder"), "make it first, or name another"),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            LedgerError::usage(format!("{shown}: may not be written"), "name a folder that you may write to")
        }
        ErrorKind::NotADirectory => LedgerError::usage(format!("{shown}: a part of it is a file"), "name a folder"),
        _ => LedgerError::fault(format!("writing {shown}"), error),
    }
}

/// A ledger tells what was released of whom, and its key tells which rows: nobody else should read
/// them.
#[cfg_attr(not(unix), allow(unused_variables))]
pub(crate) fn refuse_open_to_others(path: &Path) -> Result<(), LedgerError> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if let Ok(about) = fs::metadata(path)
            && about.permissions().mode() & 0o077 != 0
        {
            let what = format!("{}: others may read or write it, and it is secret", path.display());
            return Err(LedgerError::usage(what, "take that away: chmod 600"));
        }
    }
    Ok(())
}

fn no_key(path: &Path) -> LedgerError {
    let what = format!("{}: is not the key of a ledger", path.display());
    LedgerError::usage(what, "put the right one back: without its key a ledger cannot be used")
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn from_hex(text: &str) -> Option<EntryTag> {
    let digits = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut key = [0; 32];
    for (place, byte) in key.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * place..2 * place + 2).filter(|_| digits)?, 16).ok()?;
    }
    Some(key)
}
