//! Values of scores against their definitions.

use super::{dependence, distance, evaluate, tables};
use crate::scores::noisy::on_noise_grid;
use crate::scores::{GRID, MAX_ROWS};
use crate::{CountTable, Score};
use lookalike_schema::Domain;

/// R from its definition, with tables looked up by codes and no shortcut for empty cells.
fn plain_dependence(counts: &[u64], sizes: &[u32], child: usize) -> i128 {
    let n = counts.iter().sum::<u64>() as i128;
    if n == 0 {
        return 0;
    }
    let codes = |mut cell: usize| {
        let mut codes = vec![0; sizes.len()];
        for place in (0..sizes.len()).rev() {
            codes[place] = cell % sizes[place] as usize;
            cell /= sizes[place] as usize;
        }
        codes
    };
    let sum_where = |keep: &dyn Fn(&[usize]) -> bool| {
        counts.iter().enumerate().filter(|(cell, _)| keep(&codes(*cell))).map(|(_, &count)| count as i128).sum::<i128>()
    };
    let mut sum = 0;
    for (cell, &count) in counts.iter().enumerate() {
        let here = codes(cell);
        let same_parents =
            |other: &[usize]| (0..sizes.len()).all(|place| place == child || other[place] == here[place]);
        let parents = sum_where(&same_parents);
        let children = sum_where(&|other| other[child] == here[child]);
        sum += (n * count as i128 - parents * children).abs();
    }
    (i128::from(GRID) * sum).div_euclid(2 * n)
}

fn sparse(counts: &[u64]) -> CountTable {
    let entries = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    let entries = entries.map(|(cell, &count)| (cell as u64, count)).collect();
    CountTable::Sparse { entries, cells: counts.len() as u64 }
}

#[test]
fn dependence_is_its_definition_wherever_the_child_stands() {
    for sizes in [vec![2, 3], vec![3, 2], vec![2, 2, 2], vec![2, 1, 3], vec![3, 1, 2]] {
        let cells = sizes.iter().product::<u32>() as usize;
        for rows in 0..=4 {
            for table in tables(rows, cells) {
                for child in 0..sizes.len() {
                    let score = dependence(child as u32, sizes.len() as u32);
                    let expected = plain_dependence(&table, &sizes, child);
                    assert_eq!(evaluate(&score, &table, &sizes), expected, "{table:?} {sizes:?} child {child}");
                    let thin = score.evaluate(&sparse(&table), rows, &Domain::new(sizes.clone()));
                    assert_eq!(thin, expected, "sparse {table:?} {sizes:?} child {child}");
                }
            }
        }
    }
}

#[test]
fn dependence_of_known_tables() {
    let score = |table: &[u64]| evaluate(&dependence(1, 2), table, &[2, 2]);
    // Independent: 0. Equal columns, half each: every cell is n/4 off, so R = n/2.
    assert_eq!(score(&[5, 5, 5, 5]), 0);
    assert_eq!(score(&[10, 0, 0, 10]), i128::from(GRID) * 10);
    assert_eq!(score(&[0, 0, 0, 0]), 0);
    // An empty set of parents: 0.
    let alone = Score::Dependence { child: lookalike_schema::AttrId(0), parents: lookalike_schema::Clique::new([]) };
    assert_eq!(evaluate(&alone, &[3, 4], &[2]), 0);
}

#[test]
fn dependence_does_not_overflow_at_the_largest_tables() {
    let half = MAX_ROWS / 2;
    assert_eq!(
        evaluate(&dependence(0, 2), &[half, 0, 0, half], &[2, 2]),
        i128::from(GRID) * i128::from(half),
        "R = n/2 at n = 2^48"
    );
    assert_eq!(evaluate(&dependence(0, 2), &[MAX_ROWS, 0, 0, 0], &[2, 2]), 0);
}

#[test]
fn distance_is_its_definition() {
    let expected = vec![0.5, -1.25, 2.0, 1e-9, 3.0, 100.0];
    let score = distance(expected.clone(), 2);
    for rows in 0..=4 {
        for table in tables(rows, 6) {
            let plain: f64 =
                table.iter().zip(&expected).map(|(&count, &value)| (count as f64 - value).abs() * GRID as f64).sum();
            let found = evaluate(&score, &table, &[2, 3]);
            assert!((found as f64 - plain).abs() < 1.0, "{table:?}: {found} against {plain}");
            let thin = score.evaluate(&sparse(&table), rows, &Domain::new(vec![2, 3]));
            assert_eq!(thin, found, "sparse {table:?}");
        }
    }
}

#[test]
fn distance_does_not_overflow_at_the_largest_vectors() {
    let largest = (1u64 << 48) as f64;
    let found = evaluate(&distance(vec![largest, -largest], 1), &[0, MAX_ROWS], &[2]);
    assert_eq!(found, 3 * i128::from(GRID) * (1i128 << 48));
}

/// The floor, of negative scores too; and the nearest that fits.
#[test]
fn scores_are_rounded_down_to_the_grid_of_noise() {
    for (fine, coarse) in [(0, 0), (15, 0), (16, 1), (31, 1), (-1, -1), (-15, -1), (-16, -1), (-17, -2)] {
        assert_eq!(on_noise_grid(fine), coarse, "{fine}");
    }
    assert_eq!((on_noise_grid(i128::MAX), on_noise_grid(i128::MIN)), (i64::MAX, i64::MIN));
}
