//! Where a table's blocks lie: in memory up to a bound, beyond it in a private file.

use lookalike_tally::{Block, Blocks, Width};
use rayon::prelude::*;

use super::spill::Spill;
use crate::TableError;

/// Blocks in row order: the resident ones first, then the spilled ones.
pub(crate) struct BlockStore {
    widths: Vec<Width>,
    block_rows: usize,
    resident: Vec<Block>,
    spill: Option<Spill>,
    rows: u64,
}

impl BlockStore {
    /// The widths of the columns.
    pub(super) fn widths(&self) -> &[Width] {
        &self.widths
    }

    #[cfg(test)]
    pub(crate) fn spilled_blocks(&self) -> usize {
        self.spill.as_ref().map_or(0, Spill::blocks)
    }
}

impl Blocks for BlockStore {
    type Error = TableError;

    fn rows(&self) -> u64 {
        self.rows
    }

    /// While `each` works on some spilled blocks, the next ones are read, by all threads.
    fn for_each_of(
        &self,
        needed: Option<&[bool]>,
        each: &mut (dyn FnMut(&Block) -> Result<(), TableError> + Send),
    ) -> Result<(), TableError> {
        for block in &self.resident {
            each(block)?;
        }
        let Some(spill) = &self.spill else { return Ok(()) };
        let load = |from: usize| {
            let to = spill.blocks().min(from + 2 * rayon::current_num_threads());
            let blocks = (from..to).into_par_iter().map(|index| spill.load(&self.widths, index, needed));
            blocks.collect::<Result<Vec<Block>, TableError>>()
        };
        let mut next = 0;
        let mut ahead = load(next)?;
        while !ahead.is_empty() {
            next += ahead.len();
            let (done, loaded) = rayon::join(|| ahead.iter().try_for_each(&mut *each), || load(next));
            done?;
            ahead = loaded?;
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

    /// A store of blocks that lie in a file already; those that fit into memory are held there.
    pub(super) fn of_file(widths: Vec<Width>, spill: Spill, memory: u64) -> Result<BlockStore, TableError> {
        let mut builder = Self::new(widths, 0, memory);
        let mut held = 0;
        while held < spill.blocks() && builder.resident_bytes + builder.bytes(spill.rows(held)) <= memory {
            builder.keep(spill.load(&builder.store.widths, held, None)?)?;
            held += 1;
        }
        let rest = spill.after(held);
        builder.store.rows += rest.all_rows();
        builder.store.spill = (rest.blocks() > 0).then_some(rest);
        Ok(builder.store)
    }

    fn bytes(&self, rows: usize) -> u64 {
        self.row_bytes * rows as u64
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
        let bytes = self.bytes(block.rows());
        if self.store.spill.is_none() && self.resident_bytes + bytes <= self.memory {
            self.resident_bytes += bytes;
            self.store.resident.push(block);
            return Ok(());
        }
        self.spill(&block)
    }

    fn spill(&mut self, block: &Block) -> Result<(), TableError> {
        match &mut self.store.spill {
            Some(spill) => spill.append(block),
            none => none.insert(Spill::new()?).append(block),
        }
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
