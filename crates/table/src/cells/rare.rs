//! Which texts of a column are values that nobody has found yet.

use std::collections::HashSet;

use super::texts::Texts;
use crate::error::TableError;

/// The numbers of a column's texts that are values and not known: a bit each, since there may be a
/// text a row in many columns. It tells which texts there are: no `Debug`, no `Clone`.
pub(super) struct RareTexts {
    /// The place of the column's texts.
    pub place: usize,
    bits: Vec<u64>,
}

impl RareTexts {
    pub fn new(texts: &[Texts], place: usize, known: &[String], skipped: &[String]) -> Result<Self, TableError> {
        let others: HashSet<&[u8]> = known.iter().chain(skipped).map(|word| word.as_bytes()).collect();
        let mut bits = vec![0; (texts[place].count() as usize).div_ceil(64)];
        texts[place].for_each(|number, text| {
            // What is no text cannot be listed in a schema.
            if !text.is_empty() && !others.contains(text) && std::str::from_utf8(text).is_ok() {
                bits[number as usize / 64] |= 1 << (number % 64);
            }
        })?;
        Ok(Self { place, bits })
    }

    /// Whether the text of this number is one of them.
    pub fn has(&self, number: u32) -> bool {
        self.bits[number as usize / 64] & (1 << (number % 64)) != 0
    }
}
