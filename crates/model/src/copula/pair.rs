//! The table of two ordered columns that a normal copula gives, from noisy counts.

use super::normal::{below, quantile};

/// Correlations that are tried on each side of 0, and how close to 1 the last is on Fisher's scale.
const CORRELATIONS: i32 = 40;
const FARTHEST: f64 = 3.9;
/// Points of each of the second column's groups that stand for it.
const POINTS: usize = 6;

/// The table, with the sum of these counts, of the normal copula that comes closest to them (least
/// squares). Both columns' groups are in order and have these shares, the second column's are next
/// to one another.
///
/// Two noisy tables of strongly related columns have a few full cells and many that should be
/// empty; one number says which.
pub fn nearest_copula(counts: &[f64], shares: [&[f64]; 2]) -> Vec<f64> {
    let total = counts.iter().sum::<f64>().max(0.0);
    let [rows, columns] = shares.map(edges);
    let ends: Vec<f64> = rows[1..].iter().map(|&edge| quantile(edge)).collect();
    let table = |correlation: f64| -> Vec<f64> {
        let spread = (1.0 - correlation * correlation).sqrt();
        let mut table = vec![0.0; counts.len()];
        for (column, edge) in columns.windows(2).enumerate() {
            let share = (edge[1] - edge[0]) / POINTS as f64;
            for point in 0..POINTS {
                let score = quantile(edge[0] + share * (point as f64 + 0.5));
                let mut before = 0.0;
                for (row, &end) in ends.iter().enumerate() {
                    let after = if row + 1 < ends.len() { below((end - correlation * score) / spread) } else { 1.0 };
                    table[row * shares[1].len() + column] += total * share * (after - before);
                    before = after;
                }
            }
        }
        table
    };
    let misfit = |table: &[f64]| table.iter().zip(counts).map(|(one, other)| (one - other).powi(2)).sum::<f64>();
    let tables = (-CORRELATIONS..=CORRELATIONS)
        .map(|step| table(libm::tanh(FARTHEST * f64::from(step) / f64::from(CORRELATIONS))));
    tables.map(|table| (misfit(&table), table)).min_by(|a, b| a.0.total_cmp(&b.0)).map_or_else(Vec::new, |best| best.1)
}

/// Where groups begin and the last one ends, between 0 and 1.
fn edges(shares: &[f64]) -> Vec<f64> {
    let total = shares.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let mut below = 0.0;
    let ends = shares.iter().map(|share| {
        below += share / total;
        below.min(1.0)
    });
    std::iter::once(0.0).chain(ends).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of a normal copula in groups, by whole numbers that spread evenly.
    fn counts(correlation: f64, groups: usize) -> Vec<f64> {
        let mut counts = vec![0.0; groups * groups];
        let (one, two) = (400, 400);
        for (a, b) in (0..one).flat_map(|a| (0..two).map(move |b| (a, b))) {
            let (x, e) = (quantile((f64::from(a) + 0.5) / 400.0), quantile((f64::from(b) + 0.5) / 400.0));
            let y = correlation * x + (1.0 - correlation * correlation).sqrt() * e;
            let group = |score: f64| ((below(score) * groups as f64) as usize).min(groups - 1);
            counts[group(x) * groups + group(y)] += 1.0;
        }
        counts
    }

    /// Counts of a normal copula give themselves again, and with noise they come out closer to what
    /// they were: cells that are empty stay nearly so.
    #[test]
    fn the_copula_of_counts_is_found_through_noise() {
        for correlation in [-0.97, -0.4, 0.0, 0.6, 0.9] {
            let counts = counts(correlation, 6);
            let shares = [1.0; 6];
            let away = |table: &[f64]| table.iter().zip(&counts).map(|(a, b)| (a - b).abs()).sum::<f64>() / 160_000.0;
            assert!(away(&nearest_copula(&counts, [&shares, &shares])) < 0.03, "{correlation}");
            let noise = |cell: usize| if cell.is_multiple_of(2) { 900.0 } else { -900.0 };
            let noisy: Vec<f64> = counts.iter().enumerate().map(|(cell, count)| count + noise(cell)).collect();
            assert!(away(&noisy) > 0.2);
            assert!(away(&nearest_copula(&noisy, [&shares, &shares])) < 0.07, "{correlation}");
        }
    }

    /// No rows, groups without rows and negative sums are tables of numbers all the same.
    #[test]
    fn nothing_is_a_table_too() {
        assert_eq!(nearest_copula(&[0.0; 4], [&[0.0, 0.0], &[1.0, 0.0]]), [0.0; 4]);
        let table = nearest_copula(&[-5.0, 2.0, 40.0, 3.0, 1.0, -2.0], [&[1.0, 0.0], &[0.5, 0.0, 0.5]]);
        assert!(table.iter().all(|count| count.is_finite() && *count >= 0.0), "{table:?}");
        assert!((table.iter().sum::<f64>() - 39.0).abs() < 1e-6, "{table:?}");
        assert_eq!(nearest_copula(&[-5.0, 2.0], [&[1.0], &[0.5, 0.5]]), [0.0; 2]);
    }
}
