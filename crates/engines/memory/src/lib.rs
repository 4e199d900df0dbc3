//! Counting in this process: the coded table behind the curator's door.

use lookalike_curator::{Cancel, CountTable, Counts, CuratorError, Permit};
use lookalike_schema::Clique;
use lookalike_table::{PrivateTable, RawCounts, TableError};

/// A private table that only a permit opens.
pub struct MemoryEngine {
    table: PrivateTable,
}

impl MemoryEngine {
    /// Takes the rows. There is no way to get them back.
    pub fn new(table: PrivateTable) -> Self {
        Self { table }
    }
}

impl Counts for MemoryEngine {
    fn count(&self, cliques: &[Clique], permit: Permit, cancel: &Cancel) -> Result<Vec<CountTable>, CuratorError> {
        let counts = self.table.count(cliques, &|| cancel.is_cancelled());
        let _used_up = permit;
        let domain = self.table.schema().domain();
        let tables = counts.map_err(refusal)?.into_iter().zip(cliques);
        Ok(tables
            .map(|(counts, clique)| match counts {
                RawCounts::Dense(cells) => CountTable::Dense(cells),
                RawCounts::Sparse(entries) => {
                    CountTable::Sparse { entries, cells: domain.cells(clique).unwrap_or(u64::MAX) }
                }
            })
            .collect())
    }
}

fn refusal(error: TableError) -> CuratorError {
    match error {
        TableError::Cancelled => CuratorError::Cancelled,
        other => CuratorError::Engine { what: other.to_string() },
    }
}
