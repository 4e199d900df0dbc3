//! F of PrivBayes (SIGMOD 2014, section 4.3) in count form: minus the distance to the nearest
//! maximum joint distribution.
//!
//! For an attribute X with two values and a set of attributes, a maximum joint distribution is one
//! in which X is even and the set tells X for certain. F = -1/2 min over all of them of the L1
//! distance between the counts and n times the distribution. In the document's probability form it
//! is F / n, between -1/2 and 0.
//!
//! Such a distribution gives every combination p of the set to X = 0 or to X = 1. With K0 and K1
//! the counts that agree with a given split, the nearest distribution is at [n/2 - K0]+ + [n/2 -
//! K1]+ (section 4.4), so F = max over splits of min(K0, n/2) + min(K1, n/2), less n. (Splits that
//! give everything to one side are no maximum joint distributions, but where the set has two
//! combinations or more some other split is at least as good: if every single move to the other
//! side lost, the sum of the losses over all combinations would be below 0.) Where the set has one
//! combination only, nothing can be told about X; the same formula gives -n/2, the lowest value.
//!
//! # Privacy
//! | neighbours | sensitivity of F |
//! |---|---|
//! | add/remove, contribution c | c |
//! | replace-one | 1 |
//!
//! The distributions P are a fixed set. Adding a row e changes the vector c - n P by e - P, whose
//! L1 norm is at most 2; replacing one changes c by 2 in L1. The minimum over P moves by no more,
//! and F has the half before it. The brute-force test is `tests/`: all tables of up to 6 rows and 2
//! x 3 cells, and sets of two attributes.
//!
//! # Precision
//! Exact: 2F is a whole number, and the grid has an even number of steps in a row. The added grid
//! step is to spare. The largest product below is n^2 <= 2^96.
//!
//! # Speed
//! The document's dynamic programme keeps all pairs (K0, K1) that no other dominates, O(n 2^k).
//! Here the search is bounded first, which settles nearly every table in the time of a sort; see
//! `Halves::best`.

use std::collections::HashMap;

use crate::scores::GRID;
use crate::scores::dependence::Split;
use crate::{CountTable, CuratorError, check};

/// F of the table on the grid. `rows` is the table's total, at most
/// [`MAX_ROWS`](crate::scores::MAX_ROWS).
pub(crate) fn score(table: &CountTable, rows: u64, split: Split) -> i128 {
    let best = Halves::new(columns(table, split), rows).best();
    (i128::from(best) - 2 * i128::from(rows)) * i128::from(GRID / 2)
}

/// The attribute must have at most two values; the set may be anything.
pub(crate) fn check(name: &str, size: u32) -> Result<(), CuratorError> {
    if size > 2 {
        return Err(check::query(format!(
            "score F is for columns of two values, and {name:?} has {size}; use score R"
        )));
    }
    Ok(())
}

/// For every combination of the set, or every one that occurs: how often with X = 0, and with X =
/// 1.
fn columns(table: &CountTable, split: Split) -> Vec<[u64; 2]> {
    match table {
        CountTable::Dense(_) => {
            let mut columns = vec![[0; 2]; split.parent_cells() as usize];
            table.for_each_occupied(|cell, count| {
                let (parent, child) = split.parts(cell);
                columns[parent as usize][child] = count;
            });
            columns
        }
        CountTable::Sparse { .. } => {
            let mut columns: HashMap<u64, [u64; 2]> = HashMap::new();
            table.for_each_occupied(|cell, count| {
                let (parent, child) = split.parts(cell);
                columns.entry(parent).or_default()[child] = count;
            });
            // The order of the columns does not show: only the best value is returned.
            columns.into_values().collect()
        }
    }
}

/// The problem: give every column to side 0 or side 1, such that min(2 K0, n) + min(2 K1, n) is
/// largest.
struct Halves {
    columns: Vec<[u64; 2]>,
    rows: u64,
}

/// A state of the search: what the two sides have so far, and how much of the bound has been given
/// up.
#[derive(Clone, Copy)]
struct State {
    sides: [u64; 2],
    lost: u128,
}

impl Halves {
    /// Empty columns are left out: they change nothing, and have no ratio.
    fn new(mut columns: Vec<[u64; 2]>, rows: u64) -> Self {
        columns.retain(|column| *column != [0, 0]);
        Self { columns, rows }
    }

