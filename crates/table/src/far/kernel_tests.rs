//! The kernel against a table in memory: the same codes, the same rows of persons, the same counts.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use lookalike_schema::{AttrId, Clique, Derived, Grouping, Schema};
use lookalike_tally::CellCounts;

use super::{Coding, CountRequest, Kernel};
use crate::read::{Persons, Terms, read_batches};
use crate::tests::arrow::batch;
use crate::tests::{Quiet, every_type, integers};
use crate::{Table, TableError};

/// Occupied cells with their counts.
type Cells = BTreeMap<(i32, i64), i64>;

fn coding(schema: &Schema, batch: &RecordBatch, persons: Option<&Persons>) -> Coding {
    let names: Vec<String> = batch.schema().fields().iter().map(|field| field.name().clone()).collect();
    Coding::new(schema, &names, persons).unwrap()
}

/// All columns alone, all pairs, all together, and pairs with a derived column.
fn request(coding: &Coding) -> CountRequest {
    let domain = coding.schema().domain();
    let columns = domain.len() as u32;
    let size = domain.size(AttrId(0));
    let grouping = Arc::new(Grouping::new((0..size).map(|code| code % 2).collect()).unwrap());
    let derived = [Derived { base: AttrId(0), grouping, name: String::new() }];
    let pairs = (0..=columns).flat_map(|one| (one..=columns).map(move |other| vec![one, other]));
    let sets = pairs.chain([vec![], (0..columns).collect()]);
    let cliques: Vec<Clique> = sets.map(|set| Clique::new(set.into_iter().map(AttrId))).collect();
    CountRequest::new(domain, &cliques, &derived)
}

/// What the table of these rows in memory counts, under the same key.
fn expected(coding: &Coding, batches: &[RecordBatch], request: &CountRequest) -> Cells {
    let bounds = coding.bounds();
    let terms = Terms { memory: u64::MAX, bounds: bounds.as_ref(), digest: None };
    let mut rows = batches.iter().cloned().map(Ok);
    let (table, _) = read_batches(&mut rows, coding.given(), terms, &Quiet).unwrap();
    let counts = Table(table).count_with(&request.cliques, &request.derived, &|| false).unwrap();
    let mut cells = Cells::new();
    for (clique, counts) in (0..).zip(counts) {
        let entries: Vec<(u64, u64)> = match counts {
            CellCounts::Dense(counts) => (0..).zip(counts).filter(|entry| entry.1 > 0).collect(),
            CellCounts::Sparse(entries) => entries,
        };
        cells.extend(entries.into_iter().map(|(cell, count)| ((clique, cell as i64), count as i64)));
    }
    cells
}

/// The counts of parts, added up as an engine adds them.
fn added(parts: &[RecordBatch]) -> Cells {
    let mut cells = Cells::new();
    for part in parts {
        let cliques = part.column(0).as_primitive::<Int32Type>().values();
        let numbers = part.column(1).as_primitive::<Int64Type>().values();
        let counts = part.column(2).as_primitive::<Int64Type>().values();
        for ((&clique, &cell), &count) in cliques.iter().zip(numbers).zip(counts) {
            *cells.entry((clique, cell)).or_default() += count;
        }
    }
    cells
}

fn open(blobs: &[Vec<u8>]) -> Vec<&[u8]> {
    blobs.iter().map(Vec::as_slice).collect()
}

#[test]
fn counts_are_those_of_a_table_in_memory() {
    let whole = batch(1000);
    let coding = coding(&every_type(), &whole, None);
    let request = request(&coding);
    let expected = expected(&coding, std::slice::from_ref(&whole), &request);
    assert!(expected.len() > 1000);
    let kernel = Kernel::new(Coding::from_bytes(&coding.to_bytes()).unwrap()).unwrap();
    let needed = kernel.needed().unwrap();
    assert_eq!(needed, ["age", "height", "school", "married", "born", "seen"]);
    let places: Vec<usize> = needed.iter().rev().map(|name| whole.schema().index_of(name).unwrap()).collect();
    // Columns that are not needed stay away, and the others come in another order.
    for whole in [whole.clone(), whole.project(&places).unwrap()] {
        for tasks in [vec![0, 1000], vec![0, 0, 1, 300, 999, 1000]] {
            let parts = tasks.windows(2).map(|ends| {
                let rows = whole.slice(ends[0], ends[1] - ends[0]);
                let halves =
                    [rows.slice(0, rows.num_rows() / 2), rows.slice(rows.num_rows() / 2, rows.num_rows().div_ceil(2))];
                let blobs: Vec<Vec<u8>> = kernel.code(&halves, 5).unwrap().into_iter().map(|blob| blob.1).collect();
                kernel.count(&open(&blobs), &request).unwrap()
            });
            assert_eq!(added(&parts.collect::<Vec<_>>()), expected);
        }
    }
}

