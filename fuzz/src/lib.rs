//! Hostile files for every reader, on stable Rust.
//!
//! A run takes an input of the corpus, changes it ([`mutate`]) and gives it to a reader
//! ([`targets`]). Inputs that bring out an answer that was not heard before join the corpus of the
//! run: a poor man's coverage, which needs no instrumented build. The program of this crate counts
//! allocations ([`limit`]) and ends with the input in a file when one panics, hangs or asks for too
//! much memory.

pub mod limit;
pub mod mutate;
pub mod session;
pub mod targets;

/// Splitmix64: the same inputs from the same seed.
pub struct Dice(pub u64);

impl Dice {
    /// A number below the bound, which is above 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}
