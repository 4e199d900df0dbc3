//! The standard normal distribution.

use std::f64::consts::{PI, SQRT_2};

/// The chance that a standard normal is below `x`, with relative accuracy in both tails.
pub fn normal_below(x: f64) -> f64 {
    0.5 * erfc(-x / SQRT_2)
}

/// The point below which a standard normal lies with this chance; infinite at 0 and 1.
pub fn normal_quantile(chance: f64) -> f64 {
    if chance <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if chance >= 1.0 {
        return f64::INFINITY;
    }
    // The upper half is the lower one mirrored, so that the tail keeps its digits.
    if chance > 0.5 {
        return -normal_quantile(1.0 - chance);
    }
    let (mut low, mut high) = (-40.0f64, 0.0f64);
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        if normal_below(middle) < chance {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// `erfc(x)`: a series of positive terms near 0, a continued fraction beyond.
fn erfc(x: f64) -> f64 {
    if x < 0.0 {
        return 2.0 - erfc(-x);
    }
    if x < 1.0 {
        let (mut term, mut sum, mut odd) = (x, x, 1.0);
        while term > sum * 1e-18 {
            odd += 2.0;
            term *= 2.0 * x * x / odd;
            sum += term;
        }
        return 1.0 - 2.0 / PI.sqrt() * (-x * x).exp() * sum;
    }
    let terms = 20 + (270.0 / (x * x)) as u32;
    let fraction = (1..=terms).rev().fold(x, |value, index| x + 0.5 * f64::from(index) / value);
    (-x * x).exp() / (PI.sqrt() * fraction)
}