#[test]
fn the_same_rows_of_persons_are_kept_under_the_same_key() {
    let whole = batch(700);
    for most in [1, 3, 100] {
        let persons = Persons { column: "person".to_owned(), most };
        let coding = coding(&every_type(), &whole, Some(&persons));
        let request = request(&coding);
        let expected = expected(&coding, std::slice::from_ref(&whole), &request);
        let kernel = Kernel::new(Coding::from_bytes(&coding.to_bytes()).unwrap()).unwrap();
        assert!(kernel.bounds_persons() && kernel.needed().unwrap()[0] == "person");
        for buckets in [1, 3, 50] {
            let mut shuffled: BTreeMap<u32, Vec<Vec<u8>>> = BTreeMap::new();
            for from in [600, 0, 300] {
                let rows = whole.slice(from, 300.min(700 - from));
                for (bucket, blob) in kernel.code(&[rows], buckets).unwrap() {
                    shuffled.entry(bucket).or_default().push(blob);
                }
            }
            assert!(shuffled.len() > 1 || buckets == 1);
            let parts = shuffled.values().map(|blobs| {
                assert!(kernel.count(&open(blobs), &request).is_err(), "rows that are not bounded are not counted");
                let kept = kernel.bound(&open(blobs)).unwrap();
                kernel.count(&open(&kept), &request).unwrap()
            });
            assert_eq!(added(&parts.collect::<Vec<_>>()), expected, "{most} of {buckets}");
        }
    }
}

#[test]
fn rows_beyond_a_block_and_columns_of_every_width() {
    let rows = 200_000;
    let schema = integers(&[3, 300, 70_000]);
    let column = |size: i32, factor: i32| {
        let codes = (0..rows).map(|row| row * factor % size);
        Arc::new(codes.collect::<arrow_array::Int32Array>()) as arrow_array::ArrayRef
    };
    let whole =
        RecordBatch::try_from_iter([("c0", column(3, 1)), ("c1", column(300, 7)), ("c2", column(70_000, 11))]).unwrap();
    let coding = coding(&schema, &whole, None);
    let request = request(&coding);
    let expected = expected(&coding, std::slice::from_ref(&whole), &request);
    let kernel = Kernel::new(coding).unwrap();
    let blobs: Vec<Vec<u8>> = kernel.code(&[whole], 1).unwrap().into_iter().map(|blob| blob.1).collect();
    assert_eq!(blobs.len(), 4);
    assert_eq!(added(&[kernel.count(&open(&blobs), &request).unwrap()]), expected);
    assert_eq!(kernel.count(&[], &request).unwrap().num_rows(), 0, "without rows no cell is occupied");
}

#[test]
fn what_is_damaged_or_does_not_fit_is_refused_in_fixed_words() {
    let whole = batch(50);
    let coding = coding(&every_type(), &whole, None);
    let request = request(&coding);
    let kernel = Kernel::new(coding).unwrap();
    let mut blob = kernel.code(std::slice::from_ref(&whole), 1).unwrap().remove(0).1;
    let last = blob.len() - 1;
    blob[last] ^= 4;
    let refused = [
        kernel.count(&[&blob], &request).map(drop),
        kernel.bound(&[&blob]).map(drop),
        kernel.count(&[], &CountRequest { sizes: vec![7], ..request }).map(drop),
    ];
    assert!(refused.iter().all(|refused| matches!(refused, Err(TableError::Server { .. }))));
    let lacking = whole.project(&[0, 1]).unwrap();
    assert!(matches!(kernel.code(&[lacking], 1), Err(TableError::File { .. })));
    assert_eq!(whole.column(0).null_count(), 7);
}
