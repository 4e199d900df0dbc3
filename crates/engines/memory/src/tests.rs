//! The engine hands over what the table counts, in the curator's form.

use std::sync::Arc;

use lookalike_curator::{Cancel, CountTable, CuratorError};
use lookalike_schema::{AttrId, Clique, Derived, Grouping, Schema};
use lookalike_table::PrivateTable;

use crate::MemoryEngine;

fn engine() -> MemoryEngine {
    let schema = Schema::parse(r#"{"a": 2, "b": 3, "wide": 100000, "wider": 100000}"#, "s.json").unwrap();
    let columns = vec![vec![0, 1, 1, 1], vec![2, 0, 2, 2], vec![7, 0, 7, 7], vec![1, 2, 1, 99_999]];
    MemoryEngine::new(PrivateTable::from_columns(&schema, columns))
}

fn clique(attributes: &[u32]) -> Clique {
    Clique::new(attributes.iter().map(|&a| AttrId(a)))
}

#[test]
fn dense_sparse_and_empty() {
    let cliques = [clique(&[]), clique(&[0, 1]), clique(&[2, 3]), clique(&[1])];
    let tables = engine().tables(&cliques, &[], &Cancel::new()).unwrap();
    assert!(matches!(&tables[0], CountTable::Dense(cells) if *cells == [4]));
    assert!(matches!(&tables[1], CountTable::Dense(cells) if *cells == [0, 0, 1, 1, 0, 2]));
    assert!(matches!(&tables[2], CountTable::Sparse { entries, cells: 10_000_000_000 }
        if *entries == [(2, 1), (700_001, 2), (799_999, 1)]));
    assert!(matches!(&tables[3], CountTable::Dense(cells) if *cells == [1, 0, 3]));
}

#[test]
fn a_stop_and_a_senseless_request() {
    let cancel = Cancel::new();
    assert!(matches!(engine().tables(&[clique(&[4])], &[], &cancel), Err(CuratorError::Query { .. })));
    cancel.cancel();
    assert!(matches!(engine().tables(&[clique(&[0])], &[], &cancel), Err(CuratorError::Cancelled)));
}

#[test]
fn derived_columns() {
    let grouping = Arc::new(Grouping::new(vec![1, 0, 1]).unwrap());
    let derived = [Derived { base: AttrId(1), grouping, name: "b is not 1".into() }];
    let cliques = [clique(&[0, 4]), clique(&[2, 3, 4]), clique(&[1, 4])];
    let tables = engine().tables(&cliques, &derived, &Cancel::new()).unwrap();
    assert!(matches!(&tables[0], CountTable::Dense(cells) if *cells == [0, 1, 0, 3]));
    assert!(matches!(&tables[1], CountTable::Sparse { entries, cells: 20_000_000_000 }
        if *entries == [(5, 1), (1_400_003, 2), (1_599_999, 1)]));
    assert!(matches!(&tables[2], CountTable::Dense(cells) if *cells == [0, 1, 0, 0, 0, 3]));
    assert!(matches!(engine().tables(&[clique(&[5])], &derived, &Cancel::new()), Err(CuratorError::Query { .. })));
    let wrong = [Derived { base: AttrId(0), ..derived[0].clone() }];
    assert!(matches!(engine().tables(&cliques, &wrong, &Cancel::new()), Err(CuratorError::Query { .. })));
}
