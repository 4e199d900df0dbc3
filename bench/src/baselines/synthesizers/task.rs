//! What a system is asked for.

use anyhow::Result;
use lookalike_table::Table;

/// A public table of which a copy is to be made as if it were private.
#[derive(Clone, Copy)]
pub struct SynthesisTask<'a> {
    /// The table.
    pub table: &'a Table,
    /// The budget's epsilon.
    pub epsilon: f64,
    /// The budget's delta; systems of pure epsilon leave it unspent.
    pub delta: f64,
    /// Rows to make. Public.
    pub rows: usize,
}

impl SynthesisTask<'_> {
    /// The codes of every column.
    pub(super) fn columns(&self) -> Result<Vec<Vec<u32>>> {
        let attributes = self.table.domain().attributes();
        Ok(attributes.map(|attribute| self.table.codes(attribute)).collect::<Result<_, _>>()?)
    }

    /// The number of codes of every column.
    pub(super) fn sizes(&self) -> Vec<usize> {
        self.table.domain().sizes().iter().map(|&size| size as usize).collect()
    }
}
