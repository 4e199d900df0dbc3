//! Text in chunks of whole records.

use std::io::Read;

use super::records::{Dialect, Skip, last_record_end};
use super::source::read_error;
use crate::error::TableError;

/// Bytes to aim for in a chunk: large enough that handing it to a thread costs nothing, small
/// enough for its second-level cache.
pub(super) const CHUNK_BYTES: usize = 1 << 20;

/// Codes that the records of one chunk may become. Records may be shorter than the table is wide: a
/// line of two bytes is still a row of all columns, and a chunk of them must not fill the memory.
const CHUNK_CODES: usize = 1 << 26;

/// Bytes to aim for in a chunk of a table of that many columns.
pub(super) fn target_for(columns: usize) -> usize {
    (2 * CHUNK_CODES / columns.max(1)).clamp(1 << 12, CHUNK_BYTES)
}

/// Zero bytes behind the text of every chunk, so that the splitter may look at 64 bytes from
/// anywhere.
pub(super) const PADDING: usize = 64;

/// Whole records. Private text may be inside: no `Debug`, no `Clone`.
pub(super) struct Chunk {
    bytes: Vec<u8>,
    /// Lines of the stream that were dropped before this chunk: the rest of a record that was cut.
    pub(super) lines_dropped: u64,
    /// Whether this is the start of one record whose rest is dropped.
    pub(super) is_cut: bool,
}

impl Chunk {
    /// The chunk of a text. `bytes` keeps its capacity.
    pub(super) fn new(mut bytes: Vec<u8>) -> Self {
        bytes.resize(bytes.len() + PADDING, 0);
        Self { bytes, lines_dropped: 0, is_cut: false }
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
    /// Lines that were dropped since the last chunk.
    lines_dropped: u64,
    /// Buffers of chunks that were used up.
    spare: Vec<Vec<u8>>,
}

impl<'a> Chunker<'a> {
    /// `start` was already read and stands before the rest of the stream.
    pub(super) fn new(name: String, stream: Box<dyn Read + Send + 'a>, dialect: Dialect, start: Vec<u8>) -> Self {
        let (skip, at_end, lines_dropped, spare) = (None, false, 0, Vec::new());
        Self { name, stream, dialect, target: CHUNK_BYTES, carry: start, skip, at_end, lines_dropped, spare }
    }

    /// Aims for chunks of another size.
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
        let chunk = self.next_records()?;
        Ok(chunk.map(|chunk| Chunk {
            lines_dropped: std::mem::take(&mut self.lines_dropped),
            is_cut: self.skip.is_some(),
            ..chunk
        }))
    }

    fn next_records(&mut self) -> Result<Option<Chunk>, TableError> {
        let mut text = self.spare.pop().unwrap_or_default();
        text.clear();
        text.append(&mut self.carry);
        loop {
            self.fill(&mut text)?;
            self.skip_rest(&mut text);
            if self.skip.is_some() && !self.at_end {
                continue;
            }
            if self.at_end && text.len() <= 2 * self.target {
                return Ok(if text.is_empty() { None } else { Some(Chunk::new(text)) });
            }
            let end = self.whole_records(&text);
            if end > 0 {
                self.carry.extend_from_slice(&text[end..]);
                text.truncate(end);
                return Ok(Some(Chunk::new(text)));
            }
            if self.at_end {
                return Ok(Some(Chunk::new(text)));
            }
            if text.len() > self.dialect.longest {
                // One record that is longer than any may be. What is kept of it becomes a chunk of
                // its own.
                let mut skip = Skip::FieldStart;
                skip.advance(&text, self.dialect);
                self.skip = Some(skip);
                text.truncate(self.dialect.longest);
                return Ok(Some(Chunk::new(text)));
            }
        }
    }

    /// The end of the records for the next chunk: about as many as were aimed for, since more may
    /// be there from the start.
    fn whole_records(&self, text: &[u8]) -> usize {
        let window = (2 * self.target).min(text.len());
        match last_record_end(&text[..window], self.dialect) {
            0 => last_record_end(text, self.dialect),
            end => end,
        }
    }

    /// Reads at least half a chunk more, and up to a whole one, unless the stream ends.
    fn fill(&mut self, text: &mut Vec<u8>) -> Result<(), TableError> {
        if self.at_end {
            return Ok(());
        }
        // Long records are not looked through again for every few bytes.
        let more = self.target.saturating_sub(text.len()).max(self.target / 2).max(text.len() / 8).max(1);
        text.reserve(more + PADDING);
        let read = Read::by_ref(&mut self.stream).take(more as u64).read_to_end(text);
        self.at_end = read.map_err(|error| read_error(&self.name, error))? < more;
        Ok(())
    }

    /// Drops what still belongs to an over-long record.
    fn skip_rest(&mut self, text: &mut Vec<u8>) {
        if let Some(skip) = &mut self.skip {
            let end = skip.advance(text, self.dialect);
            let dropped = &text[..end.unwrap_or(text.len())];
            self.lines_dropped += memchr::memchr_iter(self.dialect.terminator, dropped).count() as u64;
            match end {
                Some(end) => {
                    text.drain(..end);
                    self.skip = None;
                }
                None => text.clear(),
            }
        }
    }
}
