//! The seeded test stream.

use crate::noise::bits::{NoiseBits, sealed::Sealed};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

/// A repeatable stream of bits for golden outputs. **Not private**: who knows the seed knows the
/// noise.
///
/// A separate type, so that it cannot be had from [`NoiseRng`](crate::NoiseRng) by a flag or by
/// mistake; whatever is made with it is marked NOT PRIVATE.
pub struct SeededNoise {
    chacha: ChaCha20Rng,
}

impl SeededNoise {
    /// The stream of a seed. It is the same on every platform and in every later version.
    pub fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..24].copy_from_slice(b"lookalike: NOT PRIVATE: ");
        key[24..].copy_from_slice(&seed.to_le_bytes());
        Self { chacha: ChaCha20Rng::from_seed(key) }
    }
}

impl Sealed for SeededNoise {}

impl NoiseBits for SeededNoise {
    fn next_u64(&mut self) -> u64 {
        self.chacha.next_u64()
    }

    fn fill(&mut self, words: &mut [u64]) {
        words.fill_with(|| self.chacha.next_u64());
    }

    fn is_private(&self) -> bool {
        false
    }
}
