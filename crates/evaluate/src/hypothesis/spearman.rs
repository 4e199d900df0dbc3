//! Spearman's rank correlation, with ties, and its test.

use crate::math::student_two_sided;

/// What the test found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spearman {
    /// The rank correlation, from -1 to 1.
    pub rho: f64,
    /// The chance of such a correlation or a stronger one without any dependence: Student's t of n
    /// - 2 degrees, as in SciPy and, with ties, in R.
    pub p_value: f64,
    /// Rows that were used.
    pub rows: u64,
}

impl Spearman {
    fn new(rho: f64, rows: u64) -> Self {
        let rho = rho.clamp(-1.0, 1.0);
        let degrees = rows as f64 - 2.0;
        let t = rho * (degrees / ((1.0 - rho) * (1.0 + rho))).sqrt();
        // The last digit of rho is rounding.
        let p_value = if (1.0 - rho.abs()) < 1e-15 && degrees > 0.0 { 0.0 } else { student_two_sided(t, degrees) };
        Self { rho, p_value, rows }
    }

    /// Whether dependence is claimed at that level.
    pub fn rejects(&self, level: f64) -> bool {
        self.p_value < level
    }
}

/// Tests two columns of values. Nothing when there are fewer than three rows, when one column is
/// constant, or when a value is not finite.
pub fn spearman(first: &[f64], second: &[f64]) -> Option<Spearman> {
    let rows = first.len();
    if rows < 3 || rows != second.len() || first.iter().chain(second).any(|value| !value.is_finite()) {
        return None;
    }
    let (a, b) = (ranks(first), ranks(second));
    Some(Spearman::new(pearson(&a, &b)?, rows as u64))
}

/// The test of a rank correlation that was computed elsewhere. Nothing for fewer than three rows.
pub fn spearman_of_sums(rho: f64, rows: u64) -> Option<Spearman> {
    (rows >= 3).then(|| Spearman::new(rho, rows))
}

/// The middle rank of each code, from the counts of the codes in order. Codes without rows get the
/// rank between their neighbours.
pub fn middle_ranks(counts: &[u64]) -> Vec<f64> {
    let mut before = 0u64;
    let rank = |&count: &u64| {
        let rank = before as f64 + (count as f64 + 1.0) / 2.0;
        before += count;
        rank
    };
    counts.iter().map(rank).collect()
}

/// Pearson's correlation. Nothing when a column is constant or there are no rows.
pub fn pearson(first: &[f64], second: &[f64]) -> Option<f64> {
    let rows = first.len().min(second.len());
    if rows == 0 {
        return None;
    }
    let mean = |values: &[f64]| values[..rows].iter().sum::<f64>() / rows as f64;
    let (a, b) = (mean(first), mean(second));
    let (mut product, mut left, mut right) = (0.0, 0.0, 0.0);
    for (x, y) in first.iter().zip(second) {
        product += (x - a) * (y - b);
        left += (x - a) * (x - a);
        right += (y - b) * (y - b);
    }
    let scale = left * right;
    (scale > 0.0 && scale.is_finite()).then(|| (product / scale.sqrt()).clamp(-1.0, 1.0))
}

/// Ranks from 1; equal values share the mean of theirs.
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut out = vec![0.0; values.len()];
    let mut first = 0;
    while first < order.len() {
        // 0 and -0 tie.
        let same = order[first..].iter().take_while(|&&at| values[at] == values[order[first]]).count();
        let rank = first as f64 + (same as f64 + 1.0) / 2.0;
        order[first..first + same].iter().for_each(|&at| out[at] = rank);
        first += same;
    }
    out
}
