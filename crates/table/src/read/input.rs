//! What is read, how, and under whose eyes.

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use lookalike_schema::TextEncoding;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files::{FileList, FileStamp};
use super::remote::{Batches, RemoteInput};
pub use super::watch::ReadWatch;
use crate::error::TableError;

/// What messages call a table that has no file.
pub(super) const BATCHES: &str = "batches";

/// Where the rows of a table come from.
pub enum RowSource<'a> {
    /// A file, several, or standard input.
    Input(&'a Input),
    /// Arrow batches, all with the same columns.
    Batches(&'a mut (dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send)),
}

/// Where rows come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// `.csv`, `.csv.gz`, `.tsv`, `.tsv.gz`, `.parquet`, `.arrow`, `.feather`, `.arrows`; anything
    /// else is taken as CSV, gzip, Parquet and Arrow told by their magic bytes. Also a folder or a
    /// pattern, of which a [`FileList`] is made anew for every reading.
    Path(PathBuf),
    /// Several files as one table, all with the same columns and of one kind.
    Files(FileList),
    /// Standard input (`-`): CSV, gzipped CSV, Parquet or Arrow, told by content. It can be read
    /// once.
    Stdin,
    /// Standard input or a pipe that was laid down to be read again.
    Kept(Kept),
    /// Rows that another program holds in memory, to be read as often as needed.
    Batches(HeldBatches),
    /// A table that a server holds. Each reading fetches its rows anew.
    Remote(RemoteInput),
}

/// Arrow batches in memory, all with the same columns.
#[derive(Clone, Debug)]
pub struct HeldBatches(Arc<[RecordBatch]>);

impl HeldBatches {
    /// Holds these batches.
    pub fn new(batches: impl IntoIterator<Item = RecordBatch>) -> Self {
        Self(batches.into_iter().collect())
    }

    /// The batches.
    pub fn batches(&self) -> &[RecordBatch] {
        &self.0
    }
}

impl PartialEq for HeldBatches {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for HeldBatches {}

/// How to read.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// Field delimiter; `None`: the schema's, else by file name, else guessed from the header line
    /// alone.
    pub delimiter: Option<u8>,
    /// How letters are encoded; `None`: as the schema says, else UTF-8.
    pub encoding: Option<TextEncoding>,
    /// Whether quoted fields may hold line ends, where the schema does not say so itself. Otherwise
    /// every line is a record.
    pub multiline: bool,
    /// Coded rows beyond this many bytes are spilled to an unlinked private temporary file.
    pub memory: u64,
}

/// A stream that was laid into a file without a name: nobody else can open it, and it goes away
/// with the process.
///
/// Its readers share one place in the file, so that one has to be done before the next one begins.
#[derive(Clone, Debug)]
pub struct Kept {
    pub(super) name: String,
    pub(super) file: Arc<File>,
}

impl PartialEq for Kept {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.file, &other.file)
    }
}

impl Eq for Kept {}

impl Input {
    /// The input as the user named it.
    pub fn name(&self) -> String {
        match self {
            Self::Path(path) => path.display().to_string(),
            Self::Files(list) => list.given().display().to_string(),
            Self::Stdin => "standard input".to_owned(),
            Self::Kept(kept) => kept.name.clone(),
            Self::Batches(_) => BATCHES.to_owned(),
            Self::Remote(remote) => remote.rows().name(),
        }
    }

    /// The rows in batches, where they come so.
    pub(super) fn batches<'a>(&'a self, watch: &'a dyn ReadWatch) -> Result<Option<Batches<'a>>, TableError> {
        Ok(match self {
            Self::Batches(held) => Some(Box::new(held.batches().iter().cloned().map(Ok))),
            Self::Remote(remote) => Some(remote.rows().open(watch)?),
            _ => None,
        })
    }

    /// The files, when the input is several.
    ///
    /// `Err` as for [`FileList::find`].
    pub(super) fn files(&self) -> Result<Option<FileList>, TableError> {
        match self {
            Self::Path(path) => FileList::find(path),
            Self::Files(list) => Ok(Some(list.clone())),
            _ => Ok(None),
        }
    }

    /// Whether a file at this path would be taken for one of the table's.
    pub fn would_take(&self, file: &Path) -> bool {
        match self {
            Self::Path(given) => FileList::would_take(given, file),
            Self::Files(list) => FileList::would_take(list.given(), file),
            Self::Stdin | Self::Kept(_) | Self::Batches(_) | Self::Remote(_) => false,
        }
    }

    /// By what a later run knows the files to be the same: their paths, sizes and times of change.
    /// A server's table is known by its address alone. `None` where rows come from neither.
    ///
    /// `Err` as for [`FileList::find`], or when a file is gone.
    pub fn stamp(&self) -> Result<Option<Vec<u8>>, TableError> {
        let stamped = |path: &Path, stamp: FileStamp| {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            [path.as_os_str().as_encoded_bytes(), &[0], &stamp.bytes()].concat()
        };
        match (self, self.files()?) {
            (_, Some(list)) => Ok(Some(list.files().iter().flat_map(|file| stamped(&file.path, file.stamp)).collect())),
            (Self::Path(path), None) => {
                let about = std::fs::metadata(path);
                let about =
                    about.map_err(|source| TableError::Io { what: format!("reading {}", self.name()), source })?;
                Ok(about.is_file().then(|| stamped(path, FileStamp::of(&about))))
            }
            (Self::Remote(remote), None) => Ok(Some(remote.rows().identity())),
            _ => Ok(None),
        }
    }

    /// Whether it can be read a second time: anything but standard input and pipes.
    pub fn can_be_read_again(&self) -> bool {
        match self {
            Self::Stdin => false,
            Self::Path(path) => std::fs::metadata(path).map_or(true, |about| about.is_file() || about.is_dir()),
            Self::Files(_) | Self::Kept(_) | Self::Batches(_) | Self::Remote(_) => true,
        }
    }
}
