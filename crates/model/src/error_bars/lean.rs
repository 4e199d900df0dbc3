//! How far cells that are held at 0 make the others too small.
//!
//! Counts cannot be negative, so a fit lifts cells whose noisy count is below 0. Where the sum is known better than the cells,
//! as it always is in a large sparse table, what is given to them is taken from the others: all cells sink by the same `t`.
//! Let `k` cells stay above 0 and `m` be held there, their true counts being near 0 and the noise of each cell having the
//! standard error `s`. The unbiased counts add up to the total, so `k t` is what the `m` cells lack of 0, on average
//! `m s phi(t/s) / Phi(t/s)`. That equation has one root. Where the held cells are not empty in truth the root is an
//! upper bound.

/// Cells below this share of a standard error count as held at 0: a fit comes close to 0 and never touches it.
const HELD: f64 = 0.1;

/// How far the cells of a marginal lean downwards, in standard errors, given their counts and the standard error of a cell.
/// 0 when no cell is held at 0.
pub fn lean(counts: &[f64], error: f64) -> f64 {
    let held = counts.iter().filter(|&&count| count < HELD * error).count();
    let kept = counts.len() - held;
    if held == 0 || kept == 0 || error <= 0.0 {
        return 0.0;
    }
    let ratio = held as f64 / kept as f64;
    // The left side grows and the right side falls, so halving finds the root.
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if middle < ratio * density(middle) / below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Half the width of a 95% interval, in standard errors.
const Z95: f64 = 1.959_964;

/// Cells of more standard errors than this are clear of 0.
const CLEAR: f64 = 3.0;

/// A 95% interval around a count or a share, cut at 0: for cells that lean by so many standard errors.
///
/// The middle is moved up by the lean. For small cells the lower end stays where it would be without: of these, most are
/// above 0 only by chance, and moving them further up would be wrong.
pub fn interval(value: f64, error: f64, lean: f64) -> (f64, f64) {
    let lift = if value + lean * error > CLEAR * error { lean.min(Z95) } else { 0.0 };
    ((value - (Z95 - lift) * error).max(0.0), value + (Z95 + lean) * error)
}

fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

/// The normal distribution function for z at least 0, to 1e-7 (Abramowitz and Stegun, 26.2.17).
fn below(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let terms = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    1.0 - density(z) * terms.iter().rev().fold(0.0, |sum, term| (sum + term) * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_their_estimate() {
        for (value, error, lean) in
            [(0.0, 1.0, 0.0), (0.0, 1.0, 3.0), (2.0, 1.0, 3.0), (50.0, 1.0, 3.0), (5.0, 0.0, 0.0)]
        {
            let (low, high) = interval(value, error, lean);
            assert!(0.0 <= low && low <= value && value <= high, "{value} {error} {lean}: {low} {high}");
        }
        let (low, high) = interval(100.0, 10.0, 0.0);
        assert!((low - 80.4).abs() < 0.01 && (high - 119.6).abs() < 0.01);
        let (low, high) = interval(100.0, 10.0, 1.0);
        assert!((low - 90.4).abs() < 0.01 && (high - 129.6).abs() < 0.01);
    }

    #[test]
    fn the_root_solves_the_equation() {
        assert!((below(0.0) - 0.5).abs() < 1e-7 && (below(1.959_964) - 0.975).abs() < 1e-7);
        assert_eq!(lean(&[10.0, 20.0], 1.0), 0.0);
        assert_eq!(lean(&[], 1.0), 0.0);
        assert_eq!(lean(&[0.0, 0.0], 1.0), 0.0);
        let mut counts = vec![100.0; 10];
        counts.extend([0.0; 70]);
        let t = lean(&counts, 2.0);
        assert!((10.0 * t - 70.0 * density(t) / below(t)).abs() < 1e-6, "{t}");
    }
}
