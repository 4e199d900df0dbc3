//! Cells spread evenly over a group of rows.
//!
//! A cell that gets `c` of `m` rows takes the places `(i + u) m / c` for `i` from 0 to `c - 1`,
//! each with its own random `u`; all places are sorted, and the rows in their order get the cells.
//! Every stretch of rows that agree thus gets its share of each cell, give or take about one. With
//! one `u` for all places of a cell the stretches would come out a little more even, but such a
//! comb is in step with columns that alternate along the order: it makes fair coins follow each
//! other. The whole is turned by a random number of rows, and that alone makes each cell exactly as
//! likely for each row as its count says, whatever the order of rows and cells.

use super::alike::starts;
use super::rng::{SampleRng, below, shuffle};

/// Random offsets have this many bits, and places as many behind the point; fewer in groups of more
/// rows than that many bits can number.
const FRACTION: u32 = 16;
/// A place has this many bits in all.
const PLACE: u32 = 32;

/// Groups up to this size are sorted, larger ones counted.
const FEW: usize = 20;

/// How a group's cells are given to its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellOrder {
    /// Evenly along the order of rows that agree.
    Even,
    /// At random.
    Shuffled,
    /// Evenly, but each group rounds for itself.
    #[cfg(test)]
    Apart,
    /// Evenly, but not turned.
    #[cfg(test)]
    Unturned,
    /// In the order of cells.
    #[cfg(test)]
    AsTheyCome,
}

impl CellOrder {
    /// Whether the cells of a group are turned by a random number of rows.
    fn turns(self) -> bool {
        match self {
            #[cfg(test)]
            Self::Unturned => false,
            _ => true,
        }
    }

    /// Whether groups round together.
    pub fn joins(self) -> bool {
        match self {
            #[cfg(test)]
            Self::Apart => false,
            _ => true,
        }
    }

    /// Whether it matters which rows stand together.
    pub fn sorts(self) -> bool {
        match self {
            Self::Even => true,
            Self::Shuffled => false,
            #[cfg(test)]
            Self::Unturned | Self::Apart => true,
            #[cfg(test)]
            Self::AsTheyCome => false,
        }
    }
}

/// A cell and how many rows of a group get it: one at least.
pub(super) type CellRun = (u32, u32);

/// Buffers of one block.
#[derive(Default)]
pub(super) struct EvenSpread {
    points: Vec<u64>,
    counts: Vec<u32>,
    cells: Vec<u32>,
}

impl EvenSpread {
    /// The cells of a group, in the order of its rows.
    pub fn given(&mut self, way: CellOrder, runs: &[CellRun], rows: usize, rng: &mut SampleRng) -> &[u32] {
        self.cells.clear();
        if way.sorts() && runs.len() < rows {
            self.even(runs, rows, rng);
            if way.turns() {
                let turn = below((rng.next_u64() >> 32) as u32, rows as u32, rng);
                self.cells.rotate_left(turn);
            }
            return &self.cells;
        }
        for &(cell, count) in runs {
            self.cells.resize(self.cells.len() + count as usize, cell);
        }
        if way == CellOrder::Shuffled || way.sorts() {
            shuffle(&mut self.cells, rng);
        }
        &self.cells
    }

    fn even(&mut self, runs: &[CellRun], rows: usize, rng: &mut SampleRng) {
        self.points.clear();
        let fraction = fraction(rows);
        let (mut word, mut left) = (0, 0);
        for &(cell, count) in runs {
            let step = ((rows as u64) << fraction) / u64::from(count);
            let mut start = 0;
            for _ in 0..count {
                (word, left) = if left == 0 { (rng.next_u64(), 3) } else { (word >> FRACTION, left - 1) };
                let offset = word & ((1 << FRACTION) - 1);
                let point = start + ((offset * step) >> FRACTION);
                self.points.push(point << PLACE | u64::from(cell));
                start += step;
            }
        }
        if rows <= FEW {
            self.points.sort_unstable();
            self.cells.extend(self.points.iter().map(|&point| point as u32));
        } else {
            self.count(rows);
        }
    }

    /// Sorts by whole places; what shares one stays as it came, which shifts it by less than a row.
    fn count(&mut self, rows: usize) {
        let after = PLACE + fraction(rows);
        let bucket = |point: u64| (point >> after) as usize;
        self.counts.clear();
        self.counts.resize(rows, 0);
        self.points.iter().for_each(|&point| self.counts[bucket(point)] += 1);
        starts(&mut self.counts);
        self.cells.resize(rows, 0);
        for &point in &self.points {
            let place = &mut self.counts[bucket(point)];
            self.cells[*place as usize] = point as u32;
            *place += 1;
        }
    }
}

/// The bits of a place behind the point, in a group of this many rows.
fn fraction(rows: usize) -> u32 {
    FRACTION.min(PLACE - (usize::BITS - rows.saturating_sub(1).leading_zeros()))
}
