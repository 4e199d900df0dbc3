//! The engine that counts a table held by this process (in memory, spilled to disk past a bound).

use lookalike_curator::{Cancel, CountTable, Counts, CuratorError, Permit};
use lookalike_schema::{Clique, Schema};
use lookalike_table::{PrivateTable, RawCounts, TableError};

/// Counts a [`PrivateTable`]. Offers nothing but [`Counts`], which only the curator can call, and the public schema.
pub struct MemoryEngine {
    table: PrivateTable,
}

impl MemoryEngine {
    /// An engine over the table, which nobody else can reach from then on.
    pub fn new(table: PrivateTable) -> Self {
        Self { table }
    }

    /// The schema, arranged in the input's column order.
    pub fn schema(&self) -> &Schema {
        self.table.schema()
    }
}

impl Counts for MemoryEngine {
    fn count(&self, cliques: &[Clique], _permit: Permit, cancel: &Cancel) -> Result<Vec<CountTable>, CuratorError> {
        let domain = self.table.schema().domain();
        let unknown = |clique: &&Clique| clique.attributes().iter().any(|a| a.index() >= domain.len());
        if cliques.iter().any(|clique| unknown(&clique)) {
            return Err(CuratorError::Query { what: "a column that the schema does not have".to_owned() });
        }
        let counts = self.table.count(cliques, &|| cancel.is_cancelled()).map_err(engine_error)?;
        let tables = counts.into_iter().zip(cliques).map(|(counts, clique)| match counts {
            RawCounts::Dense(cells) => CountTable::Dense(cells),
            RawCounts::Sparse(entries) => {
                CountTable::Sparse { entries, cells: domain.cells(clique).unwrap_or(u64::MAX) }
            }
        });
        Ok(tables.collect())
    }
}

/// Table errors are free of data by their own contract, so their words may pass.
fn engine_error(error: TableError) -> CuratorError {
    match error {
        TableError::Cancelled => CuratorError::Cancelled,
        TableError::Schema(error) => CuratorError::Query { what: error.to_string() },
        error => CuratorError::Engine { what: error.to_string() },
    }
}
