//! Integer noise for integer counts, from the very step that was charged.

use lookalike_privacy::noise::{DiscreteGaussian, DiscreteLaplace};
use lookalike_privacy::{NoiseBits, PrivacyError, Step};

use crate::CountTable;

/// A sampler made from a charged step, so that what is drawn cannot differ from what was paid for.
pub(crate) enum Sampler {
    Gaussian(DiscreteGaussian),
    Laplace(DiscreteLaplace),
}

impl Sampler {
    /// The sampler of a count step. Made before the charge: a scale that cannot be drawn costs
    /// nothing.
    pub fn new(step: &Step) -> Result<Self, PrivacyError> {
        match step {
            Step::Gaussian { sigma_squared, .. } => Ok(Self::Gaussian(DiscreteGaussian::new(*sigma_squared)?)),
            Step::Laplace { scale, .. } => Ok(Self::Laplace(DiscreteLaplace::new(*scale)?)),
            Step::Exponential { .. } | Step::Threshold { .. } | Step::Histogram { .. } => {
                Err(PrivacyError::Plan { what: "a selection or a drawn row is not noise on counts".into() })
            }
        }
    }

    /// Uses up the exact counts: every cell, empty ones too, gets its own draw. Sums saturate at
    /// the ends of `i64`, which is post-processing.
    pub fn release(&self, exact: CountTable, bits: &mut dyn NoiseBits) -> Vec<i64> {
        let mut values = exact.into_integers();
        self.add_to(&mut values, bits);
        values
    }

    /// A fresh draw on every value.
    pub fn add_to(&self, values: &mut [i64], bits: &mut dyn NoiseBits) {
        match self {
            Self::Gaussian(gaussian) => gaussian.add_to(values, bits),
            Self::Laplace(laplace) => laplace.add_to(values, bits),
        }
    }
}
