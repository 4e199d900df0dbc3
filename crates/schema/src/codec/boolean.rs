//! Two words.

use super::cached::Cached;
use super::scan::trim;
use super::words::WordCodes;
use crate::error::{Mistake, refuse_if};

/// Words that mean false and true in any column, in any case.
pub(crate) const USUAL: [[&str; 2]; 5] = [["false", "true"], ["f", "t"], ["no", "yes"], ["n", "y"], ["0", "1"]];

/// The two words of a boolean column: code 0 is false, code 1 is true.
#[derive(Clone, Debug, PartialEq)]
pub struct Booleans {
    words: [String; 2],
    table: Cached<WordLookups>,
}

#[derive(Clone)]
struct WordLookups {
    /// The column's own words and the missing tokens, exactly.
    exact: WordCodes,
    /// The column's own words and the usual ones, in lower case.
    folded: WordCodes,
}

/// The truth that a usual word means.
pub(crate) fn usual_truth(word: &[u8]) -> Option<bool> {
    let matches = |usual: &str| word.eq_ignore_ascii_case(usual.as_bytes());
    USUAL.iter().find_map(|[no, yes]| if matches(no) { Some(false) } else { matches(yes).then_some(true) })
}

/// The pair of usual words that all of the words belong to.
pub(crate) fn usual_pair<'a>(words: impl Iterator<Item = &'a str> + Clone) -> Option<[&'static str; 2]> {
    let holds = |pair: &[&str; 2]| words.clone().all(|word| pair.iter().any(|usual| word.eq_ignore_ascii_case(usual)));
    USUAL.into_iter().find(holds)
}

impl Booleans {
    /// The words for false and true. Missing tokens give way to them and get the code `missing`.
    pub(crate) fn new(words: [String; 2], tokens: &[String], missing: Option<u32>) -> Result<Self, Mistake> {
        let folded_words = words.each_ref().map(|word| word.trim_ascii().to_ascii_lowercase());
        let same = folded_words[0] == folded_words[1];
        refuse_if(same, "its two words are the same but for case or spaces", "use type = \"category\"")?;
        let empty = folded_words.iter().any(String::is_empty);
        refuse_if(empty, "a boolean's word is empty", "name both words, or use type = \"category\"")?;
        let truths = folded_words.each_ref().map(|word| usual_truth(word.as_bytes()));
        let turned = truths == [Some(true), Some(false)];
        refuse_if(turned, "`values` has the word for true first", "write the word for false first")?;
        let (mut exact, mut folded) = (WordCodes::default(), WordCodes::default());
        for (code, word) in words.iter().enumerate() {
            exact.entry(word.as_bytes().into()).or_insert(code as u32);
            folded.entry(folded_words[code].as_bytes().into()).or_insert(code as u32);
        }
        for token in tokens {
            exact.entry(token.as_bytes().into()).or_insert(missing.unwrap_or(0));
        }
        // "M" and "F" are a column's own words, where "f" does not mean false: then no usual word
        // is read.
        let own = truths[0] == Some(true) || truths[1] == Some(false);
        for pair in USUAL.iter().filter(|_| !own) {
            for (code, word) in pair.iter().enumerate() {
                folded.entry(word.as_bytes().into()).or_insert(code as u32);
            }
        }
        Ok(Self { words, table: Cached(WordLookups { exact, folded }) })
    }

    /// The words for false and true.
    pub fn words(&self) -> &[String; 2] {
        &self.words
    }

    /// The words that are read in any case, in lower case, with their codes.
    pub(super) fn folded_words(&self) -> Vec<(String, u32)> {
        let folded = self.table.0.folded.iter();
        let mut words: Vec<(String, u32)> =
            folded.map(|(word, code)| (String::from_utf8_lossy(word).into_owned(), *code)).collect();
        words.sort_unstable();
        words
    }

    /// The code of a cell; `None` when it is none of the words.
    #[inline]
    pub(crate) fn code(&self, cell: &[u8]) -> Option<u32> {
        let WordLookups { exact, folded } = &self.table.0;
        let trimmed = trim(cell);
        if let Some(code) = exact.get(cell).or_else(|| exact.get(trimmed)) {
            return Some(*code);
        }
        let mut buffer = [0u8; 64];
        match buffer.get_mut(..trimmed.len()) {
            Some(lower) => {
                lower.copy_from_slice(trimmed);
                lower.make_ascii_lowercase();
                folded.get(&*lower).copied()
            }
            None => folded.get(trimmed.to_ascii_lowercase().as_slice()).copied(),
        }
    }
}
