//! Opening an input and telling what it is: Parquet and gzip by their magic bytes, anything else is
//! text.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;

use super::input::{HeldBatches, Input, ReadWatch};
use super::patient::{Patient, was_stopped};
use crate::error::TableError;

/// An opened input.
pub(super) struct Source<'a> {
    /// The input as the user named it, for messages.
    pub(super) name: String,
    pub(super) body: Body<'a>,
    pub(super) progress: Progress,
}

pub(super) enum Body<'a> {
    /// Delimited text, already unpacked.
    Text(Box<dyn Read + Send + 'a>),
    /// A seekable Parquet file.
    Parquet(File),
    /// Rows in memory.
    Batches(HeldBatches),
}

/// How much of the file was read, when its size is known.
#[derive(Clone)]
pub(super) struct Progress {
    read: Arc<AtomicU64>,
    size: Option<u64>,
}

impl Progress {
    fn new(size: Option<u64>) -> Self {
        Self { read: Arc::new(AtomicU64::new(0)), size }
    }

    /// The share of the file that was read, in 0..=1.
    pub(super) fn share(&self) -> Option<f64> {
        let size = self.size.filter(|&size| size > 0)?;
        Some((self.read.load(Ordering::Relaxed) as f64 / size as f64).min(1.0))
    }
}

/// Counts the bytes that pass.
struct Counted<R> {
    inner: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

pub(super) fn file_error(name: &str, what: impl Into<String>, help: impl Into<String>) -> TableError {
    TableError::File { file: name.to_owned(), what: what.into(), help: help.into() }
}

/// A failed read: damaged compression is a fault of the file, anything else one of the system.
pub(super) fn read_error(name: &str, error: io::Error) -> TableError {
    if was_stopped(&error) {
        return TableError::Cancelled;
    }
    match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
            file_error(name, "the compressed data is damaged or cut short", "make the file anew, or unpack it first")
        }
        _ => TableError::Io { what: format!("reading {name}"), source: error },
    }
}

/// Opens the input; a pipe is given up when the watch asks to stop. `Err` when there is no such
/// file, when it is a folder, or when it cannot be read.
pub(super) fn open<'a>(input: &Input, watch: &'a dyn ReadWatch) -> Result<Source<'a>, TableError> {
    let name = input.name();
    match input {
        Input::Kept(kept) => kept.open(),
        Input::Batches(held) => Ok(Source { name, body: Body::Batches(held.clone()), progress: Progress::new(None) }),
        Input::Stdin => from_stream(name, Box::new(Patient::new(io::stdin(), watch)), None),
        Input::Path(path) => {
            let file = open_file(path, &name)?;
            let data = file.metadata().map_err(|source| TableError::Io { what: format!("reading {name}"), source })?;
            if data.is_dir() {
                return Err(file_error(&name, "is a folder, not a file", "name a .csv, .tsv or .parquet file"));
            }
            if data.is_file() {
                from_file(name, path, file, data.len())
            } else {
                // A pipe has neither a size nor a way back.
                from_stream(name, Box::new(Patient::new(file, watch)), None)
            }
        }
    }
}

pub(super) fn open_file(path: &Path, name: &str) -> Result<File, TableError> {
    File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            file_error(name, "no such file", "check the path, or use - for standard input")
        }
        io::ErrorKind::PermissionDenied => file_error(name, "may not be read", "check the file's permissions"),
        io::ErrorKind::IsADirectory => {
            file_error(name, "is a folder, not a file", "name a .csv, .tsv or .parquet file")
        }
        _ => TableError::Io { what: format!("opening {name}"), source: error },
    })
}

const PARQUET: &[u8] = b"PAR1";
const GZIP: &[u8] = &[0x1f, 0x8b];

pub(super) fn from_file(name: String, path: &Path, mut file: File, size: u64) -> Result<Source<'static>, TableError> {
    let mut magic = Vec::new();
    Read::by_ref(&mut file).take(4).read_to_end(&mut magic).map_err(|error| read_error(&name, error))?;
    file.seek(SeekFrom::Start(0)).map_err(|error| read_error(&name, error))?;
    if magic == PARQUET {
        return Ok(Source { name, body: Body::Parquet(file), progress: Progress::new(Some(size)) });
    }
    let named_parquet = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("parquet"));
    if named_parquet && !magic.starts_with(GZIP) {
        return Err(file_error(&name, "is not a Parquet file", "give it the name of what it is, such as .csv"));
    }
    from_stream(name, Box::new(file), Some(size))
}

/// A stream of unknown content: gzip is unpacked, Parquet is laid into a temporary file, anything
/// else is text.
pub(super) fn from_stream<'a>(
    name: String,
    stream: Box<dyn Read + Send + 'a>,
    size: Option<u64>,
) -> Result<Source<'a>, TableError> {
    let progress = Progress::new(size);
    let mut stream = Counted { inner: stream, read: progress.read.clone() };
    let mut magic = Vec::new();
    Read::by_ref(&mut stream).take(4).read_to_end(&mut magic).map_err(|error| read_error(&name, error))?;
    let is_parquet = magic == PARQUET;
    let is_gzip = magic.starts_with(GZIP);
    let whole = io::Cursor::new(magic).chain(stream);
    let body = if is_parquet {
        Body::Parquet(to_temporary_file(&name, whole)?)
    } else if is_gzip {
        Body::Text(Box::new(MultiGzDecoder::new(BufReader::with_capacity(1 << 18, whole))))
    } else {
        Body::Text(Box::new(whole))
    };
    Ok(Source { name, body, progress })
}

/// Parquet is read from its end, so a stream of it has to lie somewhere: in a file without a name,
/// for this user only.
pub(super) fn to_temporary_file(name: &str, mut stream: impl Read) -> Result<File, TableError> {
    let failed = |source| TableError::Io { what: format!("laying {name} into a temporary file"), source };
    let mut file = tempfile::tempfile().map_err(failed)?;
    let mut buffer = vec![0u8; 1 << 20];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => file.write_all(&buffer[..count]).map_err(failed)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(read_error(name, error)),
        }
    }
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    Ok(file)
}
