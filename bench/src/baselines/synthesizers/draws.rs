//! Random numbers of synthesizers.

use lookalike_privacy::NoiseBits;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::simulate::draw::uniform;

/// A generator of floats that is keyed by the noise.
pub(super) fn floats(bits: &mut dyn NoiseBits) -> ChaCha20Rng {
    ChaCha20Rng::from_seed(std::array::from_fn(|_| bits.next_u64() as u8))
}

/// Running sums of weights, negative ones taken as 0; all alike when nothing is left.
pub(super) fn cumulative(weights: &[f64]) -> Vec<f64> {
    let any = weights.iter().any(|&weight| weight > 0.0);
    let mut sum = 0.0;
    let add = |weight: &f64| {
        sum += if any { weight.max(0.0) } else { 1.0 };
        sum
    };
    weights.iter().map(add).collect()
}

/// An index with a chance that is proportional to its weight, from running sums.
pub(super) fn pick(cumulative: &[f64], rng: &mut ChaCha20Rng) -> usize {
    let total = cumulative.last().copied().unwrap_or_default();
    let at = uniform(rng) * total;
    cumulative.partition_point(|&sum| sum <= at).min(cumulative.len().saturating_sub(1))
}
