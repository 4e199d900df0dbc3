//! Brute force of every declared sensitivity: all tables of up to 6 rows over up to 3 x 3 cells,
//! every relation.
//!
//! Observed must never pass declared, for every n; and declared must not be loose: at the largest
//! n, over all shapes together, at least half of it is observed (which also shows that halving it
//! would be caught).

use lookalike_privacy::{Neighbours, Relation};

use super::{
    declared, declared_for_noise, dependence, distance, evaluate, information, maximum_joint, neighbours_of, relations,
    shapes, tables,
};
use crate::Score;
use crate::scores::noisy::on_noise_grid;

const MOST_ROWS: u64 = 6;

/// The largest change of the score over all tables of `rows` rows and their neighbours, for one
/// shape: on the grid of selections, and on that of noise.
fn observed(score: &Score, sizes: &[u32], rows: u64, neighbours: Neighbours) -> (u64, u64) {
    let cells = sizes.iter().product::<u32>() as usize;
    let (mut worst, mut worst_noised) = (0, 0);
    for table in tables(rows, cells) {
        let here = evaluate(score, &table, sizes);
        for other in neighbours_of(&table, neighbours) {
            let there = evaluate(score, &other, sizes);
            worst = worst.max(here.abs_diff(there));
            worst_noised = worst_noised.max(on_noise_grid(here).abs_diff(on_noise_grid(there)));
        }
    }
    (u64::try_from(worst).unwrap(), worst_noised)
}

/// Compares declared and observed for scores that belong to shapes.
fn check(neighbours: Neighbours, scores: impl Fn(&[u32]) -> Vec<Score>) {
    let mut at_largest = 0;
    let mut declared_at_largest = 0;
    for sizes in shapes() {
        for score in scores(&sizes) {
            // The step from 0 rows to 1 counts too; under replace-one an empty table has no
            // neighbour.
            for rows in 0..=MOST_ROWS {
                let declared = declared(&score, &sizes, neighbours, rows);
                let (found, noised) = observed(&score, &sizes, rows, neighbours);
                assert!(found <= declared, "{sizes:?}, {rows} rows, {neighbours:?}: {found} > {declared}");
                assert!(noised <= declared_for_noise(&score, &sizes, neighbours, rows), "{sizes:?}, {rows} rows");
                if rows == MOST_ROWS {
                    at_largest = at_largest.max(found);
                    declared_at_largest = declared;
                }
            }
        }
    }
    assert!(2 * at_largest >= declared_at_largest, "{neighbours:?}: only {at_largest} of {declared_at_largest}");
}

#[test]
fn dependence_never_changes_by_more_than_declared() {
    for neighbours in relations() {
        check(neighbours, |_| vec![dependence(0, 2), dependence(1, 2)]);
    }
}

#[test]
fn dependence_with_two_parents_never_changes_by_more_than_declared() {
    for neighbours in relations() {
        for rows in 0..=4 {
            for child in 0..3 {
                let score = dependence(child, 3);
                let found = observed(&score, &[2, 2, 2], rows, neighbours);
                assert!(found.0 <= declared(&score, &[2, 2, 2], neighbours, rows));
            }
        }
    }
}

#[test]
fn f_never_changes_by_more_than_declared() {
    for neighbours in relations() {
        check(neighbours, |sizes| {
            (0..2).filter(|&child| sizes[child as usize] <= 2).map(|child| maximum_joint(child, 2)).collect()
        });
        // Sets of two and of three attributes.
        for (sizes, most_rows) in [(vec![2, 2, 2], 5), (vec![2, 3, 2], 4), (vec![2, 2, 2, 2], 2)] {
            for rows in 0..=most_rows {
                let score = maximum_joint(0, sizes.len() as u32);
                let (found, noised) = observed(&score, &sizes, rows, neighbours);
                assert!(found <= declared(&score, &sizes, neighbours, rows));
                assert!(noised <= declared_for_noise(&score, &sizes, neighbours, rows));
            }
        }
    }
}

#[test]
fn mutual_information_never_changes_by_more_than_declared() {
    let [.., replace] = relations();
    check(replace, |sizes| {
        let small = sizes.iter().all(|&size| size <= 2);
        vec![information(0, 2), information(1, 2)].into_iter().filter(|_| !small).collect()
    });
    // Where both are binary the smaller figure holds, and it is met: all rows in one cell against
    // one row moved away.
    for rows in 1..=MOST_ROWS {
        let score = information(0, 2);
        let (found, _) = observed(&score, &[2, 2], rows, replace);
        let declared = declared(&score, &[2, 2], replace, rows);
        assert!(found <= declared && declared <= found + 2, "{found} of {declared} at {rows} rows");
    }
    for sizes in [vec![2, 2, 2], vec![3, 2, 2]] {
        for rows in 0..=4 {
            let (found, _) = observed(&information(0, 3), &sizes, rows, replace);
            assert!(found <= declared(&information(0, 3), &sizes, replace, rows), "{sizes:?} {rows}");
        }
    }
}

/// Vectors inside, outside and between the counts, whole and broken.
fn vectors(cells: usize) -> Vec<Vec<f64>> {
    let ramp = |factor: f64| (0..cells).map(|cell| factor * cell as f64).collect::<Vec<_>>();
    vec![vec![0.0; cells], vec![1.0; cells], vec![0.37; cells], vec![-2.5; cells], ramp(1.0), ramp(0.61), ramp(1e6)]
}

#[test]
fn distance_never_changes_by_more_than_declared() {
    for neighbours in relations() {
        check(neighbours, |sizes| {
            let cells = sizes.iter().product::<u32>() as usize;
            vectors(cells).into_iter().map(|expected| distance(expected, 2)).collect()
        });
    }
}

#[test]
fn declared_figures_are_those_of_the_specification() {
    let [one, two, replace] = relations();
    let grid = crate::scores::GRID;
    let r = dependence(0, 2);
    assert_eq!(declared(&r, &[2, 2], one, 1_000), 2 * grid + 1);
    assert_eq!(declared(&r, &[2, 2], two, 1_000), 4 * grid + 1);
    // 3 + 2/n, rounded up to the grid.
    assert_eq!(declared(&r, &[2, 2], replace, 4), 3 * grid + grid / 2 + 1);
    assert_eq!(declared(&r, &[2, 2], replace, 7), 3 * grid + (2 * grid).div_ceil(7) + 1);
    let l1 = distance(vec![0.0], 0);
    assert_eq!(declared(&l1, &[2, 2], one, 1_000), grid + 1);
    assert_eq!(declared(&l1, &[2, 2], two, 1_000), 2 * grid + 1);
    assert_eq!(declared(&l1, &[2, 2], replace, 1_000), 2 * grid + 1);
}

#[test]
fn the_largest_contribution_does_not_wrap() {
    let most = Neighbours::new(Relation::AddRemove, u32::MAX).unwrap();
    let declared = declared(&dependence(0, 2), &[2, 2], most, 10);
    assert_eq!(u128::from(declared), 2 * u128::from(crate::scores::GRID) * u128::from(u32::MAX) + 1);
}
