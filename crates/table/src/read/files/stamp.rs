//! By what a file is known to have stayed as it was.

use std::fs::Metadata;
use std::path::Path;
use std::time::SystemTime;

use crate::error::TableError;

/// The size of a file and when it was last changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) struct FileStamp {
    pub(in crate::read) size: u64,
    /// `None` where the system does not keep it.
    changed: Option<SystemTime>,
}

impl FileStamp {
    pub(in crate::read) fn of(about: &Metadata) -> Self {
        Self { size: about.len(), changed: about.modified().ok() }
    }

    /// The stamp as bytes, to be compared in a later run.
    pub(in crate::read) fn bytes(self) -> Vec<u8> {
        let since = self.changed.and_then(|changed| changed.duration_since(SystemTime::UNIX_EPOCH).ok());
        let nanos = since.map_or(u128::MAX, |since| since.as_nanos());
        [&self.size.to_le_bytes()[..], &nanos.to_le_bytes()].concat()
    }

    /// `Err` when the file at this path is another one now, or none.
    pub(in crate::read) fn is_still_that_of(self, path: &Path) -> Result<(), TableError> {
        match std::fs::metadata(path) {
            Ok(about) if Self::of(&about) == self => Ok(()),
            _ => Err(TableError::Changed),
        }
    }
}
