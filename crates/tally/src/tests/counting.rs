//! The kernel against a naive counter.

use std::collections::BTreeMap;

use lookalike_schema::{AttrId, Clique, Derived, Domain};
use proptest::prelude::*;

use crate::{BLOCK_ROWS, CellCounts, TallyError, block_rows, blocks_of, count, widths};

pub(crate) fn clique(attributes: &[u32]) -> Clique {
    Clique::new(attributes.iter().map(|&a| AttrId(a)))
}

pub(crate) fn naive(columns: &[Vec<u32>], sizes: &[u32], clique: &Clique, rows: usize) -> BTreeMap<u64, u64> {
    let mut out = BTreeMap::new();
    let cell = |row: usize| {
        let codes =
            clique.attributes().iter().map(|a| (u64::from(sizes[a.index()]), u64::from(columns[a.index()][row])));
        codes.fold(0, |cell, (size, code)| cell * size + code)
    };
    (0..rows).for_each(|row| *out.entry(cell(row)).or_insert(0) += 1);
    out
}

pub(crate) fn occupied(counts: &CellCounts) -> BTreeMap<u64, u64> {
    match counts {
        CellCounts::Dense(cells) => {
            cells.iter().enumerate().filter(|&(_, &n)| n > 0).map(|(cell, &n)| (cell as u64, n)).collect()
        }
        CellCounts::Sparse(cells) => {
            assert!(cells.is_sorted_by(|a, b| a.0 < b.0) && cells.iter().all(|&(_, n)| n > 0));
            cells.iter().copied().collect()
        }
    }
}

pub(crate) fn random_columns(sizes: &[u32], rows: usize, mut seed: u64) -> Vec<Vec<u32>> {
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed >> 33
    };
    // Half of the cells are small codes, so that some cells of a count are crowded.
    let mut code = |size: u32| (next() % u64::from(if next() % 2 == 0 { size } else { size.min(2) })) as u32;
    sizes.iter().map(|&size| (0..rows).map(|_| code(size)).collect()).collect()
}

/// Counts codes in blocks of `block` rows, or of the size that tables have.
pub(crate) fn counted(
    sizes: &[u32],
    columns: &[Vec<u32>],
    cliques: &[Clique],
    derived: &[Derived],
    block: Option<usize>,
) -> Result<Vec<CellCounts>, TallyError> {
    let domain = Domain::new(sizes.to_vec());
    let widths = widths(&domain);
    let blocks: Vec<_> = blocks_of(columns, &widths, block.unwrap_or_else(|| block_rows(&widths))).collect();
    count(&blocks[..], &domain, cliques, derived, &|| false)
}

#[track_caller]
fn check(sizes: &[u32], rows: usize, seed: u64, cliques: &[Clique], block: Option<usize>) {
    let columns = random_columns(sizes, rows, seed);
    let found = counted(sizes, &columns, cliques, &[], block).unwrap();
    assert_eq!(found.len(), cliques.len());
    for (counts, clique) in found.iter().zip(cliques) {
        if let CellCounts::Dense(cells) = counts {
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
        check(&sizes, rows, seed, &cliques, block);
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
    check(&sizes, 70_000, 1, &cliques, None);
    check(&sizes, 3000, 2, &cliques, Some(100));
}

#[test]
fn a_full_block_in_one_cell_does_not_overflow() {
    let rows = 3 * BLOCK_ROWS + 1;
    let columns = [vec![1; rows], vec![2; rows]];
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let counts = pool.install(|| counted(&[2, 3], &columns, &[clique(&[0, 1])], &[], Some(BLOCK_ROWS))).unwrap();
        assert!(occupied(&counts[0]) == BTreeMap::from([(5, rows as u64)]));
    }
}

#[test]
fn dense_up_to_the_bound_and_sparse_beyond() {
    let sizes = [4096, 4096, 4097];
    check(&sizes, 500, 3, &[clique(&[0, 1]), clique(&[0, 2]), clique(&[1]), clique(&[0, 1, 2])], Some(100));
    let counts = counted(&sizes, &[vec![], vec![], vec![]], &[clique(&[0, 1]), clique(&[0, 2])], &[], None).unwrap();
    assert!(matches!(&counts[0], CellCounts::Dense(cells) if cells.len() == 1 << 24));
    assert!(matches!(&counts[1], CellCounts::Sparse(cells) if cells.is_empty()));
}

#[test]
fn no_rows_no_columns_one_row() {
    check(&[3, 4], 0, 4, &[clique(&[]), clique(&[0, 1])], None);
    check(&[3, 4], 1, 5, &[clique(&[]), clique(&[0, 1]), clique(&[]), clique(&[0, 1])], None);
    check(&[3, 4], 1, 5, &[], None);
}

#[test]
fn a_request_that_makes_no_sense_or_is_cancelled_is_an_error() {
    let domain = Domain::new(vec![1_000_000; 4]);
    let blocks: Vec<_> = blocks_of(&vec![vec![5; 10]; 4], &widths(&domain), 4).collect();
    let asked = |attributes: &[u32], stop: bool| count(&blocks[..], &domain, &[clique(attributes)], &[], &|| stop);
    assert!(matches!(asked(&[0, 1, 2, 3], false), Err(TallyError::Request(_))));
    assert!(matches!(asked(&[4], false), Err(TallyError::Request(_))));
    assert!(matches!(asked(&[0, 1, 2], true), Err(TallyError::Cancelled)));
    assert!(asked(&[0, 1, 2], false).is_ok());
}
