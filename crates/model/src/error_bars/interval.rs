//! What is known of one count, and its interval.

use crate::copula::quantile;

/// Of a standard normal, 95% lie within this distance of 0.
pub(super) const NORMAL: f64 = 1.959_963_984_540_054;

/// How many standard errors several one-sided limits lie from their estimates, so that all hold
/// together in 97.5% of cases (Bonferroni).
pub(super) fn reach(limits: usize) -> f64 {
    if limits <= 1 { NORMAL } else { -quantile(0.025 / limits as f64) }
}

/// What is known of one count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CellEstimate {
    /// It was measured: its estimate, the standard error, and the covariance with the whole where
    /// that is known.
    Measured { estimate: f64, error: f64, with_whole: Option<f64> },
    /// It was not, but lies between limits.
    Bound { low: f64, high: f64 },
}

/// A 95% interval of a count or a share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end, at least 0.
    pub low: f64,
    /// The upper end, above the lower one.
    pub high: f64,
    /// The standard error; `None` for a bound.
    pub error: Option<f64>,
}

impl Interval {
    /// Whether the count was not measured, so that only limits are known.
    pub fn is_bound(&self) -> bool {
        self.error.is_none()
    }

    pub(super) fn around(middle: f64, error: f64) -> Self {
        let reach = NORMAL * error;
        Self { low: (middle - reach).max(0.0), high: middle.max(0.0) + reach, error: Some(error) }
    }

    pub(super) fn holding(self, printed: f64) -> Self {
        Self { low: self.low.min(printed), high: self.high.max(printed), ..self }
    }
}

impl CellEstimate {
    pub fn interval(self) -> Interval {
        match self {
            Self::Measured { estimate, error, .. } => Interval::around(estimate, error),
            Self::Bound { low, high } => Interval { low, high, error: None },
        }
    }
}
