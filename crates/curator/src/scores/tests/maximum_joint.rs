//! F against its definition, against the document's dynamic programme, and on the document's
//! tables.

use proptest::prelude::*;

use super::{evaluate, maximum_joint, tables};
use crate::CountTable;
use crate::scores::maximum_joint::best_of;
use crate::scores::{GRID, MAX_ROWS};
use lookalike_schema::Domain;

/// All ways to give `total` to `places` places.
fn compositions(total: u64, places: usize) -> Vec<Vec<u64>> {
    if places == 0 { if total == 0 { vec![vec![]] } else { vec![] } } else { tables(total, places) }
}

/// 2F from its definition: the least L1 distance of twice the counts to all maximum joint
/// distributions with masses that are multiples of 1/(2n). (The counts are whole, so a nearest
/// distribution is among them.)
fn by_definition(table: &[u64], values: usize) -> i128 {
    let rows: u64 = table.iter().sum();
    let mut nearest = i128::MAX;
    for split in 1..(1u32 << values) - 1 {
        let zeros: Vec<usize> = (0..values).filter(|&value| split >> value & 1 == 0).collect();
        let ones: Vec<usize> = (0..values).filter(|&value| split >> value & 1 == 1).collect();
        for zero in compositions(rows, zeros.len()) {
            for one in compositions(rows, ones.len()) {
                let mut joint = vec![0u64; 2 * values];
                zeros.iter().zip(&zero).for_each(|(&value, &mass)| joint[value] = mass);
                ones.iter().zip(&one).for_each(|(&value, &mass)| joint[values + value] = mass);
                let distance = table.iter().zip(&joint).map(|(&count, &mass)| (2 * count).abs_diff(mass)).sum::<u64>();
                nearest = nearest.min(i128::from(distance));
            }
        }
    }
    // Half of the distance of twice the counts is the distance of the counts, and F is minus half
    // of that.
    -nearest / 2
}

#[test]
fn f_is_the_minimum_over_all_maximum_joint_distributions() {
    for (values, most_rows) in [(2, 6), (3, 5), (4, 3)] {
        for rows in 0..=most_rows {
            for table in tables(rows, 2 * values) {
                let expected = by_definition(&table, values) * i128::from(GRID / 2);
                assert_eq!(evaluate(&maximum_joint(0, 2), &table, &[2, values as u32]), expected, "{table:?}");
            }
        }
    }
}

/// Twice the largest min(K0, n/2) + min(K1, n/2), by the best K1 for every K0: the document's
/// states.
fn by_programme(columns: &[[u64; 2]]) -> u64 {
    let rows: u64 = columns.iter().flatten().sum();
    let mut best = vec![None::<u64>; rows as usize + 1];
    best[0] = Some(0);
    for &[zero, one] in columns {
        let mut next = vec![None::<u64>; rows as usize + 1];
        for (have, other) in best.iter().enumerate().filter_map(|(have, other)| Some((have, (*other)?))) {
            for (place, value) in [(have + zero as usize, other), (have, other + one)] {
                next[place] = next[place].max(Some(value));
            }
        }
        best = next;
    }
    let value = |(have, other): (usize, u64)| (2 * have as u64).min(rows) + (2 * other).min(rows);
    best.iter().enumerate().filter_map(|(have, other)| Some(value((have, (*other)?)))).max().unwrap_or(0)
}

fn columns() -> impl Strategy<Value = Vec<[u64; 2]>> {
    // Skewed both ways, small and large, and many alike: what makes splits hard.
    let column = prop_oneof![
        (0u64..4, 0u64..4),
        (0u64..40, 0u64..10),
        (0u64..10, 0u64..40),
        (20u64..25, 18u64..23),
        Just((7, 6)),
        Just((1, 1)),
    ];
    prop::collection::vec(column.prop_map(|(zero, one)| [zero, one]), 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn the_bounded_search_agrees_with_the_programme(columns in columns()) {
        prop_assert_eq!(best_of(&columns), by_programme(&columns));
    }
}

#[test]
fn the_tables_of_the_document() {
    let score = |table: &[u64], values: u32| evaluate(&maximum_joint(0, 2), table, &[2, values]);
    let grid = i128::from(GRID);
    // Table 3 at n = 10: F / n = -0.2.
    assert_eq!(score(&[6, 0, 0, 0, 1, 1, 1, 1], 4), -2 * grid);
    // Example 2, both distributions at n = 10: F = 0.
    assert_eq!(score(&[5, 0, 0, 0, 5, 0], 3), 0);
    assert_eq!(score(&[0, 2, 3, 5, 0, 0], 3), 0);
    // A set that tells nothing, and no set at all.
    assert_eq!(score(&[5, 5, 5, 5], 2), -10 * grid);
    let alone = evaluate(&maximum_joint(0, 1), &[3, 4], &[2]);
    assert_eq!(alone, -7 * grid / 2);
    assert_eq!(score(&[0, 0, 0, 0], 2), 0);
}

#[test]
fn f_is_the_same_wherever_the_child_stands_and_however_the_table_comes() {
    for table in tables(4, 8) {
        for child in 0..3 {
            let score = maximum_joint(child, 3);
            let entries = table.iter().enumerate().filter(|(_, count)| **count > 0);
            let entries = entries.map(|(cell, &count)| (cell as u64, count)).collect();
            let thin = score.evaluate(&CountTable::Sparse { entries, cells: 8 }, 4, &Domain::new(vec![2, 2, 2]));
            assert_eq!(evaluate(&score, &table, &[2, 2, 2]), thin);
            // The child's columns moved to the front.
            let moved: Vec<u64> = (0..8usize)
                .map(|cell| {
                    let (own, others) = (cell >> 2, cell & 3);
                    let place = 2 - child as usize;
                    let low = others & ((1 << place) - 1);
                    table[(others >> place) << (place + 1) | own << place | low]
                })
                .collect();
            assert_eq!(evaluate(&maximum_joint(0, 2), &moved, &[2, 4]), thin, "{table:?} child {child}");
        }
    }
}

#[test]
fn the_largest_tables_do_not_overflow() {
    let third = MAX_ROWS / 3;
    let score = |table: &[u64]| evaluate(&maximum_joint(0, 2), table, &[2, 2]);
    assert_eq!(score(&[MAX_ROWS / 2, 0, 0, MAX_ROWS / 2]), 0);
    assert_eq!(score(&[MAX_ROWS, 0, 0, 0]), -i128::from(MAX_ROWS) / 2 * i128::from(GRID));
    let skewed = score(&[2 * third, third / 2, third / 3, third / 7]);
    assert!(skewed < 0 && skewed > -i128::from(MAX_ROWS) * i128::from(GRID));
}

/// Thousands of tables of 50,000 rows and 2^8 combinations: the search has little to do whatever
/// the skew.
#[test]
fn large_tables_take_no_time() {
    let mut seed = 88172645463325252u64;
    let mut random = move |below: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % below
    };
    for turn in 0..2000u64 {
        let skew = 1 + turn % 19;
        let columns: Vec<[u64; 2]> = (0..256)
            .map(|_| {
                let most = 1 + random(400);
                let size = random(most);
                let one = size * random(20) / (20 + 4 * skew);
                [size - one, one]
            })
            .collect();
        let best = best_of(&columns);
        if turn % 400 == 0 {
            assert_eq!(best, by_programme(&columns));
        }
    }
}
