//! From how often an event happened on two neighbouring tables to a lower bound of epsilon.
//!
//! A mechanism that is (epsilon, delta)-private obeys P(event on one table) <= exp(epsilon) P(event
//! on the other) + delta. So ln((TPR - delta) / FPR) is a lower bound of its epsilon, when TPR is
//! bounded from below and FPR from above.

mod discriminant;
mod gaussian;
mod pick;

#[cfg(test)]
mod tests;

pub use discriminant::Discriminant;
pub use gaussian::GaussianFamily;
pub use pick::{pick, spread};

use crate::stats::Rate;

/// The chance that any bound of a whole family is above the truth: 99.9% confidence.
pub const FAMILY_ALPHA: f64 = 1e-3;

/// The most bounds that a family has (Bonferroni). Fixed, so that a part of the audits, or a run
/// that was taken up again, has the same bounds as the whole.
pub const MOST_BOUNDS: u32 = 1000;

/// The error that one bound may have, shared by its two rates.
pub const ALPHA: f64 = FAMILY_ALPHA / MOST_BOUNDS as f64;

/// A guess from one number: "this is the second table" (`after`) at `threshold` and above, or "this
/// is the first" below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Which of the two tables the event speaks for.
    pub after: bool,
    /// Where it begins, or ends.
    pub threshold: i64,
}

impl Event {
    /// Whether a score belongs to it.
    pub fn holds(self, score: i64) -> bool {
        (score >= self.threshold) == self.after
    }
}

/// How often an event happened on the table it speaks for, and on the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// True positives.
    pub hits: Rate,
    /// False positives.
    pub alarms: Rate,
}

impl Seen {
    /// What a perfect attack on a mechanism without any privacy would show in `runs` runs a side.
    pub fn all(runs: u64) -> Self {
        Self { hits: Rate { hits: runs, runs }, alarms: Rate { hits: 0, runs } }
    }

    /// The rates at their bounds: TPR at least, FPR at most. Each takes half of `alpha`.
    pub fn bounds(self, alpha: f64) -> (f64, f64) {
        (self.hits.at_least(alpha / 2.0), self.alarms.at_most(alpha / 2.0))
    }

    /// The lower bound of epsilon at `delta`, whatever the mechanism; 0 when nothing was found.
    pub fn epsilon(self, delta: f64, alpha: f64) -> f64 {
        let (hits, alarms) = self.bounds(alpha);
        if hits <= delta { 0.0 } else { ((hits - delta) / alarms).ln().max(0.0) }
    }
}
