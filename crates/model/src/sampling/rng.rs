//! The generator of post-processing: seeded, repeatable, and never used for noise.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// Uniform bits from a seed the release prints. What it makes is post-processing: the guarantee
/// does not rest on it.
///
/// It is ChaCha8, keyed by the seed and a purpose, with one stream for each block of rows. Streams
/// can therefore be drawn in any order and on any thread. Eight rounds are enough here, since
/// nobody's privacy hangs on these bits; a smaller generator would be faster by a nanosecond but
/// has no independent streams that are known to be sound.
#[derive(Clone, Debug)]
pub struct SampleRng(ChaCha8Rng);

impl SampleRng {
    /// The stream of a seed and a purpose. Different seeds, purposes or stream numbers give
    /// unrelated bits.
    ///
    /// Only the first 24 bytes of the purpose count.
    pub fn new(seed: u64, purpose: &'static str, stream: u64) -> Self {
        let mut key = [0u8; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        for (slot, byte) in key[8..].iter_mut().zip(purpose.bytes()) {
            *slot = byte;
        }
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(stream);
        Self(generator)
    }

    /// Uniform from 0 to below 1.
    pub(crate) fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number below the bound, which is above 0; evenly, but for a part in 2^64 over the bound.
    /// For candidates and rows, never for noise.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// 64 uniform bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }
}

/// Every order alike (Fisher and Yates).
pub(super) fn shuffle<T>(values: &mut [T], rng: &mut SampleRng) {
    let mut left = values.len();
    while left > 1 {
        let word = rng.next_u64();
        let pick = below(word as u32, left as u32, rng);
        values.swap(left - 1, pick);
        left -= 1;
        if left > 1 {
            let pick = below((word >> 32) as u32, left as u32, rng);
            values.swap(left - 1, pick);
            left -= 1;
        }
    }
}

/// A number below the bound from 32 uniform bits, each exactly as likely (Lemire's method); more
/// bits are taken if need be.
#[inline(always)]
pub(super) fn below(bits: u32, bound: u32, rng: &mut SampleRng) -> usize {
    let mut product = u64::from(bits) * u64::from(bound);
    if (product as u32) < bound {
        let least = bound.wrapping_neg() % bound;
        while (product as u32) < least {
            product = (rng.next_u64() >> 32) * u64::from(bound);
        }
    }
    (product >> 32) as usize
}
