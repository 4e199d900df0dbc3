//! How far counts of a random share stray from what is expected: what sampling alone does to a
//! marginal.

use statrs::function::gamma::ln_gamma;

/// Counts up to this size are done exactly; beyond, the normal curve is right to a part in ten
/// thousand.
const EXACT: usize = 2048;

/// Mean absolute deviations of counts, for one share and one total.
///
/// Of `total` rows a random share `share` is dealt to one side. A cell that has `count` rows in all
/// is expected to get `count * share` of them; [`Deviations::of`] is the mean distance from that.
/// Without replacement: a cell that holds all rows does not stray at all.
pub struct Deviations {
    share: f64,
    total: f64,
    exact: Vec<f64>,
}

impl Deviations {
    /// For a share strictly between 0 and 1.
    pub fn new(share: f64, total: u64) -> Self {
        let most = EXACT.min(total as usize);
        let exact = (0..=most).map(|count| binomial_deviation(count as u64, share)).collect();
        Self { share, total: total as f64, exact }
    }

    /// The mean absolute deviation of the count that falls to the share.
    ///
    /// The binomial's own, exact by De Moivre's formula, times the factor by which drawing without
    /// replacement narrows it.
    pub fn of(&self, count: u64) -> f64 {
        if self.total <= 1.0 {
            return 0.0;
        }
        let narrowed = ((self.total - count as f64).max(0.0) / (self.total - 1.0)).sqrt();
        let free = match self.exact.get(count as usize) {
            Some(&exact) => exact,
            None => (2.0 / std::f64::consts::PI * count as f64 * self.share * (1.0 - self.share)).sqrt(),
        };
        free * narrowed
    }
}

/// E|X - count share| for X binomial: 2 v C(count, v) share^v (1 - share)^(count - v + 1), v =
/// floor(count share) + 1.
fn binomial_deviation(count: u64, share: f64) -> f64 {
    if count == 0 || share <= 0.0 || share >= 1.0 {
        return 0.0;
    }
    let (n, v) = (count as f64, (count as f64 * share).floor() + 1.0);
    if v > n {
        // Only when rounding pushed the mean to the count itself.
        return 0.0;
    }
    let choose = ln_gamma(n + 1.0) - ln_gamma(v + 1.0) - ln_gamma(n - v + 1.0);
    2.0 * v * (choose + v * share.ln() + (n - v + 1.0) * (-share).ln_1p()).exp()
}

/// The mean absolute deviation of a share that is estimated from `rows` rows, for a cell of true
/// share `share`: the normal curve's.
pub fn share_deviation(share: f64, rows: f64) -> f64 {
    if rows <= 0.0 { 0.0 } else { (2.0 / std::f64::consts::PI * share * (1.0 - share) / rows).sqrt() }
}
