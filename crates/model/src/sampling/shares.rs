//! The shares of a draw: for each parent cell, which of the children's cells rows get, and how
//! often.

use super::spread::CellRun;

/// The bits of a share in blocks of `block_rows` rows, a power of two: both together need a word,
/// one for the most rows included. Part of what fixes the rows of a seed: never changed.
pub(crate) fn share_bits(block_rows: usize) -> u32 {
    63 - block_rows.ilog2()
}

/// Cumulative shares as integers of `bits` bits; the last is the whole. The shares need not sum to
/// 1. All 0 without weight.
pub(super) fn ends(shares: impl Iterator<Item = f64> + Clone, bits: u32) -> impl Iterator<Item = u64> {
    let total: f64 = shares.clone().sum();
    let whole = (1u64 << bits) as f64;
    let mut sum = 0.0;
    // The same sum in the same order: the last quotient is exactly 1.
    shares.map(move |share| {
        sum += share;
        (sum / total * whole) as u64
    })
}

/// Parent cells, each with the cells that have weight.
pub(super) struct Shares {
    /// Where each parent cell's part of the lists begins; one more for the end.
    pub starts: Vec<u32>,
    /// Of each parent cell's cells, the cumulative shares.
    pub ends: Vec<u64>,
    /// The cells, by their place in the draw's order of cells.
    pub cells: Vec<u32>,
    /// The number of cells that there could be.
    pub width: u64,
    /// The bits of a share.
    pub bits: u32,
}

impl Shares {
    /// Without parent cells yet.
    pub fn new(width: u64, bits: u32) -> Self {
        Self { starts: vec![0], ends: Vec::new(), cells: Vec::new(), width, bits }
    }

    /// Adds a parent cell: its cells that have weight, in the draw's order, and their weights.
    pub fn push(&mut self, held: &[(u32, f64)]) {
        self.ends.extend(ends(held.iter().map(|one| one.1), self.bits));
        self.cells.extend(held.iter().map(|one| one.0));
        self.starts.push(self.cells.len() as u32);
    }

    /// How many of a group of rows with the same parent cell get which cell.
    pub fn split(&self, parent: usize, rows: usize, offset: u64, runs: &mut Vec<CellRun>) {
        runs.clear();
        let range = self.starts[parent] as usize..self.starts[parent + 1] as usize;
        let (ends, cells) = (&self.ends[range.clone()], &self.cells[range]);
        match cells {
            // Parent cells without weight are never reached: conditioning, or calibration, has seen
            // to it.
            [] | [_] => return runs.push((cells.first().copied().unwrap_or(0), rows as u32)),
            _ => {}
        }
        if rows * 8 < cells.len() {
            let (mut from, mut last) = (0, usize::MAX);
            for place in 0..rows as u64 {
                let target = ((place + 1) << self.bits) - offset;
                from += ends[from..].partition_point(|&end| rows as u64 * end < target);
                match runs.last_mut() {
                    Some(run) if from == last => run.1 += 1,
                    _ => runs.push((cells[from], 1)),
                }
                last = from;
            }
        } else {
            let mut done = 0;
            for (&end, &cell) in ends.iter().zip(cells) {
                let upto = ((rows as u64 * end + offset) >> self.bits) as u32;
                if upto > done {
                    runs.push((cell, upto - done));
                    done = upto;
                }
            }
        }
    }
}
