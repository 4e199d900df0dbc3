//! The inner loops: rows of codes become cells, cells are tallied.
//!
//! A tally of up to 2^16 cells indexes an array of exactly 2^16 with 16-bit numbers, so that the
//! compiler needs no bounds check; only the cells in use are ever touched.

use crate::block::{BLOCK_ROWS, Codes};
use crate::number::{drain, number};

/// Rows whose cell numbers are made at a time: they stay in the first-level cache beside the tally.
const STRIPE: usize = 2048;

/// The most cells that 16-bit numbers reach.
pub(crate) const NARROW_CELLS: u64 = 1 << 16;

/// A dense tally of some columns over the rows seen so far.
pub(crate) struct DenseTally {
    /// Column numbers and sizes, first slowest.
    pub(crate) axes: Vec<(usize, u32)>,
    /// Counts since the last carry.
    low: Vec<u32>,
    /// Rows since the last carry; `low` cannot overflow while this is below 2^32.
    rows: u64,
    /// Counts carried out of `low`; stays empty below 2^32 rows.
    high: Vec<u64>,
    /// `rows` never passes this (tests make it small).
    carry_at: u64,
}

/// What one thread needs while it tallies a block. All zero between blocks.
pub(crate) struct Scratch {
    narrow: Box<[u16; NARROW_CELLS as usize]>,
    narrow_cells: Box<[u16; STRIPE]>,
    wide_cells: Box<[u32; STRIPE]>,
}

fn zeroed<T: Default + Clone, const N: usize>() -> Box<[T; N]> {
    match vec![T::default(); N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the vector has N elements"),
    }
}

impl Scratch {
    pub(crate) fn new() -> Self {
        Self { narrow: zeroed(), narrow_cells: zeroed(), wide_cells: zeroed() }
    }
}

/// Counts as they are kept: 32 bits until there were too many rows.
pub(crate) enum DenseCells<'a> {
    Low(&'a [u32]),
    High(&'a [u64]),
}

impl DenseTally {
    pub(crate) fn new(axes: Vec<(usize, u32)>, cells: usize) -> Self {
        Self { axes, low: vec![0; cells], rows: 0, high: Vec::new(), carry_at: u64::from(u32::MAX) }
    }

    #[cfg(test)]
    pub(crate) fn carrying_at(mut self, rows: u64) -> Self {
        self.carry_at = rows;
        self
    }

    pub(crate) fn cells(&self) -> usize {
        self.low.len()
    }

    /// Counts rows `from..to` of a block.
    pub(crate) fn count(&mut self, columns: &[&Codes], from: usize, to: usize, scratch: &mut Scratch) {
        debug_assert!(to - from <= BLOCK_ROWS);
        let rows = (to - from) as u64;
        if self.rows + rows > self.carry_at {
            self.carry();
        }
        self.rows += rows;
        if self.cells() as u64 <= NARROW_CELLS {
            self.count_narrow(columns, from, to, scratch);
        } else {
            self.count_wide(columns, from, to, scratch);
        }
    }

    fn carry(&mut self) {
        self.high.resize(self.low.len(), 0);
        for (high, low) in self.high.iter_mut().zip(&mut self.low) {
            *high += u64::from(std::mem::take(low));
        }
        self.rows = 0;
    }

    /// A block has fewer than 2^16 rows, so 16-bit counts hold it; half the bytes of 32-bit ones,
    /// so twice the cells fit in cache.
    fn count_narrow(&mut self, columns: &[&Codes], from: usize, to: usize, scratch: &mut Scratch) {
        const { assert!(BLOCK_ROWS <= u16::MAX as usize) };
        for start in (from..to).step_by(STRIPE) {
            let end = to.min(start + STRIPE);
            let cells = &mut scratch.narrow_cells[..end - start];
            number(columns, &self.axes, start, end, cells);
            for &cell in cells.iter() {
                let count = &mut scratch.narrow[usize::from(cell)];
                *count = count.wrapping_add(1);
            }
        }
        drain(&mut scratch.narrow[..], &mut self.low);
    }

    fn count_wide(&mut self, columns: &[&Codes], from: usize, to: usize, scratch: &mut Scratch) {
        for start in (from..to).step_by(STRIPE) {
            let end = to.min(start + STRIPE);
            let cells = &mut scratch.wide_cells[..end - start];
            cells.fill(0);
            for &(column, size) in &self.axes {
                match columns[column] {
                    Codes::U8(codes) => push_wide(cells, size, &codes[start..end]),
                    Codes::U16(codes) => push_wide(cells, size, &codes[start..end]),
                    Codes::U32(codes) => push_wide(cells, size, &codes[start..end]),
                }
            }
            for &cell in cells.iter() {
                self.low[cell as usize] += 1;
            }
        }
    }

    /// Adds the counts of a tally of the same columns over other rows.
    pub(crate) fn merge(&mut self, other: &Self) {
        if self.rows + other.rows > self.carry_at {
            self.carry();
        }
        if self.rows + other.rows > self.carry_at || !other.high.is_empty() {
            self.high.resize(self.low.len(), 0);
            for (k, high) in self.high.iter_mut().enumerate() {
                *high += u64::from(other.low[k]) + other.high.get(k).copied().unwrap_or(0);
            }
            return;
        }
        self.rows += other.rows;
        for (low, more) in self.low.iter_mut().zip(&other.low) {
            *low += more;
        }
    }

    pub(crate) fn counts(&mut self) -> DenseCells<'_> {
        if self.high.is_empty() {
            return DenseCells::Low(&self.low);
        }
        self.carry();
        DenseCells::High(&self.high)
    }
}

fn push_wide<T: Copy + Into<u32>>(cells: &mut [u32], size: u32, codes: &[T]) {
    for (cell, &code) in cells.iter_mut().zip(codes) {
        *cell = cell.wrapping_mul(size).wrapping_add(code.into());
    }
}
