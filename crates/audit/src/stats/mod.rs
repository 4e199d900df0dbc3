//! Confidence bounds of rates: the binomial tail, Clopper-Pearson, and the normal distribution.

#[cfg(test)]
mod tests;

use std::f64::consts::SQRT_2;

use statrs::function::beta::beta_reg;
use statrs::function::erf::{erfc, erfc_inv};

/// The chance that a standard normal is below `x`, with relative accuracy in both tails.
pub fn normal_below(x: f64) -> f64 {
    0.5 * erfc(-x / SQRT_2)
}

/// The point below which a standard normal lies with this chance; infinite at 0 and 1.
pub fn normal_quantile(chance: f64) -> f64 {
    -SQRT_2 * erfc_inv(2.0 * chance)
}

/// How often something happened in how many runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// How often.
    pub hits: u64,
    /// Of how many runs.
    pub runs: u64,
}

impl Rate {
    /// The plain share; 0 without runs.
    pub fn share(self) -> f64 {
        if self.runs == 0 { 0.0 } else { self.hits as f64 / self.runs as f64 }
    }

    /// Clopper-Pearson: the true rate is below this with probability at most `alpha`, which is
    /// small: in the tails the incomplete beta function has nine digits for a million runs, near
    /// the middle fewer.
    pub fn at_least(self, alpha: f64) -> f64 {
        if self.hits == 0 || self.runs == 0 {
            return 0.0;
        }
        let (hits, others) = (self.hits as f64, (self.runs - self.hits) as f64);
        // P(this many hits or more) at rate x.
        bisect(|x| beta_reg(hits, others + 1.0, x) < alpha).0
    }

    /// Clopper-Pearson: the true rate is above this with probability at most `alpha`.
    pub fn at_most(self, alpha: f64) -> f64 {
        if self.hits == self.runs {
            return 1.0;
        }
        let (hits, others) = (self.hits as f64, (self.runs - self.hits) as f64);
        // P(this many hits or fewer) at rate x, as the tail of the others, so that no digits are
        // lost.
        bisect(|x| beta_reg(others, hits + 1.0, 1.0 - x) > alpha).1
    }
}

/// Where a condition that holds below stops to hold, between 0 and 1: the last point that holds,
/// the first that does not. The halving goes in logarithms where that is finer, because rates may
/// be tiny.
fn bisect(holds: impl Fn(f64) -> bool) -> (f64, f64) {
    let (mut low, mut high) = (0.0f64, 1.0f64);
    for _ in 0..200 {
        let middle = if low == 0.0 || high < 2.0 * low { 0.5 * (low + high) } else { (low * high).sqrt() };
        if middle <= low || middle >= high {
            break;
        }
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low, high)
}
