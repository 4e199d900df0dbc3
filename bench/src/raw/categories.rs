//! Columns of few values: their distances, and how strongly two of them go together.

use lookalike_evaluate::raw::column::MOST_DIFFERENT;
use lookalike_evaluate::raw::group::ValueGroups;
use lookalike_evaluate::raw::{RawComparison, RawTable};
use lookalike_schema::{AttrId, Schema};
use rayon::prelude::*;

use super::average::mean;

/// The mean total variation distance of categories: words, and numbers of fewer than three values.
pub fn category_distance(schema: &Schema, tables: [&RawTable; 2], found: &RawComparison) -> Option<f64> {
    let is_number = |attribute| found.columns.iter().any(|(column, figures)| *column == attribute && figures.counts());
    let categories = schema.domain().attributes().filter(|&attribute| !is_number(attribute));
    mean(categories.map(|attribute| {
        let [real, other] = tables.map(|table| counted(&table.columns()[attribute.index()]));
        distance(&real, &other)
    }))
}

/// The mean absolute difference of Cramér's V over pairs of columns of few values.
pub fn cramers_difference(schema: &Schema, tables: [&RawTable; 2], found: &RawComparison) -> Option<f64> {
    let is_wide = |attribute: AttrId| {
        found.columns.iter().any(|(column, figures)| *column == attribute && figures.different >= MOST_DIFFERENT)
    };
    let groups: Vec<ValueGroups> = schema
        .domain()
        .attributes()
        .filter(|&attribute| !is_wide(attribute))
        .map(|attribute| {
            let [real, other] = tables.map(|table| &table.columns()[attribute.index()][..]);
            ValueGroups::new(real, other)
        })
        .collect();
    let pairs: Vec<(usize, usize)> = (0..groups.len()).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    let one = |&(a, b): &(usize, usize)| {
        let [real, other] = [0, 1].map(|side| cramers_v(&groups[a], &groups[b], side));
        (real - other).abs()
    };
    mean(pairs.par_iter().map(one).collect::<Vec<f64>>().into_iter())
}

/// Ascending values with the shares of rows that have them; missing cells last.
fn counted(cells: &[f64]) -> Vec<(f64, f64)> {
    let mut ascending = cells.to_vec();
    ascending.sort_unstable_by(f64::total_cmp);
    let same = |a: &f64, b: &f64| a == b || a.is_nan() && b.is_nan();
    ascending.chunk_by(same).map(|run| (run[0], run.len() as f64 / cells.len() as f64)).collect()
}

/// Half the sum of the differences of shares.
fn distance(real: &[(f64, f64)], other: &[(f64, f64)]) -> f64 {
    let share = |list: &[(f64, f64)], key: f64| {
        list.binary_search_by(|entry| entry.0.total_cmp(&key)).map_or(0.0, |place| list[place].1)
    };
    let lost: f64 = real.iter().map(|&(key, own)| (own - share(other, key)).max(0.0)).sum();
    let won: f64 = other.iter().map(|&(key, own)| (own - share(real, key)).max(0.0)).sum();
    0.5 * (lost + won)
}

/// Cramér's V of two groupings of one table, with Bergsma's correction for chance.
fn cramers_v(first: &ValueGroups, second: &ValueGroups, side: usize) -> f64 {
    let [rows, columns] = [first, second].map(|groups| groups.keys.len() + 1);
    let mut cells = vec![0.0; rows * columns];
    let members = first.members(side).iter().zip(second.members(side));
    members.for_each(|(&a, &b)| cells[usize::from(a) * columns + usize::from(b)] += 1.0);
    let down: Vec<f64> = cells.chunks(columns).map(|row| row.iter().sum()).collect();
    let across: Vec<f64> = (0..columns).map(|b| cells.iter().skip(b).step_by(columns).sum()).collect();
    let used = |sums: &[f64]| sums.iter().filter(|&&sum| sum > 0.0).count() as f64;
    let (r, k, n) = (used(&down), used(&across), down.iter().sum::<f64>());
    if r < 2.0 || k < 2.0 {
        return 0.0;
    }
    let mut square = 0.0;
    for (a, row) in cells.chunks(columns).enumerate() {
        for (b, count) in row.iter().enumerate() {
            let expected = down[a] * across[b] / n;
            if expected > 0.0 {
                square += (count - expected).powi(2) / expected;
            }
        }
    }
    let phi = (square / n - (r - 1.0) * (k - 1.0) / (n - 1.0)).max(0.0);
    let corrected = |size: f64| size - (size - 1.0).powi(2) / (n - 1.0) - 1.0;
    (phi / corrected(r).min(corrected(k)).max(1e-9)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_words_and_of_missing_cells_count() {
        let real = counted(&[0.0, 0.0, 1.0, f64::NAN]);
        let other = counted(&[0.0, 2.0, 1.0, 1.0]);
        assert_eq!(distance(&real, &other), 0.5);
        assert_eq!(distance(&real, &real), 0.0);
    }

    #[test]
    fn equal_columns_go_together_and_crossed_ones_do_not() {
        let (a, b): (Vec<f64>, Vec<f64>) = (0..400).map(|row| (f64::from(row % 2), f64::from(row / 2 % 2))).unzip();
        let [first, second] = [&a, &b].map(|cells| ValueGroups::new(cells, cells));
        assert!(cramers_v(&first, &first, 0) > 0.99);
        assert_eq!(cramers_v(&first, &second, 0), 0.0);
    }
}
