//! Counts of cliques with too many cells for a dense tally: sorted runs of `(cell, count)`, merged
//! like a binary counter.
//!
//! Memory is at most twice the number of different cells that occur, plus one block.

use crate::block::Codes;

/// A sparse tally of some columns over the rows seen so far.
pub(crate) struct SparseTally {
    axes: Vec<(usize, u32)>,
    /// Sorted runs, each at least twice as long as the next.
    runs: Vec<Vec<(u64, u64)>>,
}

impl SparseTally {
    pub(crate) fn new(axes: Vec<(usize, u32)>) -> Self {
        Self { axes, runs: Vec::new() }
    }

    /// Counts rows `from..to` of a block.
    pub(crate) fn count(&mut self, columns: &[&Codes], from: usize, to: usize) {
        let mut cells = vec![0u64; to - from];
        for &(column, size) in &self.axes {
            match columns[column] {
                Codes::U8(codes) => push(&mut cells, size, &codes[from..to]),
                Codes::U16(codes) => push(&mut cells, size, &codes[from..to]),
                Codes::U32(codes) => push(&mut cells, size, &codes[from..to]),
            }
        }
        cells.sort_unstable();
        let run = cells.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u64)).collect();
        self.push_run(run);
    }

    fn push_run(&mut self, mut run: Vec<(u64, u64)>) {
        while let Some(last) = self.runs.pop() {
            if last.len() >= 2 * run.len() {
                self.runs.push(last);
                break;
            }
            run = merge(&last, &run);
        }
        self.runs.push(run);
    }

    /// Adds the counts of a tally of the same columns over other rows.
    pub(crate) fn merge(&mut self, other: Self) {
        for run in other.runs {
            self.push_run(run);
        }
    }

    /// The cells that occur, ascending.
    pub(crate) fn finish(mut self) -> Vec<(u64, u64)> {
        let mut all = self.runs.pop().unwrap_or_default();
        while let Some(run) = self.runs.pop() {
            all = merge(&run, &all);
        }
        all
    }
}

fn push<T: Copy + Into<u64>>(cells: &mut [u64], size: u32, codes: &[T]) {
    for (cell, &code) in cells.iter_mut().zip(codes) {
        *cell = cell.wrapping_mul(u64::from(size)).wrapping_add(code.into());
    }
}

fn merge(a: &[(u64, u64)], b: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].0.cmp(&b[j].0) {
            std::cmp::Ordering::Less => {
                out.push(a[i]);
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                out.push(b[j]);
                j += 1;
            }
            std::cmp::Ordering::Equal => {
                out.push((a[i].0, a[i].1 + b[j].1));
                i += 1;
                j += 1;
            }
        }
    }
    out.extend_from_slice(&a[i..]);
    out.extend_from_slice(&b[j..]);
    out.shrink_to_fit();
    out
}
