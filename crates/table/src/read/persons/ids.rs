//! What an id is, whatever the file's format, and the keyed tags that stand for ids.
//!
//! An id is the text of its cell: in Parquet the text that `parquet/exact.rs` gives to a value. A
//! cell is no id when, without the spaces around it, it is empty, one of the schema's missing
//! tokens (where `-1` and `-1.0` mean the same) or NaN. All other ids are compared byte by byte, as
//! they stand, but for one thing: the sign of a zero is nothing (`-0.0` is `0.0`).

use std::io;

use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::digest::keyed;
use crate::error::TableError;

/// The bytes of a tag.
pub(crate) const TAG_BYTES: usize = 16;

/// Stands for an id.
pub(crate) type Tag = [u8; TAG_BYTES];

/// A key from the operating system.
pub(super) fn fresh_key() -> Result<[u8; 32], TableError> {
    let mut key = [0u8; 32];
    getrandom::fill(&mut key).map_err(|error| TableError::Io {
        what: "no entropy from the operating system".to_owned(),
        source: io::Error::other(error),
    })?;
    Ok(key)
}

/// Turns ids into tags, and rows into keys.
pub(crate) struct PersonKey {
    ids: Hmac<Sha256>,
    rows: Hmac<Sha256>,
    /// Cells that are no ids, without the tail of a whole number among fractions.
    missing: Vec<Vec<u8>>,
}

impl PersonKey {
    pub(super) fn new(secret: &[u8; 32], missing: &[String]) -> Self {
        let missing = missing.iter().map(|token| whole(token.as_bytes()).to_vec()).collect();
        Self { ids: keyed(secret, b"person"), rows: keyed(secret, b"row of"), missing }
    }

    /// The tag of a cell; `None` when it is no id.
    pub(crate) fn of_cell(&self, cell: &[u8]) -> Option<Tag> {
        let trimmed = cell.trim_ascii();
        let plain = whole(trimmed);
        if trimmed.is_empty() || is_nan(trimmed) || self.missing.iter().any(|token| token == plain) {
            return None;
        }
        let mut mac = self.ids.clone();
        mac.update(without_sign_of_zero(cell));
        let tag: [u8; 32] = mac.finalize().into_bytes().into();
        tag.first_chunk().copied()
    }

    /// What a row's content is, before there are codes: 128 bits that follow from its cells alone.
    pub(crate) fn of_content<'c>(&self, cells: impl Iterator<Item = &'c [u8]>) -> [u32; 4] {
        let mut mac = self.rows.clone();
        mac.update(b"content");
        for cell in cells {
            mac.update(&(cell.len() as u64).to_le_bytes());
            mac.update(cell);
        }
        let digest: [u8; 32] = mac.finalize().into_bytes().into();
        let word = |at: usize| digest[4 * at..].first_chunk().map_or(0, |four| u32::from_le_bytes(*four));
        std::array::from_fn(word)
    }

    /// The key of a person's row: which of its equals it is, is its number.
    pub(super) fn of_row(&self, tag: &Tag, content: &[u8], number: u64) -> u64 {
        let mut mac = self.rows.clone();
        mac.update(tag);
        mac.update(&number.to_le_bytes());
        mac.update(content);
        let key: [u8; 32] = mac.finalize().into_bytes().into();
        key.first_chunk().map_or(0, |eight| u64::from_be_bytes(*eight))
    }
}

/// A whole number that a column of fractions shows as `7.0` without that tail.
fn whole(text: &[u8]) -> &[u8] {
    text.strip_suffix(b".0").filter(|digits| digits.last().is_some_and(u8::is_ascii_digit)).unwrap_or(text)
}

fn is_nan(text: &[u8]) -> bool {
    let unsigned = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    unsigned.eq_ignore_ascii_case(b"nan")
}

/// `-0`, `-0.0`, `-0.00`, `-0.0e+00` without the sign; anything else as it stands.
fn without_sign_of_zero(text: &[u8]) -> &[u8] {
    let Some(number) = text.strip_prefix(b"-") else { return text };
    let exponent = number.iter().position(|byte| matches!(byte, b'e' | b'E')).unwrap_or(number.len());
    let (digits, power) = number.split_at(exponent);
    let marks = digits.iter().filter(|byte| matches!(byte, b'.' | b',')).count();
    let zeros = digits.iter().filter(|&&byte| byte == b'0').count();
    let power = power.get(1..).unwrap_or(b"0");
    let power = power.strip_prefix(b"-").or_else(|| power.strip_prefix(b"+")).unwrap_or(power);
    let is_number = zeros > 0 && marks <= 1 && marks + zeros == digits.len();
    let is_power = !power.is_empty() && power.iter().all(u8::is_ascii_digit);
    if is_number && is_power { number } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(tokens: &[&str]) -> PersonKey {
        let tokens: Vec<String> = tokens.iter().map(|&token| token.to_owned()).collect();
        PersonKey::new(&[3; 32], &tokens)
    }

    #[test]
    fn cells_that_are_no_ids() {
        let key = key(&["-1", "?", "8.0"]);
        for cell in ["", " ", "\t", "?", " ? ", "-1", "-1.0", "8", "8.0", "NaN", "nan", "-NaN", " +nan "] {
            assert!(key.of_cell(cell.as_bytes()).is_none(), "{cell:?}");
        }
        for cell in ["1", "-1.5", "-1.00", "NA", "nano", "-", "0", "-0.0", "??", ".0"] {
            assert!(key.of_cell(cell.as_bytes()).is_some(), "{cell:?}");
        }
    }

    #[test]
    fn the_sign_of_a_zero_is_nothing_and_every_other_byte_counts() {
        let key = key(&[]);
        for (signed, plain) in [("-0", "0"), ("-0.0", "0.0"), ("-0,00", "0,00"), ("-0.000e+00", "0.000e+00")] {
            assert_eq!(key.of_cell(signed.as_bytes()), key.of_cell(plain.as_bytes()), "{signed}");
        }
        let ids = ["a", "A", "a ", " a", "7", "07", "7.0", "0", "0.0", "-7", "-", "-0-", "-0.0.0", "-0e", "-.", "--0"];
        let tags: std::collections::HashSet<_> = ids.iter().map(|id| key.of_cell(id.as_bytes()).unwrap()).collect();
        assert_eq!(tags.len(), ids.len());
    }
}
