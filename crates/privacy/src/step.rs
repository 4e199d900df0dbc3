//! One query as the accountants see it.

use crate::accounting::directed::up;
use crate::{CountSensitivity, Neighbours, Rational, Relation, SmoothedHistogram};

/// A mechanism with its scale and sensitivity: all that an accountant may know, and all that it
/// needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Discrete Gaussian noise on every cell of integer counts.
    Gaussian {
        /// The parameter sigma squared (not exactly the variance, but never below it by more than a
        /// sliver).
        sigma_squared: Rational,
        /// What one neighbour step does to the counts.
        sensitivity: CountSensitivity,
    },
    /// Discrete Laplace noise on every cell of integer counts.
    Laplace {
        /// P(x) is proportional to exp(-|x| / scale).
        scale: Rational,
        /// What one neighbour step does to the counts.
        sensitivity: CountSensitivity,
    },
    /// One draw of the exponential mechanism: P(i) proportional to exp(epsilon q_i / (2
    /// sensitivity)).
    Exponential {
        /// Its pure epsilon.
        epsilon: Rational,
    },
    /// Values that nobody listed, released where their count with discrete Gaussian noise is at
    /// least a threshold.
    Threshold {
        /// The parameter sigma squared of the noise.
        sigma_squared: Rational,
        /// What one neighbour step does to the counts.
        sensitivity: CountSensitivity,
        /// The smallest noisy count that is released.
        threshold: u64,
    },
    /// Rows drawn from a smoothed histogram. Replace-one only.
    Histogram {
        /// The chance of a uniform draw.
        smoothing: Rational,
        /// Cells, rows of the table, and rows drawn.
        histogram: SmoothedHistogram,
    },
}

/// A step taken apart: what journals and statements write of it.
pub struct StepParts<'a> {
    /// The mechanism's name: gaussian, laplace, exponential, threshold or histogram.
    pub mechanism: &'static str,
    /// Sigma squared, the Laplace scale, the epsilon of a selection, or the smoothing.
    pub scale: Rational,
    /// What one neighbour step does; selections and histograms have none.
    pub sensitivity: Option<&'a CountSensitivity>,
    /// The facts of a smoothed histogram.
    pub histogram: Option<SmoothedHistogram>,
    /// The smallest noisy count that a threshold query releases.
    pub threshold: Option<u64>,
}

