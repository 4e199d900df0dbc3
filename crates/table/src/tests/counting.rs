//! The kernel against a naive counter.

use std::collections::BTreeMap;

use lookalike_schema::{AttrId, Clique};
use proptest::prelude::*;

use super::integers;
use crate::coded::CodedTable;
use crate::{PrivateTable, RawCounts, Table, TableError};

pub(super) fn clique(attributes: &[u32]) -> Clique {
    Clique::new(attributes.iter().map(|&a| AttrId(a)))
}

pub(super) fn naive(columns: &[Vec<u32>], sizes: &[u32], clique: &Clique, rows: usize) -> BTreeMap<u64, u64> {
    let mut out = BTreeMap::new();
    let cell = |row: usize| {
        let codes =
            clique.attributes().iter().map(|a| (u64::from(sizes[a.index()]), u64::from(columns[a.index()][row])));
        codes.fold(0, |cell, (size, code)| cell * size + code)
    };
    (0..rows).for_each(|row| *out.entry(cell(row)).or_insert(0) += 1);
    out
}

pub(super) fn occupied(counts: &RawCounts) -> BTreeMap<u64, u64> {
    match counts {
        RawCounts::Dense(cells) => {
            cells.iter().enumerate().filter(|&(_, &n)| n > 0).map(|(cell, &n)| (cell as u64, n)).collect()
        }
        RawCounts::Sparse(cells) => {
            assert!(cells.is_sorted_by(|a, b| a.0 < b.0) && cells.iter().all(|&(_, n)| n > 0));
            cells.iter().copied().collect()
        }
    }
}

pub(super) fn random_columns(sizes: &[u32], rows: usize, mut seed: u64) -> Vec<Vec<u32>> {
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed >> 33
    };
    // Half of the cells are small codes, so that some cells of a count are crowded.
    let mut code = |size: u32| (next() % u64::from(if next() % 2 == 0 { size } else { size.min(2) })) as u32;
    sizes.iter().map(|&size| (0..rows).map(|_| code(size)).collect()).collect()
}

#[track_caller]
fn check(sizes: &[u32], rows: usize, seed: u64, cliques: &[Clique], block: Option<usize>, memory: u64) {
    let columns = random_columns(sizes, rows, seed);
    let table = CodedTable::build(&integers(sizes), &columns, block, memory).unwrap();
    if memory == 0 && rows > 0 {
        assert!(table.store.spilled_blocks() > 0);
    }
    let found = Table(table).count(cliques, &|| false).unwrap();
    assert_eq!(found.len(), cliques.len());
    for (counts, clique) in found.iter().zip(cliques) {
        if let RawCounts::Dense(cells) = counts {
            let all: u64 = clique.attributes().iter().map(|a| u64::from(sizes[a.index()])).product();
            assert_eq!(cells.len() as u64, all);
        }
        let expected =
            if clique.is_empty() && rows == 0 { BTreeMap::new() } else { naive(&columns, sizes, clique, rows) };
        assert!(occupied(counts) == expected, "clique {:?}, rows {rows}", clique.attributes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn any_cliques_of_any_table(
        sizes in proptest::collection::vec(
            prop_oneof![1u32..4, 2u32..60, Just(256), Just(257), 1000u32..2000, Just(65_536), Just(65_537)], 1..9),
        picks in proptest::collection::vec(proptest::collection::vec(any::<u32>(), 0..5), 0..12),
        rows in prop_oneof![Just(0usize), Just(1), 2usize..300],
        block in prop_oneof![Just(None), (1usize..100).prop_map(Some)],
        memory in prop_oneof![Just(u64::MAX), Just(0), 1u64..2000],
        seed in any::<u64>(),
    ) {
        let cliques: Vec<Clique> = picks
            .iter()
            .map(|pick| Clique::new(pick.iter().map(|&a| AttrId(a % sizes.len() as u32))))
            // Dense answers just below the bound are slow to allocate many times over; one test
            // below has them.
            .filter(|c| !(1 << 20..=1 << 24).contains(&c.attributes().iter().map(|a| u128::from(sizes[a.index()])).product::<u128>()))
            .filter(|c| c.attributes().iter().map(|a| u128::from(sizes[a.index()])).product::<u128>() < 1 << 64)
            .collect();
        check(&sizes, rows, seed, &cliques, block, memory);
    }
}

#[test]
fn all_pairs_and_triples_share_tallies() {
    let sizes = [2, 5, 10, 20, 50, 2, 5, 10, 20, 50, 300, 3];
    let mut cliques = vec![clique(&[])];
    for a in 0..12 {
        cliques.push(clique(&[a]));
        for b in 0..a {
            cliques.push(clique(&[a, b]));
            for c in 0..b {
                cliques.push(clique(&[a, b, c]));
            }
        }
    }
    // Across the edge of full-size blocks, where all rows of a block may fall into one cell.
    check(&sizes, 70_000, 1, &cliques, None, u64::MAX);
    check(&sizes, 3000, 2, &cliques, Some(100), 40_000);
}

#[test]
fn a_full_block_in_one_cell_does_not_overflow() {
    let rows = 3 * crate::coded::block::BLOCK_ROWS + 1;
    let table = Table::from_columns(&integers(&[2, 3]), vec![vec![1; rows], vec![2; rows]]);
    for pool in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(pool).build().unwrap();
        let counts = pool.install(|| table.count(&[clique(&[0, 1])], &|| false)).unwrap();
        assert!(occupied(&counts[0]) == BTreeMap::from([(5, rows as u64)]));
    }
}

#[test]
fn dense_up_to_the_bound_and_sparse_beyond() {
    let sizes = [4096, 4096, 4097];
    check(&sizes, 500, 3, &[clique(&[0, 1]), clique(&[0, 2]), clique(&[1]), clique(&[0, 1, 2])], Some(100), 0);
    let table = Table::from_columns(&integers(&sizes), vec![vec![]; 3]);
    let counts = table.count(&[clique(&[0, 1]), clique(&[0, 2])], &|| false).unwrap();
    assert!(matches!(&counts[0], RawCounts::Dense(cells) if cells.len() == 1 << 24));
    assert!(matches!(&counts[1], RawCounts::Sparse(cells) if cells.is_empty()));
}

#[test]
fn no_rows_no_columns_one_row() {
    check(&[3, 4], 0, 4, &[clique(&[]), clique(&[0, 1])], None, u64::MAX);
    check(&[3, 4], 1, 5, &[clique(&[]), clique(&[0, 1]), clique(&[]), clique(&[0, 1])], None, 0);
    check(&[3, 4], 1, 5, &[], None, 0);
}

#[test]
fn a_request_that_makes_no_sense_or_is_cancelled_is_an_error() {
    let sizes = [1_000_000; 4];
    let table = PrivateTable::from_columns(&integers(&sizes), vec![vec![5; 10]; 4]);
    assert!(matches!(table.count(&[clique(&[0, 1, 2, 3])], &|| false), Err(TableError::Schema(_))));
    assert!(matches!(table.count(&[clique(&[0, 1, 2])], &|| true), Err(TableError::Cancelled)));
    assert!(table.count(&[clique(&[0, 1, 2])], &|| false).is_ok());
}

#[test]
#[should_panic(expected = "a code is below its column's size")]
fn codes_that_a_column_does_not_have_are_refused() {
    PrivateTable::from_columns(&integers(&[3]), vec![vec![0, 3]]);
}
