//! Bits that a test writes out.

use crate::noise::bits::{NoiseBits, RandomWords, sealed::Sealed};

/// Gives the words of the script in order, and then a few zeros: a decision that asks for more
/// would never end.
pub(super) struct Script {
    words: Vec<u64>,
    used: usize,
}

impl Script {
    pub(super) fn new(words: &[u64]) -> Self {
        Self { words: words.to_vec(), used: 0 }
    }
}

impl Sealed for Script {}

impl NoiseBits for Script {
    fn next_u64(&mut self) -> u64 {
        self.used += 1;
        assert!(self.used < self.words.len() + 64, "the decision does not end");
        self.words.get(self.used - 1).copied().unwrap_or(0)
    }

    fn fill(&mut self, words: &mut [u64]) {
        words.fill_with(|| self.next_u64());
    }

    fn is_private(&self) -> bool {
        false
    }
}

/// Runs a decision on a script; also tells how many words it used.
pub(super) fn decide<T>(script: &[u64], decision: impl FnOnce(&mut RandomWords<'_>) -> T) -> (T, usize) {
    let mut bits = Script::new(script);
    let mut words = RandomWords::one_by_one(&mut bits);
    let made = decision(&mut words);
    (made, bits.used)
}
