//! Verdicts: seen, not seen, cannot tell.
//!
//! The test is the same everywhere. A claim is turned into a number that is above 0 where the claim
//! is true (a difference of two methods, a margin minus a difference). It is taken from every run,
//! paired where two things are compared, and the mean is set beside its standard error. Two
//! standard errors above 0 is "seen", two below is "not seen", and everything between is "cannot
//! tell". With ten runs a claim at the edge is called seen, or not seen, by chance in 4 of 100
//! cases each. Fewer than ten runs are never enough.

use serde::Serialize;

use crate::marginal::{mean, standard_error};

/// The fewest runs that a verdict may rest on.
pub const FEWEST_RUNS: usize = 10;
/// The standard errors that a mean must be away from 0.
const ERRORS: f64 = 2.0;
/// The share of places that a claim about all places may miss: about the chance of one place.
const MISSES: f64 = 0.05;

/// Whether something that a paper reports was seen again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Our figures say so too.
    Seen,
    /// Our figures say that it is not so here.
    NotSeen,
    /// Our figures do not tell.
    CannotTell,
}

impl Verdict {
    /// As the page and the terminal say it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Seen => "seen",
            Self::NotSeen => "not seen",
            Self::CannotTell => "cannot tell",
        }
    }

    /// Of several that all must hold: one that does not decides, then one that cannot tell.
    pub fn all(verdicts: impl IntoIterator<Item = Self>) -> Self {
        let verdicts: Vec<Self> = verdicts.into_iter().collect();
        match () {
            () if verdicts.contains(&Self::NotSeen) => Self::NotSeen,
            () if verdicts.is_empty() || verdicts.contains(&Self::CannotTell) => Self::CannotTell,
            () => Self::Seen,
        }
    }
}

/// Whether a number is above 0, from its value in every run.
pub fn above_zero(runs: &[f64]) -> Verdict {
    let (mean, room) = (mean(runs), ERRORS * standard_error(runs));
    match runs.len() {
        few if few < FEWEST_RUNS => Verdict::CannotTell,
        // All runs alike leave no room: then the sign decides, and 0 is not above 0.
        _ if mean > room => Verdict::Seen,
        _ if mean < -room || (mean <= 0.0 && room == 0.0) => Verdict::NotSeen,
        _ => Verdict::CannotTell,
    }
}

/// Whether one is below another by more than `-margin`, run by run: with margin 0 "smaller", with a
/// positive one "at most so much larger".
pub fn below(one: &[f64], other: &[f64], margin: f64) -> Verdict {
    above_zero(&differences(other, one).iter().map(|difference| difference + margin).collect::<Vec<_>>())
}

/// One minus the other, run by run.
pub fn differences(one: &[f64], other: &[f64]) -> Vec<f64> {
    one.iter().zip(other).map(|(one, other)| one - other).collect()
}

/// The verdicts at many places of a claim about all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlaceTally {
    seen: usize,
    not_seen: usize,
    cannot_tell: usize,
}

impl PlaceTally {
    /// Adds one place.
    pub fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Seen => self.seen += 1,
            Verdict::NotSeen => self.not_seen += 1,
            Verdict::CannotTell => self.cannot_tell += 1,
        }
    }

    /// Of all places: seen with at most one in twenty otherwise, not seen when more than one in
    /// twenty are not.
    pub fn verdict(&self) -> Verdict {
        self.verdict_but(MISSES)
    }

    /// Of almost all places: the same with one in ten.
    pub fn verdict_of_almost_all(&self) -> Verdict {
        self.verdict_but(2.0 * MISSES)
    }

    fn verdict_but(&self, misses: f64) -> Verdict {
        let room = (misses * self.places() as f64).floor() as usize;
        match () {
            () if self.not_seen > room => Verdict::NotSeen,
            () if self.seen > 0 && self.not_seen + self.cannot_tell <= room => Verdict::Seen,
            () => Verdict::CannotTell,
        }
    }

    /// How many there are.
    pub fn places(&self) -> usize {
        self.seen + self.not_seen + self.cannot_tell
    }

    /// "seen at 10 of 12 places, not seen at 1, cannot tell at 1".
    pub fn words(&self) -> String {
        let Self { seen, not_seen, cannot_tell } = self;
        format!("seen at {seen} of {} places, not seen at {not_seen}, cannot tell at {cannot_tell}", self.places())
    }
}

/// A mean and its standard error, for text: "0.0123 (0.0004)".
pub fn mean_and_error(runs: &[f64], digits: usize) -> String {
    if runs.is_empty() {
        return "no runs".to_owned();
    }
    format!("{:.digits$} ({:.digits$})", mean(runs), standard_error(runs))
}
