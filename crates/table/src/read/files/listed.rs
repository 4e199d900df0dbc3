//! A file of a list.

use std::path::PathBuf;

use super::hive::PartitionKey;
use super::stamp::FileStamp;

/// A file of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::read) struct ListedFile {
    pub(in crate::read) path: PathBuf,
    /// What the folders on the way say of all rows of the file.
    pub(in crate::read) keys: Vec<PartitionKey>,
    pub(in crate::read) stamp: FileStamp,
}

impl ListedFile {
    /// Whether it is an empty text: where rows are spread over files, one may get none, not even a
    /// header.
    pub(in crate::read) fn is_blank(&self) -> bool {
        let ending = self.path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
        let typed = ["parquet", "arrow", "feather", "arrows", "ipc"];
        self.stamp.size == 0 && !ending.is_some_and(|ending| typed.contains(&ending.as_str()))
    }
}
