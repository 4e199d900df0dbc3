//! The pieces of the kernel that need no table.

use lookalike_schema::{AttrId, Clique, Domain};
use proptest::prelude::*;

use crate::block::Codes;
use crate::cover::{DENSE_CELLS, SHARED_CELLS, cover};
use crate::dense::{DenseCells, DenseTally, Scratch};
use crate::project::{project, transpose};
use crate::sparse::SparseTally;

fn clique(attributes: &[u32]) -> Clique {
    Clique::new(attributes.iter().map(|&a| AttrId(a)))
}

#[test]
fn every_clique_is_covered_once() {
    let domain = Domain::new((0..40).map(|k| [2, 5, 10, 20, 50, 300, 70_000][k % 7]).collect());
    let mut cliques = vec![clique(&[]), clique(&[3]), clique(&[0, 1, 2, 3, 4, 5])];
    for a in 0..40 {
        for b in 0..a {
            cliques.push(clique(&[a, b]));
        }
    }
    cliques.push(clique(&[3, 4]));
    let plan = cover(&cliques, &domain).unwrap();
    assert_eq!(plan.positions.len(), cliques.len());
    let mut covered = vec![0; plan.distinct.len()];
    for tally in &plan.tallies {
        let shape: u64 = tally.attributes.iter().map(|&a| u64::from(domain.size(a))).product();
        assert_eq!(shape, tally.cells);
        assert!(!tally.is_sparse() || tally.answers.len() == 1);
        for &c in &tally.answers {
            covered[c] += 1;
            assert!(plan.distinct[c].attributes().iter().all(|a| tally.attributes.contains(a)));
            let own = domain.cells(&plan.distinct[c]).unwrap();
            assert!(tally.cells <= SHARED_CELLS.max(own) || tally.cells <= DENSE_CELLS && own <= tally.cells);
        }
    }
    for (c, clique) in plan.distinct.iter().enumerate() {
        assert_eq!(covered[c], u32::from(!clique.is_empty()));
    }
    for (request, &position) in cliques.iter().zip(&plan.positions) {
        assert_eq!(request, &plan.distinct[position]);
    }
}

#[test]
fn small_cliques_share_wide_tallies() {
    let domain = Domain::new((0..98).map(|k| [2, 5, 10, 20, 50][k % 5]).collect());
    let cliques: Vec<Clique> = (0..98).flat_map(|a| (0..a).map(move |b| clique(&[a, b]))).collect();
    let plan = cover(&cliques, &domain).unwrap();
    assert_eq!(cliques.len(), 4753);
    assert!(plan.tallies.len() < 1150, "{} tallies for 4753 pairs", plan.tallies.len());
}

#[test]
fn a_clique_with_too_many_cells_to_number_is_refused() {
    let domain = Domain::new(vec![u32::MAX; 3]);
    assert!(cover(&[clique(&[0, 1, 2])], &domain).is_none());
    assert!(cover(&[clique(&[0, 1])], &domain).is_some());
}

proptest! {
    #[test]
    fn projection_and_transposition_match_their_definition(
        shape in proptest::collection::vec(1usize..5, 0..5),
        keep in proptest::collection::vec(any::<bool>(), 5),
        seed in any::<u32>(),
    ) {
        let total: usize = shape.iter().product();
        let cells: Vec<u32> = (0..total as u32).map(|k| seed.wrapping_mul(k + 1) >> 8).collect();
        let keep = &keep[..shape.len()];
        let digits = |mut cell: usize| {
            let mut out = vec![0; shape.len()];
            for k in (0..shape.len()).rev() {
                out[k] = cell % shape[k];
                cell /= shape[k];
            }
            out
        };
        let kept: Vec<usize> = (0..shape.len()).filter(|&k| keep[k]).collect();
        let mut expected = vec![0u64; kept.iter().map(|&k| shape[k]).product()];
        for (cell, &count) in cells.iter().enumerate() {
            let digits = digits(cell);
            expected[kept.iter().fold(0, |at, &k| at * shape[k] + digits[k])] += u64::from(count);
        }
        let mut out = vec![0u64; expected.len()];
        project(&cells, &shape, keep, &mut out);
        prop_assert_eq!(out, expected);

        let wide: Vec<u64> = cells.iter().map(|&count| u64::from(count)).collect();
        let axes: Vec<usize> = (0..shape.len()).map(|k| (k + 1) % shape.len()).collect();
        let turned = transpose(&wide, &shape, &axes);
        for (cell, &count) in wide.iter().enumerate() {
            let digits = digits(cell);
            let at = axes.iter().fold(0, |at, &axis| at * shape[axis] + digits[axis]);
            prop_assert_eq!(turned[at], count);
        }
    }
}

fn counted(tally: &mut DenseTally) -> Vec<u64> {
    match tally.counts() {
        DenseCells::Low(cells) => cells.iter().map(|&count| u64::from(count)).collect(),
        DenseCells::High(cells) => cells.to_vec(),
    }
}

/// Narrow counters are emptied before they can overflow; with the bound made small, the same path
/// runs here.
#[test]
fn carries_lose_nothing() {
    let rows = 1000;
    let (ones, many) = (Codes::U8(vec![1; rows]), Codes::U16((0..1000).map(|k| k % 300).collect()));
    let block = [&ones, &many];
    let mut scratch = Scratch::new();
    for axes in [vec![(0, 2), (1, 300)], vec![(1, 300), (0, 2), (1, 300)]] {
        let cells = axes.iter().map(|&(_, size)| size as usize).product();
        let mut plain = DenseTally::new(axes.clone(), cells);
        let mut carrying = DenseTally::new(axes.clone(), cells).carrying_at(2500);
        let mut second = DenseTally::new(axes, cells).carrying_at(2500);
        for round in 0..20 {
            plain.count(&block, 0, rows, &mut scratch);
            let half = if round % 3 == 0 { &mut second } else { &mut carrying };
            half.count(&block, 0, rows, &mut scratch);
        }
        carrying.merge(&second);
        let counts = counted(&mut carrying);
        assert_eq!(counts.iter().sum::<u64>(), 20_000);
        assert_eq!(counts, counted(&mut plain));
    }
}

#[test]
fn sparse_runs_merge() {
    let mut whole = SparseTally::new(vec![(0, 70_000), (0, 70_000)]);
    let mut other = SparseTally::new(vec![(0, 70_000), (0, 70_000)]);
    for round in 0..50u32 {
        let codes = (0..100).map(|k| (k * round) % 977).collect();
        let tally = if round % 5 == 0 { &mut other } else { &mut whole };
        tally.count(&[&Codes::U32(codes)], 10, 100);
    }
    whole.merge(other);
    let found = whole.finish();
    let mut expected = std::collections::BTreeMap::new();
    for round in 0..50u64 {
        for k in 10..100 {
            *expected.entry((k * round) % 977 * 70_001).or_insert(0u64) += 1;
        }
    }
    assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
}
