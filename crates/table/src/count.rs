//! The counting kernel: many cliques, one pass, all cores.
// SKELETON: the table owner fills this in.

use lookalike_schema::Clique;

use crate::{PrivateTable, Table, TableError};

/// Exact counts of one clique, row-major, last attribute fastest. Unprintable.
pub enum RawCounts {
    /// Every cell.
    Dense(Vec<u64>),
    /// `(cell, count)` of the cells that are not zero, ascending.
    Sparse(Vec<(u64, u64)>),
}

#[allow(unused_variables)]
impl PrivateTable {
    /// Exact counts of every clique. The empty clique has one cell: the row count.
    /// Only an engine behind the curator calls this.
    pub fn count(
        &self,
        cliques: &[Clique],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<RawCounts>, TableError> {
        todo!()
    }
}

#[allow(unused_variables)]
impl Table {
    /// Exact counts of every clique of a table that may be looked at.
    pub fn count(
        &self,
        cliques: &[Clique],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<RawCounts>, TableError> {
        todo!()
    }
}
