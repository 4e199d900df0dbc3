//! What is remembered of one column while its rows go by.

use std::collections::{BTreeSet, HashMap};

use super::dates::DateProfile;
use super::dressed::{DressProfile, is_dressed};
use super::ids::IdShape;
use super::numbers::NumberProfile;
use super::times::TimeProfile;
use crate::codec::scan;
use crate::codec::{TextRules, usual_truth};

/// Distinct words that are kept of a column.
pub(crate) const MOST_WORDS: usize = 50_000;

/// A longer cell is prose.
const LONGEST_WORD: usize = 200;

/// Marks that mean "missing" in many files, in any case, in columns whose other cells are numbers,
/// dates or truth values. In a list of words of the same file they then mean it too.
const MISSING_MARKS: [&str; 13] =
    ["?", "-", "--", ".", "n/a", "n.a.", "na", "#n/a", "nan", "nat", "<na>", "\\n", "(null)"];

/// Words that mean it among numbers and dates, and may be an answer among others: "none", "unknown"
/// beside "yes" and "no".
const MISSING_WORDS: [&str; 8] =
    ["none", "null", "nil", "unknown", "unk", "missing", "not available", "not applicable"];

/// Words that mean it among truth values too.
const NO_TRUTH: [&str; 3] = ["none", "null", "nil"];

/// Whether one of the words is the cell, in any case.
fn is_among(cell: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| cell.eq_ignore_ascii_case(word.as_bytes()))
}

/// Whether a missing token is a mark, which no list of words has as an answer.
pub(crate) fn is_missing_mark(token: &str) -> bool {
    is_among(token.as_bytes(), &MISSING_MARKS)
}

/// A value with fewer rows than this may be about few people.
pub(crate) const COMMON: u64 = 20;

/// Fewer distinct words than this are a list of codes, in which every odd word counts.
const FEW_WORDS: usize = 50;

/// What is remembered of one column.
#[derive(Default)]
pub(crate) struct ColumnProfile {
    /// Cells that were neither empty nor a missing token.
    pub(crate) cells: u64,
    /// Cells that may mean "missing", and which ones they were.
    pub(crate) soft: u64,
    pub(crate) soft_tokens: BTreeSet<String>,
    pub(crate) words: DistinctWords,
    pub(crate) numbers: NumberProfile,
    /// The same with something around them, by the decimal marks that there are, from the first
    /// such cell on.
    dressed: Vec<DressProfile>,
    pub(crate) dates: DateProfile,
    pub(crate) times: TimeProfile,
    pub(crate) ids: IdShape,
    /// Whether every cell is a usual word for a truth value.
    pub(crate) truths: bool,
    tokens: Vec<String>,
}

/// Distinct cells and how often each was seen, as long as there are not too many.
#[derive(Default)]
pub(crate) struct DistinctWords {
    pub(crate) counts: HashMap<Box<[u8]>, u64>,
    bytes: usize,
    most_bytes: usize,
    /// Too many or too long to keep.
    pub(crate) overflowed: bool,
    /// Cells that were looked at until the words overflowed, and how many of them were different.
    cells: u64,
    distinct: u64,
    /// Whether some cell was too long for a word, or could not be decoded.
    pub(crate) prose: bool,
    /// Whether some cell could not be decoded.
    pub(crate) unreadable: bool,
    /// Cells with a space inside, and with several: of two words and of three.
    pub(crate) spaced: u64,
    pub(crate) phrases: u64,
}

impl ColumnProfile {
    pub(crate) fn new(most_bytes: usize) -> Self {
        Self {
            words: DistinctWords { most_bytes, ..DistinctWords::default() },
            numbers: NumberProfile::new(),
            dates: DateProfile::new(),
            truths: true,
            tokens: TextRules::default().missing_tokens,
            ..Self::default()
        }
    }

    pub(crate) fn observe(&mut self, cell: &[u8]) {
        let cell = scan::trim(cell);
        if self.tokens.iter().any(|token| token.as_bytes() == cell) {
            return;
        }
        self.cells += 1;
        self.words.observe(cell);
        let is_word = is_among(cell, &MISSING_WORDS);
        if is_word || is_among(cell, &MISSING_MARKS) {
            self.soft += 1;
            self.truths &= !is_word || is_among(cell, &NO_TRUTH);
            // As it is spelled: a file's tokens are compared letter by letter.
            let token = String::from_utf8_lossy(cell);
            if !self.soft_tokens.contains(&*token) {
                self.soft_tokens.insert(token.into_owned());
            }
            return;
        }
        self.truths &= usual_truth(cell).is_some();
        if self.dressed.is_empty() && self.numbers.alive && is_dressed(cell) {
            let marks = [b'.', b','];
            self.dressed = marks.map(|mark| DressProfile::new(mark, self.numbers.clone())).into();
        }
        self.dressed.iter_mut().for_each(|dressed| dressed.observe(cell));
        self.numbers.observe(cell);
        self.dates.observe(cell);
        self.times.observe(cell);
        self.ids.observe(cell);
    }

