//! Exact integer noise and exact selection.
// SKELETON: the noise owner splits this into files and fills it in.

use crate::{PrivacyError, Rational};

/// Uniform random bits for noise. Sealed: only this crate's generators.
pub trait NoiseBits: Send {
    /// 64 uniform bits.
    fn next_u64(&mut self) -> u64;
    /// Whether what it makes is private. False for the seeded test stream: outputs are then marked NOT PRIVATE.
    fn is_private(&self) -> bool;
}

/// ChaCha20 keyed from the operating system. There is no seeded constructor.
pub struct NoiseRng {}

#[allow(missing_docs, unused_variables)]
impl NoiseRng {
    pub fn from_os() -> Result<Self, PrivacyError> {
        todo!()
    }
}

impl NoiseBits for NoiseRng {
    fn next_u64(&mut self) -> u64 {
        todo!()
    }
    fn is_private(&self) -> bool {
        true
    }
}

/// The discrete Gaussian, P(x) proportional to exp(-x^2 / (2 sigma^2)), drawn exactly.
pub struct DiscreteGaussian {}

#[allow(missing_docs, unused_variables)]
impl DiscreteGaussian {
    pub fn new(sigma_squared: Rational) -> Result<Self, PrivacyError> {
        todo!()
    }
    pub fn sample(&self, bits: &mut dyn NoiseBits) -> i64 {
        todo!()
    }
    /// Adds a fresh draw to each count (saturating).
    pub fn add_to(&self, counts: &mut [i64], bits: &mut dyn NoiseBits) {
        todo!()
    }
}

/// The discrete Laplace, P(x) proportional to exp(-|x| / scale), drawn exactly.
pub struct DiscreteLaplace {}

#[allow(missing_docs, unused_variables)]
impl DiscreteLaplace {
    pub fn new(scale: Rational) -> Result<Self, PrivacyError> {
        todo!()
    }
    pub fn sample(&self, bits: &mut dyn NoiseBits) -> i64 {
        todo!()
    }
    pub fn add_to(&self, counts: &mut [i64], bits: &mut dyn NoiseBits) {
        todo!()
    }
}

/// The exponential mechanism, drawn exactly: index i with probability proportional to exp(epsilon q_i / (2 sensitivity)).
/// `scores` and `sensitivity` are integers on the same public grid.
#[allow(unused_variables)]
pub fn exponential_mechanism(
    scores: &[i128],
    sensitivity: u64,
    epsilon: Rational,
    bits: &mut dyn NoiseBits,
) -> Result<usize, PrivacyError> {
    todo!()
}
