//! Where the random bits of noise come from.

use crate::PrivacyError;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

pub(super) mod sealed {
    /// Keeps the implementations of [`NoiseBits`](super::NoiseBits) inside this crate.
    pub trait Sealed {}
}

/// Uniform random bits for noise. Sealed: only this crate's generators can be used, so that no
/// caller can pass noise that it knows.
pub trait NoiseBits: sealed::Sealed + Send {
    /// 64 uniform bits.
    fn next_u64(&mut self) -> u64;

    /// Fills `words` with uniform bits.
    fn fill(&mut self, words: &mut [u64]);

    /// Whether what it makes is private. False for the seeded test stream: outputs are then marked
    /// NOT PRIVATE.
    fn is_private(&self) -> bool;
}

/// ChaCha20 keyed from the operating system.
///
/// There is no seeded constructor, and a generator cannot be copied, printed or stored:
///
/// ```
/// # use lookalike_privacy::{NoiseBits, NoiseRng};
/// let mut noise = NoiseRng::from_os()?;
/// assert!(noise.is_private());
/// # Ok::<(), lookalike_privacy::PrivacyError>(())
/// ```
/// ```compile_fail
/// # use lookalike_privacy::NoiseRng;
/// let noise = NoiseRng::from_os().unwrap();
/// let copy = noise.clone();
/// ```
/// ```compile_fail
/// # use lookalike_privacy::NoiseRng;
/// let noise = NoiseRng::from_os().unwrap();
/// println!("{noise:?}");
/// ```
///
/// A forked process would repeat its parent's noise. Nothing here detects a fork, because nothing
/// in this program forks after it has made a generator; a host that forks must make the generator
/// in the child.
pub struct NoiseRng {
    chacha: ChaCha20Rng,
}

impl NoiseRng {
    /// A generator with a fresh 256-bit key. Fails when the operating system gives no entropy.
    pub fn from_os() -> Result<Self, PrivacyError> {
        let mut key = [0u8; 32];
        getrandom::fill(&mut key).map_err(|error| PrivacyError::Entropy(error.to_string()))?;
        Ok(Self { chacha: ChaCha20Rng::from_seed(key) })
    }
}

impl sealed::Sealed for NoiseRng {}

impl NoiseBits for NoiseRng {
    fn next_u64(&mut self) -> u64 {
        self.chacha.next_u64()
    }

    fn fill(&mut self, words: &mut [u64]) {
        words.fill_with(|| self.chacha.next_u64());
    }

    fn is_private(&self) -> bool {
        true
    }
}

/// A stretch of random words taken from a generator at once, so that the virtual call is paid once
/// a stretch and not once a coin. What is left over at the end is dropped; no word is used twice.
pub(super) struct RandomWords<'a> {
    source: &'a mut dyn NoiseBits,
    stretch: [u64; RandomWords::LONGEST],
    length: usize,
    next: usize,
}

impl<'a> RandomWords<'a> {
    const LONGEST: usize = 64;

    /// For one draw, or a few.
    pub(super) fn few(source: &'a mut dyn NoiseBits) -> Self {
        Self::new(source, 8)
    }

    /// For `draws` draws.
    pub(super) fn many(source: &'a mut dyn NoiseBits, draws: usize) -> Self {
        Self::new(source, draws.saturating_mul(8).clamp(8, Self::LONGEST))
    }

    /// For tests that count words.
    #[cfg(test)]
    pub(super) fn one_by_one(source: &'a mut dyn NoiseBits) -> Self {
        Self::new(source, 1)
    }

    fn new(source: &'a mut dyn NoiseBits, length: usize) -> Self {
        Self { source, stretch: [0; Self::LONGEST], length, next: length }
    }

    /// 64 uniform bits, independent of all before.
    #[inline]
    pub(super) fn next(&mut self) -> u64 {
        if self.next == self.length {
            self.refill();
        }
        let word = self.stretch[self.next];
        self.next += 1;
        word
    }

    #[cold]
    fn refill(&mut self) {
        self.source.fill(&mut self.stretch[..self.length]);
        self.next = 0;
    }
}
