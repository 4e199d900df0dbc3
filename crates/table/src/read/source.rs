//! Opening one file or stream and telling what it is: Parquet, Arrow and gzip by their magic bytes,
//! anything else is text.

use std::fs::{File, Metadata};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;

use super::input::{Input, ReadWatch};
use super::patient::{Patient, was_stopped};
use crate::error::{TableError, file_error};

/// An opened input.
pub(super) struct Source<'a> {
    /// The input as the user named it, for messages.
    pub(super) name: String,
    pub(super) body: Body<'a>,
    pub(super) progress: Progress,
    /// What the delimiter is by the file's name.
    pub(super) delimiter: Option<u8>,
}

pub(super) enum Body<'a> {
    /// Delimited text, already unpacked.
    Text(Box<dyn Read + Send + 'a>),
    /// A seekable Parquet file.
    Parquet(File),
    /// A seekable Arrow file (IPC).
    ArrowFile(File),
    /// A stream of Arrow messages (IPC).
    ArrowStream(Box<dyn Read + Send + 'a>),
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

/// Opens a file or a pipe, which is given up when the watch asks to stop. What the system says of a
/// file comes back, to be compared once it was read.
///
/// `Err` when there is no such file, when it is a folder, or when it cannot be read.
pub(super) fn open_path<'a>(
    path: &Path,
    watch: &'a dyn ReadWatch,
) -> Result<(Source<'a>, Option<Metadata>), TableError> {
    let name = path.display().to_string();
    let file = open_file(path, &name)?;
    let about = file.metadata().map_err(|source| TableError::Io { what: format!("reading {name}"), source })?;
    if about.is_dir() {
        return Err(is_folder(&name));
    }
    if about.is_file() {
        Ok((from_file(name, path, file, about.len())?, Some(about)))
    } else {
        // A pipe has neither a size nor a way back.
        let source = from_stream(name, path, Box::new(Patient::new(file, watch)), None)?;
        Ok((source, None))
    }
}

/// Standard input.
pub(super) fn open_stdin<'a>(watch: &'a dyn ReadWatch) -> Result<Source<'a>, TableError> {
    from_stream(Input::Stdin.name(), Path::new(""), Box::new(Patient::new(io::stdin(), watch)), None)
}

fn is_folder(name: &str) -> TableError {
    file_error(name, "is a folder, not a file", "name a .csv, .tsv, .parquet or .arrow file")
}

pub(super) fn open_file(path: &Path, name: &str) -> Result<File, TableError> {
    File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            file_error(name, "no such file", "check the path, or use - for standard input")
        }
        io::ErrorKind::PermissionDenied => file_error(name, "may not be read", "check the file's permissions"),
        io::ErrorKind::IsADirectory => is_folder(name),
        _ => TableError::Io { what: format!("opening {name}"), source: error },
    })
}

const PARQUET: &[u8] = b"PAR1";
const GZIP: &[u8] = &[0x1f, 0x8b];
const ARROW_FILE: &[u8] = b"ARROW1\0\0";
/// Every message of an Arrow stream begins so; no text in UTF-8 does.
const ARROW_STREAM: &[u8] = &[0xff; 4];
/// The first version of Feather, which is not Arrow's own format.
const FEATHER: &[u8] = b"FEA1";
/// As many bytes as tell what it is.
const MAGIC: u64 = 8;

pub(super) fn from_file(name: String, path: &Path, mut file: File, size: u64) -> Result<Source<'static>, TableError> {
    let mut magic = Vec::new();
    Read::by_ref(&mut file).take(MAGIC).read_to_end(&mut magic).map_err(|error| read_error(&name, error))?;
    file.seek(SeekFrom::Start(0)).map_err(|error| read_error(&name, error))?;
    let body = match () {
        () if magic.starts_with(PARQUET) => Body::Parquet(file),
        () if magic == ARROW_FILE => Body::ArrowFile(file),
        () => return from_stream(name, path, Box::new(file), Some(size)),
    };
    Ok(Source { name, body, progress: Progress::new(Some(size)), delimiter: None })
}

/// A stream of unknown content: gzip is unpacked, Parquet and Arrow files are laid into a temporary
/// file, anything else is text. The path's name may promise what it is not.
pub(super) fn from_stream<'a>(
    name: String,
    path: &Path,
    stream: Box<dyn Read + Send + 'a>,
    size: Option<u64>,
) -> Result<Source<'a>, TableError> {
    let progress = Progress::new(size);
    let mut stream = Counted { inner: stream, read: progress.read.clone() };
    let mut magic = Vec::new();
    Read::by_ref(&mut stream).take(MAGIC).read_to_end(&mut magic).map_err(|error| read_error(&name, error))?;
    let whole = io::Cursor::new(magic.clone()).chain(stream);
    let body = match () {
        () if magic.starts_with(PARQUET) => Body::Parquet(to_temporary_file(&name, whole)?),
        () if magic == ARROW_FILE => Body::ArrowFile(to_temporary_file(&name, whole)?),
        () if magic.starts_with(ARROW_STREAM) => Body::ArrowStream(Box::new(BufReader::with_capacity(1 << 18, whole))),
        () if magic.starts_with(GZIP) => {
            Body::Text(Box::new(MultiGzDecoder::new(BufReader::with_capacity(1 << 18, whole))))
        }
        () => {
            is_no_other(&name, path, &magic)?;
            Body::Text(Box::new(whole))
        }
    };
    Ok(Source { name, body, progress, delimiter: delimiter_of(path) })
}

/// `Err` when what looks like text is called something else.
fn is_no_other(name: &str, path: &Path, magic: &[u8]) -> Result<(), TableError> {
    let ending = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let is_arrow = matches!(ending.as_str(), "arrow" | "feather" | "arrows" | "ipc");
    if magic.starts_with(FEATHER) && (is_arrow || magic.get(4) == Some(&0)) {
        let help = "write it anew as version 2, as pyarrow and polars do unless told otherwise";
        return Err(file_error(name, "is Feather of version 1, which is not read", help));
    }
    let kind = match ending.as_str() {
        "parquet" => "a Parquet",
        _ if is_arrow => "an Arrow",
        _ => return Ok(()),
    };
    Err(file_error(name, format!("is not {kind} file"), "give it the name of what it is, such as .csv"))
}

/// The delimiter that the file's name tells.
fn delimiter_of(path: &Path) -> Option<u8> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    (name.ends_with(".tsv") || name.ends_with(".tab")).then_some(b'\t')
}

/// Parquet and Arrow files are read from their end, so a stream of one has to lie somewhere: in a
/// file without a name, for this user only.
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
