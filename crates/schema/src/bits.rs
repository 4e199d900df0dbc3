//! A column as bits: the binary encoding of PrivBayes.

use std::sync::Arc;

use crate::{AttrId, Derived, Grouping};

/// Codes `0..codes` written in binary with as few bits as hold the last of them, the highest bit
/// first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitCode {
    codes: u32,
}

impl BitCode {
    /// The bits that `codes` codes take, at least 1.
    pub fn new(codes: u32) -> Self {
        assert!(codes >= 1, "a column has at least one code");
        Self { codes }
    }

    /// How many bits there are: the logarithm to base 2, rounded up. One code needs none.
    pub fn bits(self) -> u32 {
        (self.codes - 1).checked_ilog2().map_or(0, |highest| highest + 1)
    }

    /// The bits of a column as derived columns of two codes each, the highest first.
    pub fn derived(self, base: AttrId, name: &str) -> Vec<Derived> {
        let bit = |place: u32| {
            let shift = self.bits() - 1 - place;
            // Every bit is 0 in some code and 1 in another: the highest is set in the last code,
            // and the code that is a lower bit alone is below that.
            let grouping = Arc::new(Grouping::known((0..self.codes).map(|code| code >> shift & 1).collect(), 2));
            Derived { base, grouping, name: format!("{name} (bit {} of {})", place + 1, self.bits()) }
        };
        (0..self.bits()).map(bit).collect()
    }

    /// The code of bits, the highest first. Patterns that no code has become any code, all with the
    /// same chance (to 2^-32): `draw` is uniform and picks one.
    pub fn decode(self, bits: impl IntoIterator<Item = bool>, draw: u64) -> u32 {
        let pattern = bits.into_iter().fold(0u32, |pattern, bit| pattern << 1 | u32::from(bit));
        if pattern < self.codes { pattern } else { ((u128::from(draw) * u128::from(self.codes)) >> 64) as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::BitCode;
    use crate::AttrId;

    #[test]
    fn as_few_bits_as_hold_the_last_code() {
        for (codes, bits) in [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (16, 4), (17, 5), (1_000_000, 20), (u32::MAX, 32)]
        {
            assert_eq!(BitCode::new(codes).bits(), bits, "{codes}");
        }
    }

    #[test]
    fn bits_and_back() {
        for codes in 1..70 {
            let code = BitCode::new(codes);
            let derived = code.derived(AttrId(3), "age");
            assert_eq!(derived.len() as u32, code.bits());
            assert!(derived.iter().all(|bit| bit.grouping.groups() == 2 && bit.base == AttrId(3)));
            for value in 0..codes {
                let bits = derived.iter().map(|bit| bit.grouping.group(value) == 1);
                assert_eq!(code.decode(bits, u64::MAX), value);
            }
        }
        assert_eq!(BitCode::new(5).derived(AttrId(0), "age")[0].name, "age (bit 1 of 3)");
    }

    #[test]
    fn impossible_patterns_become_any_code_evenly() {
        let code = BitCode::new(5);
        for pattern in 5..8u32 {
            let bits = || (0..3).rev().map(|place| pattern >> place & 1 == 1);
            let mut seen = [0; 5];
            for step in 0..1000u64 {
                seen[code.decode(bits(), step << 54 | step) as usize] += 1;
            }
            // Evenly spread draws: exact shares up to the rounding of the grid.
            assert!(seen.iter().all(|&count| (180..=220).contains(&count)), "{seen:?}");
            assert_eq!((code.decode(bits(), 0), code.decode(bits(), u64::MAX)), (0, 4));
        }
    }
}
