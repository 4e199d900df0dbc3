//! Brute force through derived columns: over all tiny tables of own columns, counts and scores of
//! cliques that mix own and derived columns change by no more than is declared for any clique.

use std::sync::Arc;

use lookalike_privacy::{Neighbours, Relation};
use lookalike_schema::{AttrId, Derived, Domain, Grouping};

use super::{declared, declared_in, neighbours_of, relations, tables};
use crate::tests::{brute_force, clique, widened};
use crate::{CountTable, Score};

const SIZES: [u32; 2] = [4, 2];
const MOST_ROWS: u64 = 3;

fn derived(base: u32, group_of: &[u32]) -> Derived {
    let grouping = Arc::new(Grouping::new(group_of.to_vec()).unwrap());
    Derived { base: AttrId(base), grouping, name: "derived".into() }
}

/// Attributes 2 to 6: both bits, a coarser level, all codes in one group, and a copy with the codes
/// turned round.
fn columns() -> Vec<Derived> {
    vec![
        derived(0, &[0, 0, 1, 1]),
        derived(0, &[0, 1, 0, 1]),
        derived(0, &[2, 0, 0, 1]),
        derived(0, &[0, 0, 0, 0]),
        derived(1, &[1, 0]),
    ]
}

/// The rows of a table of counts over the own columns.
fn rows(table: &[u64]) -> Vec<Vec<u32>> {
    let row = |cell: usize| vec![cell as u32 / SIZES[1], cell as u32 % SIZES[1]];
    table.iter().enumerate().flat_map(|(cell, &count)| std::iter::repeat_n(row(cell), count as usize)).collect()
}

/// Calls `each` with the rows of every table, those of each of its neighbours, both widened, and
/// the wider domain.
fn for_each_pair(neighbours: Neighbours, most: u64, mut each: impl FnMut(&[Vec<u32>], &[Vec<u32>], &Domain)) {
    let own = Domain::new(SIZES.to_vec());
    for count in 0..=most {
        for table in tables(count, own.sizes().iter().product::<u32>() as usize) {
            let (here, domain) = widened(&rows(&table), &own, &columns());
            for other in neighbours_of(&table, neighbours) {
                each(&here, &widened(&rows(&other), &own, &columns()).0, &domain);
            }
        }
    }
}

fn dense(table: CountTable) -> Vec<u64> {
    match table {
        CountTable::Dense(counts) => counts,
        CountTable::Sparse { .. } => unreachable!("dense was asked for"),
    }
}

#[test]
fn counts_move_by_no_more_than_declared() {
    let cliques = [clique(&[2]), clique(&[0, 2]), clique(&[1, 2, 3]), clique(&[4, 5]), clique(&[0, 1, 2, 3, 4, 5, 6])];
    for neighbours in relations() {
        // L1 c under add/remove and 2 under replace-one; in L2, c or sqrt 2, so the square is
        // compared.
        let (l1, l2_squared) = match neighbours.relation() {
            Relation::AddRemove => (u64::from(neighbours.contribution()), u64::from(neighbours.contribution()).pow(2)),
            Relation::ReplaceOne => (2, 2),
        };
        let mut worst = vec![(0, 0); cliques.len()];
        for_each_pair(neighbours, MOST_ROWS, |here, there, domain| {
            for (clique, worst) in cliques.iter().zip(&mut worst) {
                let (one, other) =
                    (brute_force(here, domain, clique, false), brute_force(there, domain, clique, false));
                let moves = dense(one).into_iter().zip(dense(other)).map(|(a, b)| a.abs_diff(b)).collect::<Vec<_>>();
                worst.0 = worst.0.max(moves.iter().sum::<u64>());
                worst.1 = worst.1.max(moves.iter().map(|step| step * step).sum::<u64>());
            }
        });
        // Met exactly, so that half of it would be caught.
        assert_eq!(worst, vec![(l1, l2_squared); cliques.len()], "{neighbours:?}");
    }
}

#[test]
fn scores_move_by_no_more_than_declared() {
    let dependence = |child: u32, parents: &[u32]| Score::Dependence { child: AttrId(child), parents: clique(parents) };
    let distance = |attributes: &[u32], cells: usize| Score::DistanceToModel {
        clique: clique(attributes),
        expected: (0..cells).map(|cell| 0.4 * cell as f64).collect::<Vec<f64>>().into(),
    };
    let scores = [
        dependence(2, &[1]),
        dependence(2, &[0]),
        dependence(0, &[2, 3]),
        dependence(1, &[0, 4, 6]),
        distance(&[2, 3], 4),
        distance(&[0, 1, 4], 24),
    ];
    for neighbours in relations() {
        let mut worst = vec![0; scores.len()];
        for_each_pair(neighbours, MOST_ROWS, |here, there, domain| {
            let value = |score: &Score, rows: &[Vec<u32>]| {
                score.evaluate(&brute_force(rows, domain, &score.clique(), true), rows.len() as u64, domain)
            };
            for (score, worst) in scores.iter().zip(&mut worst) {
                let moved = u64::try_from(value(score, here).abs_diff(value(score, there))).unwrap();
                assert!(moved <= declared_in(score, domain, neighbours, here.len() as u64));
                *worst = moved.max(*worst);
            }
        });
        for (score, &found) in scores.iter().zip(&worst) {
            // Loose at so few rows, but far from nothing: the columns are really looked at.
            assert!(found * 4 >= declared(score, &SIZES, neighbours, MOST_ROWS), "{neighbours:?} {score:?}: {found}");
        }
    }
}
