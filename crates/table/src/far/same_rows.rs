//! Refuses counts of other rows than the first pass had.

use std::sync::OnceLock;

use lookalike_curator::{Cancel, CountTable, Counts, CuratorError, Permit};
use lookalike_schema::{Clique, Derived};

use super::FarRows;

/// Rows elsewhere, of which every table of every pass must have the same total. Rows that were
/// counted twice, lost or changed between two passes end the run before noise is drawn.
pub struct SameRows {
    rows: Box<dyn FarRows>,
    total: OnceLock<u64>,
}

impl SameRows {
    /// Of rows that were coded.
    pub fn new(rows: Box<dyn FarRows>) -> Self {
        Self { rows, total: OnceLock::new() }
    }

    /// The tables of a pass, if they are of the rows of the first one.
    pub(super) fn compared(&self, tables: Vec<CountTable>) -> Result<Vec<CountTable>, CuratorError> {
        for table in &tables {
            let total = sum(table).ok_or_else(changed)?;
            if total != *self.total.get_or_init(|| total) {
                return Err(changed());
            }
        }
        Ok(tables)
    }
}

impl Counts for SameRows {
    fn count(
        &self,
        cliques: &[Clique],
        derived: &[Derived],
        permit: Permit,
        cancel: &Cancel,
    ) -> Result<Vec<CountTable>, CuratorError> {
        self.compared(self.rows.count(cliques, derived, permit, cancel)?)
    }
}

fn sum(table: &CountTable) -> Option<u64> {
    let add = |sum: u64, count: &u64| sum.checked_add(*count);
    match table {
        CountTable::Dense(counts) => counts.iter().try_fold(0, add),
        CountTable::Sparse { entries, .. } => entries.iter().map(|(_, count)| count).try_fold(0, add),
    }
}

fn changed() -> CuratorError {
    CuratorError::Engine { what: "the engine counted other rows than before; nothing is released".to_owned() }
}
