//! One answer for everybody.

use anyhow::Result;
use lookalike_evaluate::learn::Examples;
use lookalike_privacy::{DiscreteLaplace, Epsilon, NoiseBits, Rational};

/// Whether more than half of the training rows are positive, by a noisy count.
///
/// # Privacy
/// Replace-one, n public. The count of positive labels changes by at most 1; discrete Laplace noise
/// of scale 1 / epsilon, rounded up, drawn exactly, costs a pure epsilon. Source: PB14 section 5.1.
pub(super) fn majority(examples: &Examples, epsilon: Epsilon, bits: &mut dyn NoiseBits) -> Result<bool> {
    let noise = DiscreteLaplace::new(Rational::at_least(1.0 / epsilon.get())?)?;
    let noisy = (examples.positives() as i64).saturating_add(noise.sample(bits));
    Ok(noisy > (examples.len() / 2) as i64)
}
