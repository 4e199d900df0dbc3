//! Who can count, and what an engine hands over.

use lookalike_schema::{Clique, Derived};

use crate::{Cancel, CuratorError};

/// Exact counts of one clique, row-major, last attribute fastest.
///
/// No `Debug`, `Clone`, `Display`, comparison or serialization: exact counts never leave the door.
///
/// ```compile_fail,E0277
/// fn show(table: lookalike_curator::CountTable) -> String {
///     format!("{table:?}")
/// }
/// ```
/// ```compile_fail,E0277
/// fn show(table: lookalike_curator::CountTable) -> String {
///     format!("{table}")
/// }
/// ```
/// ```compile_fail,E0599
/// fn copy(table: &lookalike_curator::CountTable) -> lookalike_curator::CountTable {
///     table.clone()
/// }
/// ```
/// ```compile_fail,E0369
/// fn same(one: lookalike_curator::CountTable, other: lookalike_curator::CountTable) -> bool {
///     one == other
/// }
/// ```
pub enum CountTable {
    /// Every cell.
    Dense(Vec<u64>),
    /// `(cell, count)` of the occupied cells, ascending, and the number of all cells.
    Sparse {
        /// The occupied cells, ascending.
        entries: Vec<(u64, u64)>,
        /// The number of all cells.
        cells: u64,
    },
}

impl CountTable {
    /// Whether the table has the form that a clique of `cells` cells must have.
    pub(crate) fn fits(&self, cells: u64) -> bool {
        match self {
            CountTable::Dense(counts) => counts.len() as u64 == cells,
            CountTable::Sparse { entries, cells: stated } => {
                *stated == cells
                    && entries.windows(2).all(|pair| pair[0].0 < pair[1].0)
                    && entries.last().is_none_or(|&(cell, _)| cell < cells)
            }
        }
    }

    /// A second copy, for a table that was asked for twice. Inside the door only.
    pub(crate) fn copied(&self) -> Self {
        match self {
            CountTable::Dense(counts) => CountTable::Dense(counts.clone()),
            CountTable::Sparse { entries, cells } => CountTable::Sparse { entries: entries.clone(), cells: *cells },
        }
    }

    /// The sum of all cells, or `None` when it does not fit.
    pub(crate) fn total(&self) -> Option<u64> {
        match self {
            CountTable::Dense(counts) => counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count)),
            CountTable::Sparse { entries, .. } => entries.iter().try_fold(0u64, |sum, entry| sum.checked_add(entry.1)),
        }
    }

    /// The cells that are written down: for how long a table takes to go through.
    pub(crate) fn cells(&self) -> u64 {
        match self {
            CountTable::Dense(counts) => counts.len() as u64,
            CountTable::Sparse { entries, .. } => entries.len() as u64,
        }
    }

    /// Calls `each` with the index and the count of every occupied cell, ascending.
    pub(crate) fn for_each_occupied(&self, mut each: impl FnMut(u64, u64)) {
        match self {
            CountTable::Dense(counts) => {
                for (cell, &count) in counts.iter().enumerate() {
                    if count > 0 {
                        each(cell as u64, count);
                    }
                }
            }
            CountTable::Sparse { entries, .. } => {
                for &(cell, count) in entries {
                    if count > 0 {
                        each(cell, count);
                    }
                }
            }
        }
    }

    /// Every cell as a signed integer, ready for noise. A count above `i64::MAX` becomes
    /// `i64::MAX`: this never widens the distance of two neighbouring tables, so the sensitivity
    /// stands.
    pub(crate) fn into_integers(self) -> Vec<i64> {
        match self {
            CountTable::Dense(counts) => counts.into_iter().map(saturated).collect(),
            CountTable::Sparse { entries, cells } => {
                let mut dense = vec![0i64; cells as usize];
                for (cell, count) in entries {
                    dense[cell as usize] = saturated(count);
                }
                dense
            }
        }
    }
}

fn saturated(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The right to one pass for the cliques of one batch. Only the curator makes one, after the charge
/// is on disk, and [`Counts::count`] uses it up.
///
/// An engine may read it; nobody else can make, copy or print one:
///
/// ```
/// fn read(permit: lookalike_curator::Permit) -> usize {
///     permit.cliques()
/// }
/// ```
/// ```compile_fail,E0451
/// let permit = lookalike_curator::Permit { cliques: 1 };
/// ```
/// ```compile_fail,E0624
/// let permit = lookalike_curator::Permit::new(1);
/// ```
/// ```compile_fail,E0599
/// fn twice(permit: &lookalike_curator::Permit) -> lookalike_curator::Permit {
///     permit.clone()
/// }
/// ```
/// ```compile_fail,E0277
/// fn show(permit: lookalike_curator::Permit) -> String {
///     format!("{permit:?}")
/// }
/// ```
pub struct Permit {
    cliques: usize,
}

impl Permit {
    pub(crate) fn new(cliques: usize) -> Self {
        Self { cliques }
    }

    /// How many cliques may be counted.
    pub fn cliques(&self) -> usize {
        self.cliques
    }
}

/// An engine that can count cliques of one private table.
///
/// An engine is inside the door: it sees rows. What it must keep:
/// - it counts only when handed a [`Permit`], and exactly the cliques asked for;
/// - all tables of one engine count the same rows, so they all have the same total;
/// - its errors say nothing that depends on a record (no counts, no cells, no sizes);
/// - it logs nothing and keeps no counts: the door keeps what later looks may need;
/// - a column that the schema holds as its difference to an earlier one
///   ([`Schema::after`](lookalike_schema::Schema::after)) is coded from both cells of a row.
pub trait Counts: Send + Sync {
    /// Exact counts of every clique, in order. The empty clique has one cell: the row count.
    ///
    /// Attributes past the schema's own are the derived columns, in order: the first of `derived`
    /// has the attribute that follows the schema's last. The bases of `derived` are the schema's
    /// own, and their groupings fit. A grouping is a list of groups, one a code, so an engine may
    /// look it up row by row, join with it, or group the counts of the base's codes.
    fn count(
        &self,
        cliques: &[Clique],
        derived: &[Derived],
        permit: Permit,
        cancel: &Cancel,
    ) -> Result<Vec<CountTable>, CuratorError>;
}
