//! One query as the accountants see it.

use crate::{CountSensitivity, Rational};

/// A mechanism with its scale and sensitivity: all that an accountant may know, and all that it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Discrete Gaussian noise on every cell of integer counts.
    Gaussian {
        /// The parameter sigma squared (not exactly the variance, but never below it by more than a sliver).
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
    /// One draw of the exponential mechanism: P(i) proportional to exp(epsilon q_i / (2 sensitivity)).
    Exponential {
        /// Its pure epsilon.
        epsilon: Rational,
    },
}
