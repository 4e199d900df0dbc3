//! Listed words, and an optional shared word for all others.

use super::cached::Cached;
use super::scan::as_value;
use super::words::WordCodes;
use crate::error::{Mistake, refuse_if};

/// How programs write truth values. A category that lists one spelling knows the others, unless it
/// means something else by them: files and frames spell them differently.
const TRUTHS: [[&str; 3]; 2] = [["false", "False", "FALSE"], ["true", "True", "TRUE"]];

/// The words of a category column.
#[derive(Clone, Debug, PartialEq)]
pub struct Categories {
    values: Vec<String>,
    other: Option<String>,
    /// Whether neighbours in the list are neighbours in meaning.
    is_ordered: bool,
    table: Cached<WordCodes>,
}

impl Categories {
    /// Listed words in code order, and the word that unlisted cells share. Missing tokens are
    /// looked up with the words, and give way to them; `missing` is the code they get.
    pub(crate) fn new(
        values: Vec<String>,
        other: Option<String>,
        tokens: &[String],
        missing: bool,
    ) -> Result<Self, Mistake> {
        let nothing = values.is_empty() && other.is_none();
        refuse_if(nothing, "a category without values", "list them: values = [\"...\", \"...\"]")?;
        let mut table = WordCodes::default();
        for (code, value) in values.iter().enumerate() {
            if table.insert(value.as_bytes().into(), code as u32).is_some() {
                return Err(Mistake::new(format!("`values` lists {value:?} twice"), "list each value once"));
            }
        }
        let unclear = missing && values.iter().chain(&other).any(|word| word.trim_ascii().is_empty());
        let help = "drop the empty word, or say missing = false";
        refuse_if(unclear, "an empty word and a missing code cannot be told apart", help)?;
        let mut codec = Self { values, other, is_ordered: false, table: Cached(table) };
        if let Some(word) = &codec.other {
            codec.table.0.entry(word.as_bytes().into()).or_insert(codec.values.len() as u32);
        }
        let code = if missing { codec.len() } else { codec.other_code().unwrap_or(0) };
        for token in tokens {
            codec.table.0.entry(token.as_bytes().into()).or_insert(code);
        }
        for spellings in TRUTHS {
            let listed = |word: &&str| codec.values.iter().position(|value| value == word);
            let Some(code) = spellings.iter().find_map(listed) else { continue };
            for word in spellings {
                codec.table.0.entry(word.as_bytes().into()).or_insert(code as u32);
            }
        }
        Ok(codec)
    }

    /// The same words in an order: neighbours in the list are neighbours in meaning.
    pub(crate) fn ordered(self) -> Result<Self, Mistake> {
        let apart = self.len() as usize > self.values.len();
        let help = "list the `other` word among the values, where it belongs, or leave `ordered` out";
        refuse_if(apart, "ordered values, and an `other` word without a place among them", help)?;
        Ok(Self { is_ordered: true, ..self })
    }

    /// Whether neighbours in the list are neighbours in meaning.
    pub fn is_ordered(&self) -> bool {
        self.is_ordered
    }

    /// The listed words, in code order.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// The word that unlisted cells share.
    pub fn other(&self) -> Option<&str> {
        self.other.as_deref()
    }

    /// Every word that has a code, missing tokens left aside.
    pub(super) fn known(&self) -> impl Iterator<Item = &str> {
        let truths = TRUTHS.into_iter().flatten().filter(|word| self.code(word.as_bytes()).is_some());
        self.values.iter().chain(&self.other).map(String::as_str).chain(truths)
    }

    /// The code of unlisted cells: that of the listed word when `other` is one of them, a code of
    /// its own otherwise.
    pub fn other_code(&self) -> Option<u32> {
        self.other.as_ref().and_then(|word| self.table.0.get(word.as_bytes()).copied())
    }

    /// The number of codes, missing left aside.
    pub fn len(&self) -> u32 {
        let own = self.other_code().is_some_and(|code| code as usize == self.values.len());
        self.values.len() as u32 + u32::from(own)
    }

    /// A category has at least one code.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The word of a code.
    pub fn word(&self, code: u32) -> Option<&str> {
        let listed = self.values.get(code as usize).map(String::as_str);
        listed.or(if code < self.len() { self.other() } else { None })
    }

    /// The code of a cell, by its exact bytes or else without white space around it. `None` for an
    /// unlisted one.
    #[inline]
    pub(crate) fn code(&self, cell: &[u8]) -> Option<u32> {
        if let Some(code) = self.table.0.get(cell) {
            return Some(*code);
        }
        // Long values that were discovered are cut.
        let value = as_value(cell);
        if value.len() == cell.len() { None } else { self.table.0.get(value).copied() }
    }

    /// The code of a truth value in its usual spellings.
    pub(super) fn truth(&self, value: bool) -> Option<u32> {
        let digit = if value { "1" } else { "0" };
        TRUTHS[usize::from(value)].iter().chain([&digit]).find_map(|word| self.code(word.as_bytes()))
    }
}
