//! Seeded random choices: which rows, which marginals, which trees. Never noise.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// Random numbers from a seed and a purpose. The same on every machine and any number of threads.
#[derive(Clone, Debug)]
pub struct EvaluationRng(ChaCha8Rng);

impl EvaluationRng {
    /// The stream of a seed and a purpose, of which the first 24 bytes count.
    pub fn new(seed: u64, purpose: &str, stream: u64) -> Self {
        let mut key = [0u8; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        for (slot, byte) in key[8..].iter_mut().zip(purpose.bytes()) {
            *slot = byte;
        }
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(stream);
        Self(generator)
    }

    /// Uniform on 0..bound, up to a bias of 2^-32 times the bound. 0 for a bound of 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.0.next_u32()) * u64::from(bound)) >> 32) as u32
    }

    /// Uniform on 0..bound for bounds beyond 32 bits.
    #[inline]
    pub fn below_large(&mut self, bound: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// Uniform on [0, 1), in steps of 2^-53.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// 64 uniform bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Puts the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for place in (1..items.len()).rev() {
            items.swap(place, self.below_large(place as u64 + 1) as usize);
        }
    }

    /// At most `most` different numbers below `count`, ascending; all of them when there are no
    /// more.
    pub fn choose(&mut self, count: u64, most: usize) -> Vec<u64> {
        if count <= most as u64 {
            return (0..count).collect();
        }
        // Floyd's way: no list of all numbers is made.
        let mut chosen = std::collections::BTreeSet::new();
        for bound in count - most as u64..count {
            let pick = self.below_large(bound + 1);
            if !chosen.insert(pick) {
                chosen.insert(bound);
            }
        }
        chosen.into_iter().collect()
    }
}
