//! Blocks that lie in a file, one after the other, each column by column.

use std::fs::File;
use std::io::{self, Write};

use lookalike_tally::{Block, Codes, Width};

use crate::TableError;

/// Blocks in a file. They are read from any thread, at any place, at the same time.
pub(super) struct Spill {
    file: File,
    blocks: Vec<StoredBlock>,
    /// Where the next block would begin.
    end: u64,
}

/// Where a block lies.
struct StoredBlock {
    offset: u64,
    rows: usize,
}

fn reading(source: io::Error) -> TableError {
    TableError::Io { what: "reading spilled rows back".to_owned(), source }
}

fn writing(source: io::Error) -> TableError {
    TableError::Io { what: "writing rows that exceed the memory bound to a temporary file".to_owned(), source }
}

impl Spill {
    /// No blocks yet, in a file that has no name (nobody else can open it), that this user alone
    /// may read, and that goes away with the process.
    pub(super) fn new() -> Result<Self, TableError> {
        Ok(Self { file: tempfile::tempfile().map_err(writing)?, blocks: Vec::new(), end: 0 })
    }

    /// Blocks of these numbers of rows in a file, from `start` on.
    pub(super) fn at(file: File, start: u64, rows: &[usize], row_bytes: u64) -> Self {
        let mut end = start;
        let mut blocks = Vec::with_capacity(rows.len());
        for &rows in rows {
            blocks.push(StoredBlock { offset: end, rows });
            end += rows as u64 * row_bytes;
        }
        Self { file, blocks, end }
    }

    /// Without the first blocks.
    pub(super) fn after(mut self, first: usize) -> Self {
        self.blocks.drain(..first);
        self
    }

    /// How many blocks there are.
    pub(super) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The rows of a block.
    pub(super) fn rows(&self, index: usize) -> usize {
        self.blocks[index].rows
    }

    /// The rows of all blocks.
    pub(super) fn all_rows(&self) -> u64 {
        self.blocks.iter().map(|block| block.rows as u64).sum()
    }

    /// Writes a block behind the others.
    pub(super) fn append(&mut self, block: &Block) -> Result<(), TableError> {
        let bytes = bytes_of(block);
        self.file.write_all(&bytes).map_err(writing)?;
        self.blocks.push(StoredBlock { offset: self.end, rows: block.rows() });
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// A block, with the codes of the columns that are needed. Columns lie one after the other, so
    /// neighbours are read together and others are passed over.
    pub(super) fn load(&self, all: &[Width], index: usize, needed: Option<&[bool]>) -> Result<Block, TableError> {
        let StoredBlock { mut offset, rows } = self.blocks[index];
        let is_needed = |column: usize| needed.is_none_or(|needed| needed[column]);
        let mut columns: Vec<Codes> = Vec::with_capacity(all.len());
        while columns.len() < all.len() {
            let first = columns.len();
            let run = (first..all.len()).take_while(|&column| is_needed(column) == is_needed(first)).count();
            let widths = &all[first..first + run];
            let length = rows * widths.iter().map(|width| width.bytes()).sum::<usize>();
            if is_needed(first) {
                let mut bytes = vec![0u8; length];
                read_at(&self.file, &mut bytes, offset).map_err(reading)?;
                columns.extend(split(&bytes, widths, rows));
            } else {
                columns.extend(widths.iter().map(|&width| Codes::with_capacity(width, 0)));
            }
            offset += length as u64;
        }
        Ok(Block::new(rows, columns))
    }
}

/// The bytes of a block, column by column.
pub(crate) fn bytes_of(block: &Block) -> Vec<u8> {
    let mut bytes = Vec::new();
    for codes in block.columns() {
        match codes {
            Codes::U8(codes) => bytes.extend_from_slice(codes),
            Codes::U16(codes) => bytes.extend(codes.iter().flat_map(|code| code.to_le_bytes())),
            Codes::U32(codes) => bytes.extend(codes.iter().flat_map(|code| code.to_le_bytes())),
        }
    }
    bytes
}

/// The codes of columns that lie one after the other.
pub(crate) fn split(mut bytes: &[u8], widths: &[Width], rows: usize) -> Vec<Codes> {
    let codes = |&width: &Width| {
        let (column, after) = bytes.split_at(width.bytes() * rows);
        bytes = after;
        match width {
            Width::One => Codes::U8(column.to_vec()),
            Width::Two => Codes::U16(column.as_chunks().0.iter().map(|&b| u16::from_le_bytes(b)).collect()),
            Width::Four => Codes::U32(column.as_chunks().0.iter().map(|&b| u32::from_le_bytes(b)).collect()),
        }
    };
    widths.iter().map(codes).collect()
}

/// Fills the buffer from a place of the file, whatever other threads read.
#[cfg(unix)]
pub(super) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

/// Fills the buffer from a place of the file, whatever other threads read.
#[cfg(windows)]
pub(super) fn read_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => (buffer, offset) = (&mut buffer[read..], offset + read as u64),
        }
    }
    Ok(())
}
