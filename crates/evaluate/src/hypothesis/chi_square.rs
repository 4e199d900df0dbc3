//! Pearson's chi-square: independence of two columns, and goodness of fit.

use serde::Serialize;

use super::cross_table::CrossTable;
use crate::math::chi_square_above;

/// What the test found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ChiSquare {
    /// The statistic.
    pub statistic: f64,
    /// Degrees of freedom. 0: there was nothing to test.
    pub degrees: u64,
    /// The chance of such a statistic or a larger one without any dependence.
    #[serde(rename = "p")]
    pub p_value: f64,
    /// The smallest expected count. Below 5 the p-value is only roughly right.
    pub least_expected: f64,
}

impl ChiSquare {
    /// A table in which nothing can be tested: one row, one column or no counts.
    const NOTHING: Self = Self { statistic: 0.0, degrees: 0, p_value: 1.0, least_expected: 0.0 };

    /// Whether dependence is claimed at that level.
    pub fn rejects(&self, level: f64) -> bool {
        self.degrees > 0 && self.p_value < level
    }
}

/// Tests the independence of the rows and columns of a table of counts, row-major, `columns` counts
/// a row.
///
/// Rows and columns without counts are left out, as if their codes did not exist. With `yates` the
/// counts of a two by two table are moved by up to a half towards what is expected (larger tables
/// are not corrected, as in R and SciPy). Nothing to test gives p = 1 and 0 degrees.
///
/// # Panics
/// When the counts are not whole rows of that many columns.
pub fn chi_square(counts: &[u64], columns: usize, yates: bool) -> ChiSquare {
    assert!(columns > 0 && counts.len().is_multiple_of(columns), "counts come in whole rows");
    let filled = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    let cells = filled.map(|(cell, &count)| (cell / columns, cell % columns, count)).collect();
    chi_square_of(&CrossTable::new(cells, counts.len() / columns, columns), yates)
}

/// [`chi_square`] of the cells that are not empty.
pub fn chi_square_of(table: &CrossTable, yates: bool) -> ChiSquare {
    let [rows, columns] = table.used();
    if rows < 2 || columns < 2 {
        return ChiSquare::NOTHING;
    }
    let total = table.total as f64;
    let correction = if yates && rows == 2 && columns == 2 { 0.5 } else { 0.0 };
    let term = |off: f64, expected: f64| (off - off.min(correction)).powi(2) / expected;
    let (mut statistic, mut covered) = (0.0, 0.0);
    for &(a, b, count) in &table.cells {
        let expected = table.rows[a] as f64 * table.columns[b] as f64 / total;
        statistic += term((count as f64 - expected).abs(), expected);
        covered += expected;
    }
    // Empty cells are off by all that they were expected to hold. Without a correction only the sum
    // of that counts, and in a two by two table all cells are off by the same.
    let empty = (rows * columns - table.cells.len()) as f64;
    if empty > 0.0 && total > covered {
        let expected = (total - covered) / empty;
        statistic += empty * term(expected, expected);
    }
    let degrees = (rows as u64 - 1) * (columns as u64 - 1);
    let least = |sums: &[u64]| sums.iter().copied().filter(|&sum| sum > 0).min().unwrap_or(0) as f64;
    let least_expected = least(&table.rows) * least(&table.columns) / total;
    ChiSquare { statistic, degrees, p_value: chi_square_above(statistic, degrees as f64), least_expected }
}

/// Tests whether all counts could come from equal chances.
///
/// This is what R's `chisq.test` silently does when one of its two columns is constant.
pub fn goodness_of_fit(counts: &[u64]) -> ChiSquare {
    let total: u64 = counts.iter().sum();
    if counts.len() < 2 || total == 0 {
        return ChiSquare::NOTHING;
    }
    let expected = total as f64 / counts.len() as f64;
    let statistic = counts.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
    let degrees = counts.len() as u64 - 1;
    ChiSquare { statistic, degrees, p_value: chi_square_above(statistic, degrees as f64), least_expected: expected }
}