impl Step {
    /// The step taken apart.
    pub fn parts(&self) -> StepParts<'_> {
        let plain = |mechanism, scale: &Rational, sensitivity| StepParts {
            mechanism,
            scale: *scale,
            sensitivity,
            histogram: None,
            threshold: None,
        };
        match self {
            Step::Gaussian { sigma_squared, sensitivity } => plain("gaussian", sigma_squared, Some(sensitivity)),
            Step::Laplace { scale, sensitivity } => plain("laplace", scale, Some(sensitivity)),
            Step::Exponential { epsilon } => plain("exponential", epsilon, None),
            Step::Threshold { sigma_squared, sensitivity, threshold } => {
                StepParts { threshold: Some(*threshold), ..plain("threshold", sigma_squared, Some(sensitivity)) }
            }
            Step::Histogram { smoothing, histogram } => {
                StepParts { histogram: Some(*histogram), ..plain("histogram", smoothing, None) }
            }
        }
    }

    /// The step of these parts; `None` where the mechanism is unknown or lacks a part.
    pub fn from_parts(
        mechanism: &str,
        scale: Rational,
        sensitivity: Option<CountSensitivity>,
        histogram: Option<SmoothedHistogram>,
        threshold: Option<u64>,
    ) -> Option<Self> {
        match mechanism {
            "threshold" => {
                // Counts alone are compared with a threshold.
                let sensitivity = sensitivity.filter(|sensitivity| sensitivity.score().is_none())?;
                Some(Step::Threshold { sigma_squared: scale, sensitivity, threshold: threshold? })
            }
            "gaussian" => Some(Step::Gaussian { sigma_squared: scale, sensitivity: sensitivity? }),
            "laplace" => Some(Step::Laplace { scale, sensitivity: sensitivity? }),
            "exponential" => Some(Step::Exponential { epsilon: scale }),
            "histogram" => Some(Step::Histogram { smoothing: scale, histogram: histogram? }),
            _ => None,
        }
    }

    /// The pure epsilon, rounded up; `None` for Gaussian noise, which has none, and for threshold
    /// queries.
    ///
    /// # Privacy
    /// Discrete Laplace: `P(x) / P(x - v)` is at most `exp(|v|_1 / scale)` over all cells, so L1 /
    /// scale. Exponential mechanism: its own parameter (McSherry, Talwar 2007). Smoothed histogram:
    /// [`SmoothedHistogram::epsilon`]. Each figure takes at most 5 roundings (two conversions, a
    /// product, a quotient, `up` itself), which `up` covers.
    pub fn pure_epsilon(&self) -> Option<f64> {
        match self {
            Step::Gaussian { .. } | Step::Threshold { .. } => None,
            Step::Laplace { scale, sensitivity } => {
                let (num, den) = (scale.numerator() as f64, scale.denominator() as f64);
                Some(up(sensitivity.l1() as f64 * den / num))
            }
            Step::Exponential { epsilon } => Some(up(epsilon.to_f64())),
            Step::Histogram { smoothing, histogram } => Some(histogram.epsilon(*smoothing)),
        }
    }

    /// The rho of zero-concentrated differential privacy, rounded up.
    ///
    /// # Privacy
    /// Discrete Gaussian: L2^2 / (2 sigma^2) (Canonne, Kamath, Steinke 2020, theorem 14; any split
    /// over cells). Discrete Laplace and smoothed histogram: epsilon^2 / 2 of the pure epsilon
    /// (Bun, Steinke 2016, proposition 1.4). Exponential mechanism: epsilon^2 / 8, because its loss
    /// has range epsilon (Cesar, Rogers 2021, lemma 3.4). A threshold query costs what its noise
    /// costs, and [`tau`](Self::tau) besides. Rounding: at most 6 roundings, which `up` covers.
    pub fn rho(&self) -> f64 {
        match self {
            Step::Gaussian { sigma_squared, sensitivity } | Step::Threshold { sigma_squared, sensitivity, .. } => {
                let (num, den) = (sigma_squared.numerator() as f64, sigma_squared.denominator() as f64);
                up(sensitivity.l2_squared() as f64 * den / (2.0 * num))
            }
            Step::Laplace { scale, sensitivity } => {
                let (num, den) = (scale.numerator() as f64, scale.denominator() as f64);
                let epsilon = sensitivity.l1() as f64 * den / num;
                up(up(epsilon * epsilon / 2.0))
            }
            Step::Exponential { epsilon } => {
                let epsilon = epsilon.to_f64();
                up(epsilon * epsilon / 8.0)
            }
            Step::Histogram { smoothing, histogram } => {
                let epsilon = histogram.epsilon(*smoothing);
                up(epsilon * epsilon / 2.0)
            }
        }
    }

    /// What the step adds to delta beside its rho, rounded up: of a threshold query the chance that
    /// a value of one person's rows alone is released ([`threshold`](crate::threshold)), of
    /// anything else nothing.
    pub fn tau(&self) -> f64 {
        match self {
            Step::Threshold { sigma_squared, sensitivity, threshold } => {
                crate::threshold::tau(*sigma_squared, *threshold, sensitivity)
            }
            _ => 0.0,
        }
    }

    /// Whether one neighbour step changes nothing: a public count.
    pub fn is_free(&self) -> bool {
        match self {
            Step::Gaussian { sensitivity, .. } | Step::Laplace { sensitivity, .. } => sensitivity.l1() == 0,
            Step::Exponential { .. } | Step::Threshold { .. } | Step::Histogram { .. } => false,
        }
    }

    /// Whether the sensitivity is one that `neighbours` gives, so that a step made for another
    /// relation cannot be charged.
    pub fn belongs_to(&self, neighbours: Neighbours) -> bool {
        match self {
            Step::Threshold { sensitivity, .. } => neighbours.marginal() == *sensitivity,
            Step::Gaussian { sensitivity, .. } | Step::Laplace { sensitivity, .. } => {
                neighbours.with_shifts(sensitivity.shifts(), sensitivity.score()).as_ref() == Some(sensitivity)
            }
            Step::Exponential { .. } => true,
            Step::Histogram { .. } => neighbours.relation() == Relation::ReplaceOne,
        }
    }
}