    /// Takes cells for missing that a column of numbers of the same file has as a missing token.
    pub(crate) fn leave_out(&mut self, token: &str) {
        if let Some(count) = self.words.counts.remove(token.as_bytes()) {
            self.soft_tokens.remove(token);
            self.cells -= count;
            self.soft -= count;
            self.words.cells -= count;
            self.words.distinct -= 1;
        }
    }

    /// Whether a reading that failed on `bad` cells may be proposed: one cell in a hundred may be
    /// odd in a column of many values.
    pub(crate) fn tolerates(&self, bad: u64) -> bool {
        let many = self.words.overflowed || self.words.counts.len() > FEW_WORDS;
        bad == 0 || (many && bad <= (self.cells - self.soft) / 100)
    }

    pub(crate) fn has_decimal_comma(&self) -> bool {
        self.is_read(&self.numbers) && self.numbers.is_comma()
            || self.is_dressed_with(true) && !self.is_dressed_with(false)
    }

    pub(crate) fn has_decimal_point(&self) -> bool {
        self.is_read(&self.numbers) && self.numbers.points > 0
            || self.is_dressed_with(false) && !self.is_dressed_with(true)
    }

    fn is_read(&self, numbers: &NumberProfile) -> bool {
        numbers.alive && self.tolerates(numbers.bad)
    }

    fn is_dressed_with(&self, comma: bool) -> bool {
        self.dressed(comma).is_some()
    }

    /// Numbers with something around them, if that is what the cells are under the file's decimal
    /// mark, and their format.
    pub(crate) fn dressed(&self, comma: bool) -> Option<(&NumberProfile, String)> {
        let profile = self.dressed.get(usize::from(comma))?;
        let fits = profile.numbers.fits(comma) && self.tolerates(profile.numbers.bad);
        Some((&profile.numbers, profile.pattern().filter(|_| fits)?))
    }
}

impl DistinctWords {
    fn observe(&mut self, cell: &[u8]) {
        let spaces = cell.iter().filter(|byte| **byte == b' ').take(2).count();
        self.spaced += u64::from(spaces > 0);
        self.phrases += u64::from(spaces > 1);
        if self.overflowed {
            return;
        }
        let is_text = std::str::from_utf8(cell).is_ok();
        if cell.len() > LONGEST_WORD || !is_text {
            self.unreadable |= !is_text;
            self.prose = true;
            self.forget();
            return;
        }
        self.cells += 1;
        if let Some(count) = self.counts.get_mut(cell) {
            *count += 1;
            return;
        }
        self.distinct += 1;
        self.bytes += cell.len() + 64;
        if self.counts.len() >= MOST_WORDS || self.bytes > self.most_bytes {
            self.forget();
            return;
        }
        self.counts.insert(cell.into(), 1);
    }

    /// Whether all cells are different, as far as they were kept.
    pub(crate) fn are_unique(&self) -> bool {
        self.distinct == self.cells
    }

    /// Whether one cell in five or more is, as far as they were kept.
    pub(crate) fn are_often_new(&self) -> bool {
        self.distinct * 5 >= self.cells
    }

    /// Whether nine cells in ten are.
    pub(crate) fn are_nearly_unique(&self) -> bool {
        self.distinct * 10 >= self.cells * 9
    }

    /// Whether a cell comes twice or more on average, as far as they were kept.
    pub(crate) fn come_again(&self) -> bool {
        self.distinct * 2 <= self.cells
    }

    /// The distinct cells as text, sorted, so that neither frequency nor the order of the rows
    /// shows.
    pub(crate) fn sorted(&self) -> Vec<&str> {
        let mut words: Vec<&str> = self.counts.keys().filter_map(|word| std::str::from_utf8(word).ok()).collect();
        words.sort_unstable();
        words
    }

    /// Values that few rows have.
    pub(crate) fn rare(&self) -> usize {
        self.counts.values().filter(|&&count| count < COMMON).count()
    }

    fn forget(&mut self) {
        self.overflowed = true;
        self.counts = HashMap::new();
    }
}
