//! A fixed set of words and the code of each.

/// WordCodes to codes: open addressing over a power of two of slots, at most half full.
///
/// The keys are the schema's own, so rows cannot make the table long or slow: a look-up compares
/// with schema words only.
#[derive(Clone)]
pub(crate) struct WordCodes {
    /// All words, one after the other.
    bytes: Vec<u8>,
    /// Where each word lies in `bytes`, and its code.
    entries: Vec<(u32, u32, u32)>,
    /// The upper half of the hash, and one more than the entry's index; zero is an empty slot.
    slots: Vec<(u32, u32)>,
}

impl WordCodes {
    /// An empty set with room for about `count` words.
    pub(crate) fn with_capacity(count: usize) -> Self {
        let slots = (count.max(4) * 2).next_power_of_two();
        Self { bytes: Vec::new(), entries: Vec::with_capacity(count), slots: vec![(0, 0); slots] }
    }

    /// Adds a word unless it is there already; whether it was added.
    pub(crate) fn insert(&mut self, word: &[u8], code: u32) -> bool {
        if self.get(word).is_some() {
            return false;
        }
        if (self.entries.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(word);
        self.entries.push((start, self.bytes.len() as u32, code));
        place(&mut self.slots, hash(word), self.entries.len() as u32);
        true
    }

    fn grow(&mut self) {
        let mut slots = vec![(0, 0); self.slots.len() * 2];
        for (index, &(start, end, _)) in self.entries.iter().enumerate() {
            place(&mut slots, hash(&self.bytes[start as usize..end as usize]), index as u32 + 1);
        }
        self.slots = slots;
    }

    /// The code of a word.
    #[inline]
    pub(crate) fn get(&self, word: &[u8]) -> Option<u32> {
        let hash = hash(word);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let (tag, entry) = self.slots[at];
            if entry == 0 {
                return None;
            }
            if tag == (hash >> 32) as u32 {
                let (start, end, code) = self.entries[entry as usize - 1];
                if &self.bytes[start as usize..end as usize] == word {
                    return Some(code);
                }
            }
            at = (at + 1) & mask;
        }
    }
}

fn place(slots: &mut [(u32, u32)], hash: u64, entry: u32) {
    let mask = slots.len() - 1;
    let mut at = hash as usize & mask;
    while slots[at].1 != 0 {
        at = (at + 1) & mask;
    }
    slots[at] = ((hash >> 32) as u32, entry);
}

/// Mixes eight bytes at a time; the widening product spreads every bit over the whole word.
#[inline]
fn hash(word: &[u8]) -> u64 {
    const KEY: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |state: u64, chunk: u64| {
        let product = u128::from(state ^ chunk) * u128::from(KEY);
        (product as u64) ^ ((product >> 64) as u64)
    };
    let mut state = KEY.wrapping_add(word.len() as u64);
    let mut chunks = word.chunks_exact(8);
    for chunk in &mut chunks {
        let mut eight = [0; 8];
        eight.copy_from_slice(chunk);
        state = mix(state, u64::from_le_bytes(eight));
    }
    let mut rest = 0u64;
    for &byte in chunks.remainder() {
        rest = rest << 8 | u64::from(byte);
    }
    mix(mix(state, rest), KEY.rotate_left(32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_words_are_found_and_others_are_not() {
        let mut words = WordCodes::with_capacity(0);
        for i in 0..40_000u32 {
            assert!(words.insert(format!("word {i}").as_bytes(), i));
        }
        assert!(!words.insert(b"word 7", 1));
        for i in 0..40_000u32 {
            assert_eq!(words.get(format!("word {i}").as_bytes()), Some(i));
        }
        for other in ["", "word", "word 40000", "word 7 ", "Word 7"] {
            assert_eq!(words.get(other.as_bytes()), None);
        }
    }

    #[test]
    fn probes_stay_short() {
        let mut words = WordCodes::with_capacity(1 << 15);
        for i in 0..1u32 << 15 {
            words.insert(&i.to_be_bytes(), i);
        }
        let mask = words.slots.len() - 1;
        let longest = (0..1u32 << 15)
            .map(|i| {
                let home = hash(&i.to_be_bytes()) as usize & mask;
                let mut steps = 0;
                while words.slots[(home + steps) & mask].1 != i + 1 {
                    steps += 1;
                }
                steps
            })
            .max();
        assert!(longest < Some(64), "{longest:?}");
    }
}
