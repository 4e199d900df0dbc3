//! Who can count.

use lookalike_privacy::Receipt;
use lookalike_schema::Clique;

use crate::{Cancel, CuratorError};

/// Exact counts of one clique, row-major. No `Debug`, `Clone`, `Display` or serialisation: they never leave the door.
pub enum CountTable {
    /// Every cell.
    Dense(Vec<u64>),
    /// `(cell, count)` of non-zero cells, ascending, and the number of cells.
    Sparse {
        /// Non-zero cells, ascending.
        entries: Vec<(u64, u64)>,
        /// The number of all cells.
        cells: u64,
    },
}

/// The right to look once. Only the curator makes one, and only from a receipt.
pub struct Permit {
    _receipt: Receipt,
}

impl Permit {
    pub(crate) fn new(receipt: Receipt) -> Self {
        Self { _receipt: receipt }
    }
}

/// An engine that can count cliques of one private table.
pub trait Counts: Send + Sync {
    /// Exact counts of every clique, in order. The empty clique has one cell: the row count.
    fn count(&self, cliques: &[Clique], permit: Permit, cancel: &Cancel) -> Result<Vec<CountTable>, CuratorError>;
}
