//! Rows in groups, and in a group those that agree stand together.
//!
//! Rows of the same parent cell differ in the columns that the draw does not look at. They are put
//! into the order of a few of these columns, chosen at random for each draw; rows that agree on
//! them stay in the order of the draw before. After a few draws, rows that stand together thus
//! agree on most columns, for one pass a draw. The first order is random: the place of a row in its
//! block says nothing.

use super::rng::{SampleRng, below, shuffle};

/// With more cells of parents than this, rows are sorted rather than counted.
const MOST_COUNTED: usize = 1 << 18;

/// Columns are taken while their codes and those of the parents are at most an eighth of the rows,
/// so that counting them costs less than the rows; or at most this many, which costs nothing.
const LEAST_COUNTED: usize = 1 << 10;

/// At most this many variables are looked at, so that a thousand columns do not cost a thousand for
/// each draw.
const TRIES: usize = 64;

/// Rows in their order, and buffers of one block.
pub(super) struct Queue {
    /// The parent cell of each row.
    pub keys: Vec<u32>,
    /// Rows by parent cell, and inside by likeness.
    pub order: Vec<u32>,
    /// The parent cell and the end of each group, in order.
    pub groups: Vec<(u32, u32)>,
    passed: Vec<u32>,
    counts: Vec<u32>,
}

impl Queue {
    /// Rows in random order.
    pub fn new(rows: usize, rng: &mut SampleRng) -> Self {
        let mut order: Vec<u32> = (0..rows).map(|row| row as u32).collect();
        shuffle(&mut order, rng);
        Self { keys: vec![0; rows], passed: order.clone(), order, groups: Vec::new(), counts: Vec::new() }
    }

    /// Puts the rows into groups of equal keys, below `cells`, and those of a group into the order
    /// of some of the columns to choose from, each with its number of codes. False when there are
    /// none to choose from.
    pub fn line_up<'a>(&mut self, cells: usize, choice: impl Iterator<Item = (&'a [u32], u32)>) -> bool {
        let most = LEAST_COUNTED.max(self.keys.len() / 8);
        let (mut codes, mut any) = (1, false);
        for (column, size) in choice {
            any = true;
            if size as usize <= most / (cells * codes) {
                codes *= size as usize;
                self.extend_keys(column, size);
            }
        }
        std::mem::swap(&mut self.order, &mut self.passed);
        self.groups.clear();
        if cells > MOST_COUNTED {
            self.sort();
        } else {
            self.count(cells, codes);
        }
        any
    }

    /// Adds a digit. Every other key goes through it backwards, so that rows on both sides of a
    /// border agree on it.
    ///
    /// Nothing wraps, since codes are below the size and keys stay below their number; said so for
    /// the sake of wide instructions, as this is the innermost loop.
    fn extend_keys(&mut self, column: &[u32], size: u32) {
        for (key, &code) in self.keys.iter_mut().zip(column) {
            let digit = if *key & 1 == 1 { (size - 1).wrapping_sub(code) } else { code };
            *key = key.wrapping_mul(size).wrapping_add(digit);
        }
    }

    fn count(&mut self, cells: usize, codes: usize) {
        self.counts.clear();
        self.counts.resize(cells * codes, 0);
        self.keys.iter().for_each(|&key| self.counts[key as usize] += 1);
        starts(&mut self.counts);
        for &row in &self.passed {
            let place = &mut self.counts[self.keys[row as usize] as usize];
            self.order[*place as usize] = row;
            *place += 1;
        }
        // Every start has moved on to its end.
        let mut start = 0;
        for (cell, ends) in self.counts.chunks_exact(codes).enumerate() {
            let end = ends[codes - 1];
            if end > start {
                self.groups.push((cell as u32, end));
                start = end;
            }
        }
    }

    fn sort(&mut self) {
        let pair = |(place, &row): (usize, &u32)| u64::from(self.keys[row as usize]) << 32 | place as u64;
        let mut pairs: Vec<u64> = self.passed.iter().enumerate().map(pair).collect();
        pairs.sort_unstable();
        for (place, &pair) in pairs.iter().enumerate() {
            self.order[place] = self.passed[pair as u32 as usize];
            let key = (pair >> 32) as u32;
            match self.groups.last_mut() {
                Some((last, end)) if *last == key => *end += 1,
                _ => self.groups.push((key, place as u32 + 1)),
            }
        }
    }
}

/// Counts become the places where their items start.
pub(super) fn starts(counts: &mut [u32]) {
    let mut sum = 0;
    for count in counts {
        sum += std::mem::replace(count, sum);
    }
}

/// Some of the variables in random order. They change places.
pub(super) fn some<'a>(variables: &'a mut [usize], rng: &mut SampleRng) -> &'a [usize] {
    let some = variables.len().min(TRIES);
    for place in 0..some {
        let pick = place + below((rng.next_u64() >> 32) as u32, (variables.len() - place) as u32, rng);
        variables.swap(place, pick);
    }
    &variables[..some]
}
