//! Text in chunks of whole records.

use std::io::{ErrorKind, Read};

use super::records::{Dialect, Skip, last_record_end};
use super::source::read_error;
use crate::TableError;

/// Bytes to aim for in a chunk: large enough that handing it to a thread costs nothing, small enough for its second-level cache.
pub(super) const CHUNK_BYTES: usize = 1 << 20;

/// Zero bytes behind the text of every chunk, so that the splitter may look at 64 bytes from anywhere.
pub(super) const PADDING: usize = 64;

/// Whole records. Private text may be inside: no `Debug`, no `Clone`.
pub(super) struct Chunk {
    bytes: Vec<u8>,
}

impl Chunk {
    /// The chunk of a text. `bytes` keeps its capacity.
    pub(super) fn new(mut bytes: Vec<u8>) -> Self {
        bytes.resize(bytes.len() + PADDING, 0);
        Self { bytes }
    }

    pub(super) fn text(&self) -> &[u8] {
        &self.bytes[..self.bytes.len() - PADDING]
    }

    /// The text and the padding behind it.
    pub(super) fn padded(&self) -> &[u8] {
        &self.bytes
    }

    fn into_buffer(self) -> Vec<u8> {
        self.bytes
    }
}

/// Cuts a stream into chunks of whole records.
pub(super) struct Chunker<'a> {
    name: String,
    stream: Box<dyn Read + Send + 'a>,
    dialect: Dialect,
    target: usize,
    /// Bytes that were read and not given out; they start with a record.
    carry: Vec<u8>,
    /// Set while the rest of an over-long record is skipped.
    skip: Option<Skip>,
    at_end: bool,
    /// Buffers of chunks that were used up.
    spare: Vec<Vec<u8>>,
}

impl<'a> Chunker<'a> {
    /// `start` was already read and stands before the rest of the stream.
    pub(super) fn new(name: String, stream: Box<dyn Read + Send + 'a>, dialect: Dialect, start: Vec<u8>) -> Self {
        let (skip, at_end, spare) = (None, false, Vec::new());
        Self { name, stream, dialect, target: CHUNK_BYTES, carry: start, skip, at_end, spare }
    }

    #[cfg(test)]
    pub(super) fn with_target(mut self, target: usize) -> Self {
        self.target = target;
        self
    }

    /// Takes back a chunk whose records are done with.
    pub(super) fn recycle(&mut self, chunk: Chunk) {
        self.spare.push(chunk.into_buffer());
    }

    /// Up to `count` chunks; none at the end.
    pub(super) fn batch(&mut self, count: usize) -> Result<Vec<Chunk>, TableError> {
        let mut out = Vec::with_capacity(count);
        while out.len() < count {
            match self.chunk()? {
                Some(chunk) => out.push(chunk),
                None => break,
            }
        }
        Ok(out)
    }

    /// The next records of the stream; `None` at its end.
    pub(super) fn chunk(&mut self) -> Result<Option<Chunk>, TableError> {
        let mut text = self.spare.pop().unwrap_or_default();
        text.clear();
        text.append(&mut self.carry);
        loop {
            self.fill(&mut text)?;
            self.skip_rest(&mut text);
            if self.skip.is_some() && !self.at_end {
                continue;
            }
            if self.at_end {
                return Ok(if text.is_empty() { None } else { Some(Chunk::new(text)) });
            }
            let end = last_record_end(&text, self.dialect);
            if end > 0 {
                self.carry.extend_from_slice(&text[end..]);
                text.truncate(end);
                return Ok(Some(Chunk::new(text)));
            }
            if text.len() > self.dialect.longest {
                // One record that is longer than any may be. What is kept of it becomes a chunk of its own.
                let mut skip = Skip::FieldStart;
                skip.advance(&text, self.dialect);
                self.skip = Some(skip);
                text.truncate(self.dialect.longest);
                return Ok(Some(Chunk::new(text)));
            }
        }
    }

    /// Reads at least half a chunk more, and up to a whole one, unless the stream ends.
    fn fill(&mut self, text: &mut Vec<u8>) -> Result<(), TableError> {
        if self.at_end {
            return Ok(());
        }
        let more = self.target.saturating_sub(text.len()).max(self.target / 2).max(1);
        let mut filled = text.len();
        let wanted = filled + more;
        text.reserve(more + PADDING);
        text.resize(wanted, 0);
        while filled < wanted {
            match self.stream.read(&mut text[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(read_error(&self.name, error)),
            }
        }
        self.at_end = filled < wanted;
        text.truncate(filled);
        Ok(())
    }

    /// Drops what still belongs to an over-long record.
    fn skip_rest(&mut self, text: &mut Vec<u8>) {
        if let Some(skip) = &mut self.skip {
            match skip.advance(text, self.dialect) {
                Some(end) => {
                    text.drain(..end);
                    self.skip = None;
                }
                None => text.clear(),
            }
        }
    }
}
