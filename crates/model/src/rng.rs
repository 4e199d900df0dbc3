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

    /// 64 uniform bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }
}
