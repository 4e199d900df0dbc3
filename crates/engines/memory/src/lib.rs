//! Counting in this process: the coded table (in memory, spilled to disk past a bound) behind the
//! curator's door.

use lookalike_curator::{Cancel, CountTable, Counts, CuratorError, Permit};
use lookalike_schema::{Clique, Derived, Domain};
use lookalike_table::{PrivateTable, RawCounts, TableError};

#[cfg(test)]
mod tests;

/// A private table that only a permit opens. There is no way to get the rows back.
pub struct MemoryEngine {
    table: PrivateTable,
}

impl MemoryEngine {
    /// Takes the rows.
    pub fn new(table: PrivateTable) -> Self {
        Self { table }
    }

    fn tables(
        &self,
        cliques: &[Clique],
        derived: &[Derived],
        cancel: &Cancel,
    ) -> Result<Vec<CountTable>, CuratorError> {
        let groups = derived.iter().map(|column| column.grouping.groups());
        let own = self.table.schema().domain().sizes().iter().copied();
        let domain = Domain::new(own.chain(groups).collect());
        if cliques.iter().any(|clique| clique.attributes().iter().any(|a| a.index() >= domain.len())) {
            return Err(CuratorError::Query { what: "a column that does not exist".to_owned() });
        }
        let counts = self.table.count_with(cliques, derived, &|| cancel.is_cancelled()).map_err(refusal)?;
        let tables = counts.into_iter().zip(cliques).map(|(counts, clique)| match counts {
            RawCounts::Dense(cells) => CountTable::Dense(cells),
            RawCounts::Sparse(entries) => {
                CountTable::Sparse { entries, cells: domain.cells(clique).unwrap_or(u64::MAX) }
            }
        });
        Ok(tables.collect())
    }
}

impl Counts for MemoryEngine {
    fn count(
        &self,
        cliques: &[Clique],
        derived: &[Derived],
        permit: Permit,
        cancel: &Cancel,
    ) -> Result<Vec<CountTable>, CuratorError> {
        let tables = self.tables(cliques, derived, cancel);
        let _used_up = permit;
        tables
    }
}

/// A table's errors hold no data by their own contract, so their words may pass.
fn refusal(error: TableError) -> CuratorError {
    match error {
        TableError::Cancelled => CuratorError::Cancelled,
        TableError::Schema(error) => CuratorError::Query { what: error.to_string() },
        other => CuratorError::Engine { what: other.to_string() },
    }
}
