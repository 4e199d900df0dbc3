//! Who may count: private rows against a permit, other rows for whoever asks.

use lookalike_curator::{Cancel, CountTable, Counts, CuratorError, Permit};
use lookalike_schema::{Clique, Derived};
use lookalike_tally::{CellCounts, count};

use super::{PrivateTable, Table};
use crate::coded::CodedTable;
use crate::error::TableError;

impl CodedTable {
    fn count(
        &self,
        cliques: &[Clique],
        derived: &[Derived],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<CellCounts>, TableError> {
        count(&self.store, self.schema.domain(), cliques, derived, cancelled)
    }
}

impl Table {
    /// Exact counts of every clique. The empty clique has one cell: the row count.
    ///
    /// Runs on the thread pool that is installed. A clique of more than 2^24 cells comes back
    /// sparse. `Err` when a clique has more cells than a `u64` can number, when spilled rows cannot
    /// be read back, or when cancelled.
    pub fn count(
        &self,
        cliques: &[Clique],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<CellCounts>, TableError> {
        self.count_with(cliques, &[], cancelled)
    }

    /// Like [`count`](Self::count), with derived columns behind the schema's own.
    pub fn count_with(
        &self,
        cliques: &[Clique],
        derived: &[Derived],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<CellCounts>, TableError> {
        self.0.count(cliques, derived, cancelled)
    }
}

impl PrivateTable {
    /// The counts in the curator's form. Nothing outside this file can call it.
    fn tables(
        &self,
        cliques: &[Clique],
        derived: &[Derived],
        cancel: &Cancel,
    ) -> Result<Vec<CountTable>, CuratorError> {
        let counts = self.0.count(cliques, derived, &|| cancel.is_cancelled()).map_err(refusal)?;
        let sizes = self.0.schema.domain().sizes();
        let size = |attribute: usize| match attribute.checked_sub(sizes.len()) {
            None => u64::from(sizes[attribute]),
            Some(place) => u64::from(derived[place].grouping.groups()),
        };
        let tables = counts.into_iter().zip(cliques).map(|(counts, clique)| match counts {
            CellCounts::Dense(cells) => CountTable::Dense(cells),
            CellCounts::Sparse(entries) => {
                let cells = clique.attributes().iter().map(|attribute| size(attribute.index())).product();
                CountTable::Sparse { entries, cells }
            }
        });
        Ok(tables.collect())
    }
}

/// Private rows are counted against a permit, which only the curator makes, and only after the
/// charge is on disk. There is no other way to a count:
///
/// ```compile_fail,E0599
/// fn look(table: &lookalike_table::PrivateTable, cliques: &[lookalike_schema::Clique]) {
///     table.count_with(cliques, &[], &|| false);
/// }
/// ```
/// ```compile_fail,E0624
/// fn look(table: &lookalike_table::PrivateTable, cliques: &[lookalike_schema::Clique]) {
///     table.tables(cliques, &[], &lookalike_curator::Cancel::new());
/// }
/// ```
/// ```compile_fail,E0616
/// fn look(table: &lookalike_table::PrivateTable) {
///     let rows = &table.0;
/// }
/// ```
impl Counts for PrivateTable {
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lookalike_schema::{AttrId, Grouping, Schema};

    use super::*;

    fn table() -> PrivateTable {
        let schema = Schema::parse(r#"{"a": 2, "b": 3, "wide": 100000, "wider": 100000}"#, "s.json").unwrap();
        let columns = vec![vec![0, 1, 1, 1], vec![2, 0, 2, 2], vec![7, 0, 7, 7], vec![1, 2, 1, 99_999]];
        PrivateTable::from_columns(&schema, columns)
    }

    fn clique(attributes: &[u32]) -> Clique {
        Clique::new(attributes.iter().map(|&a| AttrId(a)))
    }

    #[test]
    fn dense_sparse_and_empty() {
        let cliques = [clique(&[]), clique(&[0, 1]), clique(&[2, 3]), clique(&[1])];
        let tables = table().tables(&cliques, &[], &Cancel::new()).unwrap();
        assert!(matches!(&tables[0], CountTable::Dense(cells) if *cells == [4]));
        assert!(matches!(&tables[1], CountTable::Dense(cells) if *cells == [0, 0, 1, 1, 0, 2]));
        assert!(matches!(&tables[2], CountTable::Sparse { entries, cells: 10_000_000_000 }
            if *entries == [(2, 1), (700_001, 2), (799_999, 1)]));
        assert!(matches!(&tables[3], CountTable::Dense(cells) if *cells == [1, 0, 3]));
    }

    #[test]
    fn a_stop_and_a_senseless_request() {
        let cancel = Cancel::new();
        assert!(matches!(table().tables(&[clique(&[4])], &[], &cancel), Err(CuratorError::Query { .. })));
        cancel.cancel();
        assert!(matches!(table().tables(&[clique(&[0])], &[], &cancel), Err(CuratorError::Cancelled)));
    }

    #[test]
    fn derived_columns() {
        let grouping = Arc::new(Grouping::new(vec![1, 0, 1]).unwrap());
        let derived = [Derived { base: AttrId(1), grouping, name: "b is not 1".into() }];
        let cliques = [clique(&[0, 4]), clique(&[2, 3, 4]), clique(&[1, 4])];
        let tables = table().tables(&cliques, &derived, &Cancel::new()).unwrap();
        assert!(matches!(&tables[0], CountTable::Dense(cells) if *cells == [0, 1, 0, 3]));
        assert!(matches!(&tables[1], CountTable::Sparse { entries, cells: 20_000_000_000 }
            if *entries == [(5, 1), (1_400_003, 2), (1_599_999, 1)]));
        assert!(matches!(&tables[2], CountTable::Dense(cells) if *cells == [0, 1, 0, 0, 0, 3]));
        assert!(matches!(table().tables(&[clique(&[5])], &derived, &Cancel::new()), Err(CuratorError::Query { .. })));
        let wrong = [Derived { base: AttrId(0), ..derived[0].clone() }];
        assert!(matches!(table().tables(&cliques, &wrong, &Cancel::new()), Err(CuratorError::Query { .. })));
    }

    /// Rows that lie in a temporary file are counted like those in memory, derived columns too.
    #[test]
    fn spilled_rows_count_as_those_in_memory() {
        let schema = Schema::parse(r#"{"a": 2, "b": 300, "wide": 70000}"#, "s.json").unwrap();
        let column = |size: u32, factor: u32| (0..900u32).map(|row| row * factor % size).collect();
        let columns: Vec<Vec<u32>> = vec![column(2, 1), column(300, 7), column(70_000, 977)];
        let grouping = Arc::new(Grouping::new((0..300).map(|code| code % 7).collect()).unwrap());
        let derived = [Derived { base: AttrId(1), grouping, name: "d".into() }];
        let cliques = [clique(&[]), clique(&[0, 1]), clique(&[1, 2, 3]), clique(&[2]), clique(&[0, 3])];
        let counted = |memory: u64| {
            let table = CodedTable::build(&schema, &columns, Some(100), memory).unwrap();
            assert_eq!(table.store.spilled_blocks() > 0, memory < 6_300);
            Table(table).count_with(&cliques, &derived, &|| false).unwrap()
        };
        let resident = counted(u64::MAX);
        for memory in [0, 1400] {
            for (one, other) in counted(memory).iter().zip(&resident) {
                match (one, other) {
                    (CellCounts::Dense(one), CellCounts::Dense(other)) => assert_eq!(one, other),
                    (CellCounts::Sparse(one), CellCounts::Sparse(other)) => assert_eq!(one, other),
                    _ => panic!("one dense, one sparse"),
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "a code is below its column's size")]
    fn codes_that_a_column_does_not_have_are_refused() {
        let schema = Schema::parse(r#"{"a": 3}"#, "s.json").unwrap();
        PrivateTable::from_columns(&schema, vec![vec![0, 3]]);
    }
}
