//! Exact integer noise and exact selection.
//!
//! Every draw follows its stated distribution exactly, given uniform random bits: there is no
//! float, no table of rounded probabilities and no cut-off tail. The samplers are those of Canonne,
//! Kamath and Steinke, "The Discrete Gaussian for Differential Privacy" (2020), taken apart so that
//! every step is a coin with a rational bias whose numerator and denominator fit in 64 bits (see
//! `coins.rs`).
//!
//! What is not promised: the time a draw takes depends on the value drawn. Do not let anyone you
//! would not show the exact counts to time single draws.

mod bits;
mod coins;
mod exponential;
mod gaussian;
mod laplace;
#[cfg(any(test, feature = "test-noise"))]
pub mod testing;
#[cfg(test)]
mod tests;

pub use bits::{NoiseBits, NoiseRng};
pub use coins::{bernoulli, uniform_below};
pub use exponential::exponential_mechanism;
pub use gaussian::DiscreteGaussian;
pub use laplace::DiscreteLaplace;

use crate::{PrivacyError, Rational};

/// The samplers take fractions whose parts are at most this. It keeps all their arithmetic below
/// 128 bits.
const LARGEST_PART: u64 = 1 << 62;

/// Both parts of a fraction, or a refusal that names it.
fn parts(name: &str, fraction: Rational) -> Result<(u64, u64), PrivacyError> {
    let (numerator, denominator) = (fraction.numerator(), fraction.denominator());
    if numerator > LARGEST_PART || denominator > LARGEST_PART {
        return Err(PrivacyError::Plan {
            what: format!("{name} {fraction} needs a numerator and a denominator of at most 2^62"),
        });
    }
    Ok((numerator, denominator))
}

/// A signed draw: `magnitude` may be anything that the samplers can reach, which is below `2^127`.
fn signed(magnitude: u128, negative: bool) -> i128 {
    let magnitude = magnitude as i128;
    if negative { -magnitude } else { magnitude }
}

/// The nearest `i64`.
fn saturate(value: i128) -> i64 {
    value.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
}
