//! Where a table's blocks lie: in memory up to a bound, beyond it in an unlinked private temporary
//! file.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::sync::Mutex;

use lookalike_tally::{Block, Blocks, Codes, Width};

use crate::TableError;

/// Blocks in row order: the resident ones first, then the spilled ones.
pub(crate) struct BlockStore {
    widths: Vec<Width>,
    block_rows: usize,
    resident: Vec<Block>,
    spill: Option<Spill>,
    rows: u64,
}

/// Blocks that did not fit. The file has no name (nobody else can open it) and goes away with the
/// process.
struct Spill {
    file: Mutex<File>,
    /// Byte offset and row count of each block.
    blocks: Vec<(u64, usize)>,
}

fn io_error(what: &str) -> impl FnOnce(std::io::Error) -> TableError {
    let what = what.to_owned();
    move |source| TableError::Io { what, source }
}

impl BlockStore {
    #[cfg(test)]
    pub(crate) fn spilled_blocks(&self) -> usize {
        self.spill.as_ref().map_or(0, |spill| spill.blocks.len())
    }

    /// A spilled block, with the codes of the columns that are needed. Columns lie one after the
    /// other in a block, so neighbours are read together and others are passed over.
    fn load(&self, spill: &Spill, index: usize, needed: Option<&[bool]>) -> Result<Block, TableError> {
        let (mut offset, rows) = spill.blocks[index];
        let is_needed = |column: usize| needed.is_none_or(|needed| needed[column]);
        let mut columns: Vec<Codes> = Vec::with_capacity(self.widths.len());
        while columns.len() < self.widths.len() {
            let first = columns.len();
            let run = (first..self.widths.len()).take_while(|&column| is_needed(column) == is_needed(first)).count();
            let widths = &self.widths[first..first + run];
            let length = rows * widths.iter().map(|width| width.bytes()).sum::<usize>();
            if is_needed(first) {
                columns.extend(split(&spill.read(offset, length)?, widths, rows));
            } else {
                columns.extend(widths.iter().map(|&width| Codes::with_capacity(width, 0)));
            }
            offset += length as u64;
        }
        Ok(Block::new(rows, columns))
    }
}

impl Spill {
    fn read(&self, offset: u64, length: usize) -> Result<Vec<u8>, TableError> {
        let mut bytes = vec![0u8; length];
        let mut file = self.file.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        file.seek(SeekFrom::Start(offset)).map_err(io_error("reading spilled rows back"))?;
        file.read_exact(&mut bytes).map_err(io_error("reading spilled rows back"))?;
        Ok(bytes)
    }
}

