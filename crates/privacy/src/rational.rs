//! Positive rationals for noise scales: what the sampler draws with is exactly what the accountant counts.

use crate::PrivacyError;

/// A positive fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rational {
    numerator: u64,
    denominator: u64,
}

impl Rational {
    /// The fraction in lowest terms; both parts must be above 0.
    pub fn new(numerator: u64, denominator: u64) -> Result<Self, PrivacyError> {
        if numerator == 0 || denominator == 0 {
            return Err(PrivacyError::Plan { what: format!("{numerator}/{denominator} is not a positive fraction") });
        }
        let divisor = gcd(numerator, denominator);
        Ok(Self { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    /// The numerator.
    pub fn numerator(self) -> u64 {
        self.numerator
    }

    /// The denominator.
    pub fn denominator(self) -> u64 {
        self.denominator
    }

    /// The nearest float, for reading and for post-processing. Accountants must bound its rounding error.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
