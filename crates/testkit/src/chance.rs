//! Repeatable chance for tests: splitmix64.

/// What splitmix64 adds to its state at every step.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes the bits of a state.
fn finish(state: u64) -> u64 {
    let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// A number that depends on this one and looks like chance.
pub fn mixed(number: u64) -> u64 {
    finish(number.wrapping_add(1).wrapping_mul(STEP))
}

/// A stream of numbers that its seed alone fixes.
pub struct Dice(pub u64);

impl Dice {
    /// The next number.
    pub fn next_number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        finish(self.0)
    }

    /// A number below the bound, almost evenly.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next_number() % bound
    }

    /// A place in a list of this length.
    pub fn place(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the published generator for the seed 0.
    #[test]
    fn the_stream_is_splitmix64() {
        let mut dice = Dice(0);
        let first = [dice.next_number(), dice.next_number()];
        assert_eq!(first, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
        assert_eq!(mixed(0), first[0]);
    }
}
