//! Kendall's S against pairs of rows, its sensitivity, and what a copula keeps.

use super::{apart, even, make, mixed};
use crate::baselines::synthesizers::BaselineSynthesizer::DpCopula;
use crate::baselines::synthesizers::dp_copula::agreement;

/// Rows of two columns with three codes each, as numbers below 9.
fn by_pairs(rows: &[usize]) -> i64 {
    let sign = |a: usize, b: usize| (a as i64 - b as i64).signum();
    let pairs = rows.iter().enumerate().flat_map(|(i, a)| rows[..i].iter().map(move |b| (a, b)));
    pairs.map(|(a, b)| sign(a / 3, b / 3) * sign(a % 3, b % 3)).sum()
}

fn by_cells(rows: &[usize]) -> i64 {
    let mut counts = [0i64; 9];
    rows.iter().for_each(|&row| counts[row] += 1);
    agreement(&counts, 3)
}

/// Every table of five rows and every replacement of its first row: S moves by at most 2 (n - 1) =
/// 8, so tau by 8 / 10 = 4 / n, and some table reaches it. A row added to n = 4 moves tau by at
/// most 4 / (n + 1), as the paper has it.
#[test]
fn the_sensitivity_of_kendall_s_s() {
    let (mut replaced, mut added) = (0, 0.0f64);
    for table in 0..9usize.pow(4) {
        let others: Vec<usize> = (0..4).map(|place| table / 9usize.pow(place) % 9).collect();
        let before = by_pairs(&others);
        assert_eq!(before, by_cells(&others));
        let with = |row: usize| by_cells(&[&others[..], &[row]].concat());
        let all: Vec<i64> = (0..9).map(with).collect();
        replaced = replaced.max(all.iter().max().unwrap() - all.iter().min().unwrap());
        for after in all {
            added = added.max((after as f64 / 10.0 - before as f64 / 6.0).abs());
        }
    }
    assert_eq!(replaced, 8);
    assert!((0.6..=0.8).contains(&added), "{added}");
}

#[test]
fn a_large_budget_keeps_ordered_pairs() {
    let table = mixed();
    let made = make(DpCopula, &table, 1e6, 1);
    assert!(apart(&table, &made, 1) < 0.02);
    let (near, far) = (apart(&table, &made, 2), apart(&table, &even(&table), 2));
    assert!(near < 0.4 * far, "{near} against {far}");
    assert!(apart(&table, &make(DpCopula, &table, 0.001, 1), 2) > 2.0 * near);
}
