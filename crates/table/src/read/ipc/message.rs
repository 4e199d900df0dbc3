//! Messages of an Arrow file or stream, as bytes.

use std::fs::File;
use std::io::{self, Read};

use arrow_buffer::Buffer;
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::read_footer_length;
use arrow_ipc::{Block, root_as_footer, root_as_message};
use arrow_schema::{ArrowError, Schema};
use bytes::Bytes;
use parquet::file::reader::{ChunkReader, Length};

use super::damage::damaged;
use crate::error::TableError;
use crate::read::damage::guarded;
use crate::read::parquet::file::Positional;
use crate::read::source::{Progress, read_error};

/// What stands before every message, since version 0.15 of the format.
const CONTINUATION: [u8; 4] = [0xff; 4];
/// The last bytes of a file: the length of the footer, and `ARROW1`.
const TRAILER: usize = 10;

/// What a message says, and the values that go with it. Private cells may be inside: no `Debug`.
pub(super) struct IpcMessage {
    pub(super) head: Vec<u8>,
    pub(super) body: Buffer,
}

/// The messages behind the schema: dictionaries and batches.
pub(super) enum Messages<'a> {
    /// As the footer of a file lists them, dictionaries first.
    File { file: Positional, blocks: Vec<Block>, next: usize },
    /// As they come.
    Stream { stream: Box<dyn Read + Send + 'a>, progress: Progress },
}

impl<'a> Messages<'a> {
    /// Reads the footer. May panic on damage, so it has to be guarded.
    pub(super) fn of_file(file: File) -> Result<(Schema, Self), ArrowError> {
        let file = Positional::new(file)?;
        let trailer = file.len().checked_sub(TRAILER as u64).ok_or_else(broken)?;
        let tail = bytes(&file, trailer, TRAILER)?;
        let length = read_footer_length(tail.as_ref().try_into().map_err(|_| broken())?)?;
        let start = trailer.checked_sub(length as u64).ok_or_else(broken)?;
        let footer = bytes(&file, start, length)?;
        let footer = root_as_footer(&footer).map_err(|_| broken())?;
        let schema = own_order(footer.schema())?;
        let (dictionaries, batches) = (footer.dictionaries(), footer.recordBatches().ok_or_else(broken)?);
        let blocks = dictionaries.iter().flatten().chain(batches.iter()).copied().collect();
        Ok((schema, Self::File { file, blocks, next: 0 }))
    }

    /// Reads the first message, which is the schema.
    pub(super) fn of_stream(
        name: &str,
        mut stream: Box<dyn Read + Send + 'a>,
        progress: Progress,
    ) -> Result<(Schema, Self), TableError> {
        let first = from_stream(name, &mut stream)?.ok_or_else(|| damaged(name))?;
        let schema = guarded(|| {
            let message = root_as_message(&first.head).map_err(|_| broken())?;
            own_order(message.header_as_schema())
        });
        Ok((schema.ok_or_else(|| damaged(name))?, Self::Stream { stream, progress }))
    }

    /// The next message; `None` at the end.
    pub(super) fn next(&mut self, name: &str) -> Result<Option<IpcMessage>, TableError> {
        match self {
            Self::Stream { stream, .. } => from_stream(name, stream),
            Self::File { file, blocks, next } => {
                let Some(block) = blocks.get(*next) else { return Ok(None) };
                *next += 1;
                guarded(|| from_block(file, block)).map(Some).ok_or_else(|| damaged(name))
            }
        }
    }

    /// The share that was read.
    pub(super) fn share(&self) -> Option<f64> {
        match self {
            Self::File { blocks, next, .. } => Some(*next as f64 / blocks.len().max(1) as f64),
            Self::Stream { progress, .. } => progress.share(),
        }
    }
}

/// The columns, when numbers are stored in this machine's order of bytes.
fn own_order(schema: Option<arrow_ipc::Schema<'_>>) -> Result<Schema, ArrowError> {
    let schema = schema.filter(|schema| schema.endianness().equals_to_target_endianness());
    Ok(fb_to_schema(schema.ok_or_else(broken)?))
}

fn from_block(file: &Positional, block: &Block) -> Result<IpcMessage, ArrowError> {
    let (start, head) = (u64::try_from(block.offset()), usize::try_from(block.metaDataLength()));
    let (Ok(start), Ok(head), Ok(body)) = (start, head, usize::try_from(block.bodyLength())) else {
        return Err(broken());
    };
    let whole = bytes(file, start, head.checked_add(body).ok_or_else(broken)?)?;
    let prefix = if whole.starts_with(&CONTINUATION) { 8 } else { 4 };
    let said = whole.get(prefix..head).ok_or_else(broken)?.to_vec();
    Ok(IpcMessage { head: said, body: Buffer::from(whole.slice(head..)) })
}

fn bytes(file: &Positional, start: u64, length: usize) -> Result<Bytes, ArrowError> {
    file.get_bytes(start, length).map_err(|_| broken())
}

/// The next message of a stream. It ends with a length of 0, or where its bytes end.
fn from_stream(name: &str, stream: &mut dyn Read) -> Result<Option<IpcMessage>, TableError> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => damaged(name),
        _ => read_error(name, error),
    };
    let prefix = up_to(stream, 8).map_err(failed)?;
    let length = match prefix.as_slice() {
        [] => return Ok(None),
        [0xff, 0xff, 0xff, 0xff, length @ ..] if length.len() == 4 => {
            u32::from_le_bytes([length[0], length[1], length[2], length[3]])
        }
        _ => return Err(damaged(name)),
    };
    if length == 0 {
        return Ok(None);
    }
    let head = exactly(stream, u64::from(length)).map_err(failed)?;
    let body = guarded(|| root_as_message(&head).map(|message| message.bodyLength()));
    let body = body.and_then(|body| u64::try_from(body).ok()).ok_or_else(|| damaged(name))?;
    let body = Buffer::from_vec(exactly(stream, body).map_err(failed)?);
    Ok(Some(IpcMessage { head, body }))
}

fn exactly(stream: &mut dyn Read, length: u64) -> io::Result<Vec<u8>> {
    let read = up_to(stream, length)?;
    if read.len() as u64 == length { Ok(read) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Lengths come from the stream: memory is taken as bytes come, and not before.
fn up_to(stream: &mut dyn Read, length: u64) -> io::Result<Vec<u8>> {
    let mut read = Vec::new();
    stream.take(length).read_to_end(&mut read)?;
    Ok(read)
}

fn broken() -> ArrowError {
    ArrowError::IpcError("damaged".to_owned())
}
