//! Pearson's chi-square: independence of two columns, and goodness of fit.

use crate::math::chi_square_above;

/// What the test found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquare {
    /// The statistic.
    pub statistic: f64,
    /// Degrees of freedom. 0: there was nothing to test.
    pub degrees: u64,
    /// The chance of such a statistic or a larger one without any dependence.
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
    let row_sums: Vec<u64> = counts.chunks_exact(columns).map(|row| row.iter().sum()).collect();
    let mut column_sums = vec![0u64; columns];
    for row in counts.chunks_exact(columns) {
        column_sums.iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
    }
    let (used_rows, used_columns) = (used(&row_sums), used(&column_sums));
    if used_rows < 2 || used_columns < 2 {
        return ChiSquare::NOTHING;
    }
    let total: u64 = row_sums.iter().sum();
    let corrected = yates && used_rows == 2 && used_columns == 2;
    let (mut statistic, mut least) = (0.0, f64::INFINITY);
    for (row, &row_sum) in counts.chunks_exact(columns).zip(&row_sums).filter(|(_, sum)| **sum > 0) {
        for (&count, &column_sum) in row.iter().zip(&column_sums).filter(|(_, sum)| **sum > 0) {
            let expected = row_sum as f64 * column_sum as f64 / total as f64;
            let mut off = (count as f64 - expected).abs();
            if corrected {
                off -= off.min(0.5);
            }
            statistic += off * off / expected;
            least = least.min(expected);
        }
    }
    let degrees = (used_rows as u64 - 1) * (used_columns as u64 - 1);
    ChiSquare { statistic, degrees, p_value: chi_square_above(statistic, degrees as f64), least_expected: least }
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

fn used(sums: &[u64]) -> usize {
    sums.iter().filter(|&&sum| sum > 0).count()
}
