//! R in count form: how far an attribute is from being independent of a set.
//!
//! R = 1/2 sum over a, b of |c_ab - c_a c_b / n|, where a runs over the codes of the set, b over
//! those of the attribute, and n is the table's own row count (never a noisy one: with a noisy n
//! the sensitivity below is wrong). On the grid: floor(G sum |n c_ab - c_a c_b| / (2 n)), and 0 at
//! n = 0.
//!
//! # Privacy
//! | neighbours | sensitivity of R |
//! |---|---|
//! | add/remove, contribution c | at most 2n/(n+1) a row, so 2 c |
//! | replace-one | 3 + 2/n, n public |
//!
//! On the grid: rounded up to a whole number of grid steps, plus one step for the floor. The
//! brute-force test is `tests.rs`: all tables of up to 6 rows and 3 x 3 cells.
//!
//! # Precision
//! Everything is an exact integer. With at most 2^48 rows, n c_ab and c_a c_b are at most 2^96, and
//! sum |n c_ab - c_a c_b| <= 2 n^2 <= 2^97, because both sums of products are n^2; times G = 2^16
//! that is 2^113, below the 2^127 of `i128`. No number of cells enters the bound.

use std::collections::HashMap;

use lookalike_schema::{AttrId, Clique, Domain, View};

use crate::scores::GRID;
use crate::{CountTable, CuratorError, check};

/// How the cells of a row-major clique split into the codes of one attribute and the cells of all
/// the others.
#[derive(Clone, Copy)]
pub(crate) struct Split {
    stride: u64,
    child_size: u64,
    parent_cells: u64,
}

impl Split {
    /// The split of `clique` at `child`, which it must contain. Its cells were checked to be few.
    pub fn new(domain: &Domain, clique: &Clique, child: AttrId) -> Self {
        let size = |attribute: &AttrId| u64::from(domain.size(*attribute));
        // The clique is sorted, so the attributes after the child are those above it, and they vary
        // faster.
        let (before, after): (Vec<&AttrId>, Vec<&AttrId>) =
            clique.attributes().iter().filter(|&&other| other != child).partition(|&&other| other < child);
        let stride: u64 = after.into_iter().map(size).product();
        let blocks: u64 = before.into_iter().map(size).product();
        Self { stride, child_size: size(&child), parent_cells: stride * blocks }
    }

    /// How many codes the child has.
    pub fn child_size(self) -> u64 {
        self.child_size
    }

    /// How many cells the others have.
    pub fn parent_cells(self) -> u64 {
        self.parent_cells
    }

    /// The cell of the others and the child's code.
    pub fn parts(self, cell: u64) -> (u64, usize) {
        let (upper, low) = (cell / self.stride, cell % self.stride);
        (upper / self.child_size * self.stride + low, (upper % self.child_size) as usize)
    }
}

/// Counts of the parents' cells: a vector for a dense table, a map for a sparse one (looked up,
/// never walked).
pub(crate) enum ParentCounts {
    Dense(Vec<u64>),
    Sparse(HashMap<u64, u64>),
}

impl ParentCounts {
    pub fn new(table: &CountTable, split: Split) -> Self {
        match table {
            CountTable::Dense(_) => Self::Dense(vec![0; split.parent_cells as usize]),
            CountTable::Sparse { .. } => Self::Sparse(HashMap::new()),
        }
    }

    pub fn add(&mut self, cell: u64, count: u64) {
        match self {
            Self::Dense(counts) => counts[cell as usize] += count,
            Self::Sparse(counts) => *counts.entry(cell).or_insert(0) += count,
        }
    }

    pub fn get(&self, cell: u64) -> u64 {
        match self {
            Self::Dense(counts) => counts[cell as usize],
            Self::Sparse(counts) => counts.get(&cell).copied().unwrap_or(0),
        }
    }
}

/// R of the table on the grid. `rows` is the table's total, at most
/// [`MAX_ROWS`](crate::scores::MAX_ROWS).
///
/// Only occupied cells are visited: an empty cell adds c_a c_b, and the products of all cells sum
/// to n^2, so sum |n c_ab - c_a c_b| = n^2 + sum over occupied cells of (|n c_ab - c_a c_b| - c_a
/// c_b).
pub(crate) fn score(table: &CountTable, rows: u64, split: Split) -> i128 {
    if rows == 0 {
        return 0;
    }
    let mut parents = ParentCounts::new(table, split);
    let mut children = vec![0u64; split.child_size as usize];
    table.for_each_occupied(|cell, count| {
        let (parent, child) = split.parts(cell);
        parents.add(parent, count);
        children[child] += count;
    });
    let n = i128::from(rows);
    let mut sum = n * n;
    table.for_each_occupied(|cell, count| {
        let (parent, child) = split.parts(cell);
        let independent = i128::from(parents.get(parent)) * i128::from(children[child]);
        sum += (n * i128::from(count) - independent).abs() - independent;
    });
    // Not negative, so the integer division is the floor.
    i128::from(GRID) * sum / (2 * n)
}

/// The child must not be among its own parents.
pub(crate) fn check(view: &View, child: AttrId, parents: &Clique) -> Result<(), CuratorError> {
    if parents.contains(child) {
        let name = view.name(child);
        return Err(check::query(format!("column {name:?} cannot be scored against a set that holds it")));
    }
    Ok(())
}