/// The codes of columns that lie one after the other.
fn split(mut bytes: &[u8], widths: &[Width], rows: usize) -> Vec<Codes> {
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

impl Blocks for BlockStore {
    type Error = TableError;

    fn rows(&self) -> u64 {
        self.rows
    }

    /// While `each` works on a spilled block, the next one is read.
    fn for_each_of(
        &self,
        needed: Option<&[bool]>,
        each: &mut (dyn FnMut(&Block) -> Result<(), TableError> + Send),
    ) -> Result<(), TableError> {
        for block in &self.resident {
            each(block)?;
        }
        let Some(spill) = &self.spill else { return Ok(()) };
        let load = |index: usize| self.load(spill, index, needed);
        let mut ahead = spill.blocks.first().map(|_| load(0)).transpose()?;
        let mut next = 1;
        while let Some(block) = ahead.take() {
            if next < spill.blocks.len() {
                let (done, loaded) = rayon::join(|| each(&block), || load(next));
                done?;
                ahead = Some(loaded?);
                next += 1;
            } else {
                each(&block)?;
            }
        }
        Ok(())
    }
}

/// Takes pieces of rows in order and makes even blocks of them.
pub(crate) struct BlockBuilder {
    store: BlockStore,
    current: Block,
    row_bytes: u64,
    /// How many bytes of codes may stay in memory.
    memory: u64,
    resident_bytes: u64,
}

impl BlockBuilder {
    pub(crate) fn new(widths: Vec<Width>, block_rows: usize, memory: u64) -> Self {
        let row_bytes = widths.iter().map(|width| width.bytes() as u64).sum();
        // Nothing is reserved yet: a table of few rows should take little memory.
        let current = Block::with_capacity(&widths, 0);
        let store = BlockStore { widths, block_rows, resident: Vec::new(), spill: None, rows: 0 };
        Self { store, current, row_bytes, memory, resident_bytes: 0 }
    }

    /// Appends the rows of a piece of any length.
    pub(crate) fn append(&mut self, piece: &Block) -> Result<(), TableError> {
        let mut from = 0;
        while from < piece.rows() {
            let to = piece.rows().min(from + self.store.block_rows - self.current.rows());
            self.current.append(piece, from, to);
            from = to;
            if self.current.rows() == self.store.block_rows {
                let empty = Block::with_capacity(&self.store.widths, self.store.block_rows);
                let full = std::mem::replace(&mut self.current, empty);
                self.keep(full)?;
            }
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<BlockStore, TableError> {
        let mut last = std::mem::replace(&mut self.current, Block::with_capacity(&[], 0));
        if last.rows() > 0 {
            last.shrink();
            self.keep(last)?;
        }
        Ok(self.store)
    }

    fn keep(&mut self, block: Block) -> Result<(), TableError> {
        self.store.rows += block.rows() as u64;
        let bytes = self.row_bytes * block.rows() as u64;
        if self.store.spill.is_none() && self.resident_bytes + bytes <= self.memory {
            self.resident_bytes += bytes;
            self.store.resident.push(block);
            return Ok(());
        }
        self.spill(&block)
    }

    fn spill(&mut self, block: &Block) -> Result<(), TableError> {
        let failed = || io_error("writing rows that exceed the memory bound to a temporary file");
        if self.store.spill.is_none() {
            // `tempfile()` makes the file unreachable by name, readable by this user only.
            let file = tempfile::tempfile().map_err(failed())?;
            self.store.spill = Some(Spill { file: Mutex::new(file), blocks: Vec::new() });
        }
        let Some(spill) = &mut self.store.spill else { return Ok(()) };
        let file = spill.file.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        let offset = file.seek(SeekFrom::End(0)).map_err(failed())?;
        let mut bytes = Vec::with_capacity(self.row_bytes as usize * block.rows());
        for codes in block.columns() {
            match codes {
                Codes::U8(codes) => bytes.extend_from_slice(codes),
                Codes::U16(codes) => bytes.extend(codes.iter().flat_map(|code| code.to_le_bytes())),
                Codes::U32(codes) => bytes.extend(codes.iter().flat_map(|code| code.to_le_bytes())),
            }
        }
        file.write_all(&bytes).map_err(failed())?;
        spill.blocks.push((offset, block.rows()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use lookalike_tally::blocks_of;

    use super::*;

    /// Columns of all widths, wanted and unwanted beside each other, at either end.
    #[test]
    fn only_columns_that_are_needed_are_read_back() {
        let widths = [Width::Two, Width::One, Width::Four, Width::One, Width::Two];
        let columns: Vec<Vec<u32>> = (0..5).map(|column| (0..1000).map(|row| row % (7 + column)).collect()).collect();
        for memory in [0, 4_000, u64::MAX] {
            let mut builder = BlockBuilder::new(widths.to_vec(), 300, memory);
            blocks_of(&columns, &widths, 300).for_each(|block| builder.append(&block).unwrap());
            let store = builder.finish().unwrap();
            for mask in 0u32..32 {
                let needed: Vec<bool> = (0..5).map(|column| mask >> column & 1 == 1).collect();
                let mut rows = 0;
                let mut found = vec![Vec::new(); 5];
                let mut each = |block: &Block| {
                    rows += block.rows();
                    block.columns().iter().zip(&mut found).for_each(|(codes, found)| codes.widen_into(found));
                    Ok(())
                };
                store.for_each_of(Some(&needed), &mut each).unwrap();
                assert_eq!(rows, 1000);
                for column in 0..5 {
                    assert!(!needed[column] || found[column] == columns[column], "column {column}, mask {mask}");
                    assert!(needed[column] || memory > 0 || found[column].is_empty(), "read for nothing");
                }
            }
        }
    }
}
