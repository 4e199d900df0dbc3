//! Codings, requests and answers of rows that stay where they are.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int32Array, Int64Array, RecordBatch};
use lookalike_curator::{Cancel, CountTable, Counts, CuratorError, Permit};
use lookalike_schema::{AttrId, Clique, Derived, Grouping, Schema};

use super::{Coding, CountRequest, FarRows, SameRows, answered};
use crate::error::TableError;
use crate::read::{Persons, ReadWatch, SourceFacts};

fn schema() -> Schema {
    let text = "missing_tokens = [\"?\"]\n[columns.who]\ntype = \"id\"\n[columns.a]\ntype = \"integer\"\n\
                range = [0, 9]\nmissing = true\n[columns.b]\ntype = \"category\"\nvalues = [\"x\", \"y\"]\n";
    Schema::parse(text, "schema").unwrap()
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn clique(attributes: &[u32]) -> Clique {
    Clique::new(attributes.iter().map(|&attribute| AttrId(attribute)))
}

#[test]
fn a_coding_comes_back_with_its_key() {
    let persons = Persons { column: "who".to_owned(), most: 3 };
    let header = names(&["b", "who", "a"]);
    let coding = Coding::new(&schema(), &header, Some(&persons)).unwrap();
    assert_eq!(coding.schema().column(AttrId(0)).name, "b");
    let back = Coding::from_bytes(&coding.to_bytes()).unwrap();
    assert_eq!(back.to_bytes(), coding.to_bytes());
    assert_eq!(back.schema(), coding.schema());
    assert_eq!(back.bounds().unwrap().secret(), coding.bounds().unwrap().secret());
    let other = Coding::new(&schema(), &header, Some(&persons)).unwrap();
    assert_ne!(other.to_bytes(), coding.to_bytes(), "every run has a key of its own");
    assert!(Coding::new(&schema(), &names(&["a"]), None).is_err(), "a column is lacking");
    let nobody = Persons { column: "whose".to_owned(), most: 3 };
    assert!(Coding::new(&schema(), &header, Some(&nobody)).is_err());
    for bytes in [&b""[..], b"{}", b"[1]", b"{\"names\":[\"a\"],\"schema\":3}"] {
        assert!(Coding::from_bytes(bytes).is_err());
    }
}

fn request() -> CountRequest {
    let grouping = Arc::new(Grouping::new(vec![0, 0, 1]).unwrap());
    let derived = [Derived { base: AttrId(1), grouping, name: String::new() }];
    let domain = Schema::parse(r#"{"a": 2, "b": 3, "wide": 100000, "wider": 100000}"#, "s.json").unwrap();
    let cliques = [clique(&[]), clique(&[0, 4]), clique(&[2, 3])];
    CountRequest::new(domain.domain(), &cliques, &derived)
}

#[test]
fn a_request_comes_back() {
    let request = request();
    assert_eq!(request.sizes, [2, 3, 100_000, 100_000, 2]);
    assert_eq!(CountRequest::from_bytes(&request.to_bytes()).unwrap(), request);
    assert!(CountRequest::from_bytes(b"{\"cliques\": [[0]]}").is_err());
}

fn batch(rows: &[(i32, i64, i64)]) -> RecordBatch {
    let cliques: ArrayRef = Arc::new(rows.iter().map(|row| row.0).collect::<Int32Array>());
    let cells: ArrayRef = Arc::new(rows.iter().map(|row| row.1).collect::<Int64Array>());
    let counts: ArrayRef = Arc::new(rows.iter().map(|row| row.2).collect::<Int64Array>());
    RecordBatch::try_from_iter([("clique", cliques), ("cell", cells), ("count", counts)]).unwrap()
}

#[test]
fn answers_of_the_form_that_was_asked_for() {
    let batches = [batch(&[(1, 3, 2), (2, 99_999, 3)]), batch(&[(0, 0, 5), (2, 7, 2), (1, 0, 3)])];
    let tables = answered(&request(), &batches).unwrap();
    assert!(matches!(&tables[0], CountTable::Dense(counts) if *counts == [5]));
    assert!(matches!(&tables[1], CountTable::Dense(counts) if *counts == [3, 0, 0, 2]));
    assert!(matches!(&tables[2], CountTable::Sparse { entries, cells: 10_000_000_000 }
        if *entries == [(7, 2), (99_999, 3)]));
    let wrong: [&[(i32, i64, i64)]; 8] = [
        &[(3, 0, 1)],
        &[(-1, 0, 1)],
        &[(1, 4, 1)],
        &[(1, -1, 1)],
        &[(1, 0, -1)],
        &[(1, 0, 1), (1, 0, 1)],
        &[(2, 7, 1), (2, 7, 1)],
        &[(2, 10_000_000_000, 1)],
    ];
    for rows in wrong {
        assert!(matches!(answered(&request(), &[batch(rows)]), Err(CuratorError::Engine { .. })), "{rows:?}");
    }
    let twice = [batch(&[(0, 0, 5)]), batch(&[(0, 0, 5)])];
    assert!(answered(&request(), &twice).is_err(), "a cell of two batches");
    assert!(answered(&request(), &[batch(&[]).project(&[0, 1]).unwrap()]).is_err());
}

/// Rows that nobody counts.
struct Untouched;

impl Counts for Untouched {
    fn count(&self, _: &[Clique], _: &[Derived], _: Permit, _: &Cancel) -> Result<Vec<CountTable>, CuratorError> {
        unreachable!("nobody counts")
    }
}

impl FarRows for Untouched {
    fn names(&mut self, _: &dyn ReadWatch) -> Result<Vec<String>, TableError> {
        Ok(Vec::new())
    }
    fn code(&mut self, _: &Coding, _: &dyn ReadWatch) -> Result<(), TableError> {
        Ok(())
    }
    fn facts(&self) -> SourceFacts {
        unreachable!("nobody asks")
    }
}

#[test]
fn rows_that_change_between_passes_end_the_run() {
    let sparse = |count: u64| CountTable::Sparse { entries: vec![(3, count), (9, 1)], cells: 100 };
    let dense = |count: u64| CountTable::Dense(vec![count, 1]);
    let rows = SameRows::new(Box::new(Untouched));
    assert!(rows.compared(vec![dense(6), sparse(6)]).is_ok());
    assert!(rows.compared(vec![sparse(6)]).is_ok());
    for tables in [vec![dense(7)], vec![dense(6), sparse(5)], vec![dense(u64::MAX)]] {
        assert!(matches!(rows.compared(tables), Err(CuratorError::Engine { .. })));
    }
    let rows = SameRows::new(Box::new(Untouched));
    assert!(rows.compared(vec![dense(6), sparse(5)]).is_err(), "two tables of one pass");
}