    /// Twice the largest min(K0, n/2) + min(K1, n/2).
    ///
    /// Give every column to its larger side. If neither side passes n/2, no split is better.
    /// Otherwise side 0, say, is above n/2, and counts there are worth less: for any weight w = p/q
    /// in [0, 1], min(2 K0, n) <= 2 w K0 + (1 - w) n, so no split is better than (1 - w) n + 2 sum
    /// max(w c0, c1). The columns that lose least, by c1/c0, are moved to side 1 until side 0 is at
    /// n/2; the ratio of the last one is the weight for which this bound is lowest.
    ///
    /// A column on the side that the weighted sum does not prefer loses twice |w c0 - c1| of the
    /// bound. The search starts from the split that loses nothing and moves columns, those that
    /// lose least first; every state is a whole split, so the best one gets better soon, and what
    /// has lost too much to beat it is dropped. When the next column alone would lose too much, the
    /// search is over. Dominated states are dropped too, so there are never more than n.
    fn best(mut self) -> u64 {
        let mut sides = [0u64; 2];
        for &[zero, one] in &self.columns {
            sides[usize::from(one > zero)] += zero.max(one);
        }
        if sides.iter().all(|&side| 2 * side <= self.rows) {
            return 2 * (sides[0] + sides[1]);
        }
        if sides[0] < sides[1] {
            sides.swap(0, 1);
            self.columns.iter_mut().for_each(|column| column.swap(0, 1));
        }
        // Side 0 is above n/2. Columns that it has, those that lose least by a move first.
        let mut movable: Vec<[u64; 2]> = self.columns.iter().copied().filter(|column| column[0] >= column[1]).collect();
        movable.sort_unstable_by(|a, b| {
            let ratio = |x: &[u64; 2], y: &[u64; 2]| u128::from(x[1]) * u128::from(y[0]);
            ratio(b, a).cmp(&ratio(a, b))
        });
        // Ties between equal sides went to side 0 above or to side 1 after the swap; both are fine,
        // but the sums must fit.
        sides = [0; 2];
        for &[zero, one] in &self.columns {
            sides[usize::from(one > zero)] += zero.max(one);
        }
        let mut best = self.value(sides);
        for column in movable {
            if 2 * sides[0] <= self.rows {
                break;
            }
            sides = [sides[0] - column[0], sides[1] + column[1]];
            best = best.max(self.value(sides));
            if 2 * sides[0] <= self.rows {
                return self.search(best, column[1], column[0]);
            }
        }
        best
    }

    /// Twice the worth of a split.
    fn value(&self, sides: [u64; 2]) -> u64 {
        (2 * sides[0]).min(self.rows) + (2 * sides[1]).min(self.rows)
    }

    /// The best of `best` and every split that could be better, by the bound with the weight p/q.
    fn search(&self, mut best: u64, p: u64, q: u64) -> u64 {
        let (p, q) = (u128::from(p), u128::from(q));
        let worth = |column: &[u64; 2]| [2 * p * u128::from(column[0]), 2 * q * u128::from(column[1])];
        let preferred = |column: &[u64; 2]| usize::from(worth(column)[1] > worth(column)[0]);
        let loss = |column: &[u64; 2]| worth(column)[0].abs_diff(worth(column)[1]);
        let mut start = State { sides: [0; 2], lost: 0 };
        let mut bound = (q - p) * u128::from(self.rows);
        for column in &self.columns {
            let side = preferred(column);
            start.sides[side] += column[side];
            bound += worth(column)[side];
        }
        best = best.max(self.value(start.sides));
        // A state must still be able to reach one more than the best: all in units of 1/q.
        let allowed = |best: u64| bound.checked_sub(q * (u128::from(best) + 1));
        let mut columns = self.columns.clone();
        columns.sort_unstable_by_key(loss);
        let mut states = vec![start];
        for column in &columns {
            let Some(most) = allowed(best).filter(|&most| loss(column) <= most) else { return best };
            let (from, lost) = (preferred(column), loss(column));
            let moved = states.iter().filter(|state| state.lost + lost <= most).map(|state| {
                let mut sides = state.sides;
                sides[from] -= column[from];
                sides[1 - from] += column[1 - from];
                State { sides, lost: state.lost + lost }
            });
            let moved: Vec<State> = moved.collect();
            best = moved.iter().map(|state| self.value(state.sides)).fold(best, u64::max);
            let Some(most) = allowed(best) else { return best };
            states = undominated(&states, &moved, most);
        }
        best
    }
}

/// The states of two lists, each ordered by side 0 from large to small, that may still beat the
/// best and have more on side 1 than all that have as much on side 0: what a dominated state can
/// become, the other can too.
fn undominated(one: &[State], other: &[State], most: u128) -> Vec<State> {
    let mut kept: Vec<State> = Vec::with_capacity(one.len() + other.len());
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    loop {
        let first = match (one.peek(), other.peek()) {
            (Some(a), Some(b)) => (a.sides[0], a.sides[1]) >= (b.sides[0], b.sides[1]),
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => return kept,
        };
        let Some(&state) = (if first { one.next() } else { other.next() }) else { return kept };
        if state.lost <= most && kept.last().is_none_or(|last| state.sides[1] > last.sides[1]) {
            kept.push(state);
        }
    }
}

/// Twice the largest min(K0, n/2) + min(K1, n/2), for tests of the search.
#[cfg(test)]
pub(crate) fn best_of(columns: &[[u64; 2]]) -> u64 {
    let rows = columns.iter().flatten().sum();
    Halves::new(columns.to_vec(), rows).best()
}
