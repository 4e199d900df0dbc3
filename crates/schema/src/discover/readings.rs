//! What a cell can be read as, whatever column it is in: a fixed list.

use std::sync::LazyLock;

use super::dress::{DressWord, NumberShape, SHAPES};
use crate::codec::TextRules;
use crate::draft::dates::PATTERNS;

/// Words that mean "missing" in many files, beside those that a schema knows without saying.
const MISSING_WORDS: [&str; 16] =
    ["?", "-", "--", ".", "n/a", "na", "#N/A", "none", "None", "NONE", "NaT", "Null", "nil", "<NA>", "\\N", "(null)"];

/// Pairs of words for false and true.
const TRUTHS: [[&str; 2]; 12] = [
    ["false", "true"],
    ["False", "True"],
    ["FALSE", "TRUE"],
    ["no", "yes"],
    ["No", "Yes"],
    ["NO", "YES"],
    ["n", "y"],
    ["N", "Y"],
    ["f", "t"],
    ["F", "T"],
    ["off", "on"],
    ["Off", "On"],
];

/// More decimals than this are one reading.
pub(super) const MOST_DECIMALS: usize = 8;

/// One of the usual ways of writing dates or moments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DateWriting {
    /// Its `strptime` pattern; `None` for ISO 8601.
    pub pattern: Option<&'static str>,
    /// Whether it has a time of day.
    pub timed: bool,
}

/// What a cell is read as. Each cell has exactly one reading, by a fixed rule on its own text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A word that means "missing"; the empty cell is the first.
    Missing(String),
    /// A word for false (false) or true (true), and the number of its pair.
    Truth(usize, bool),
    /// A whole number.
    Integer,
    /// A number with that many decimals behind a mark, zeros at the end left aside, or in powers of
    /// ten (`None`).
    Number(u8, Option<usize>),
    /// A number of thousands, or with three decimals, behind this mark: 1,234.
    Either(u8),
    /// A time of day, such as 10:05.
    Time(TimeWriting),
    /// A date or moment in one of the usual ways of writing them.
    Date(DateWriting),
    /// A date that may be read with the day or with the month first; the first of the two ways.
    EitherDate(DateWriting),
    /// Anything else.
    Text,
    /// Bytes that are not UTF-8, as in a file of another encoding.
    Undecodable,
    /// A number with something around it or between its thousands.
    Dressed(DressWord, NumberShape),
}

/// How a time of day is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeWriting {
    /// Whether it tells seconds.
    pub seconds: bool,
    /// Whether the hour has two digits; `None` from ten on, where that says nothing.
    pub full: Option<bool>,
}

impl TimeWriting {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let fulls = || [None, Some(false), Some(true)].into_iter();
        [false, true].into_iter().flat_map(move |seconds| fulls().map(move |full| Self { seconds, full }))
    }
}

/// All readings, in a fixed order.
pub static READINGS: LazyLock<Vec<Reading>> = LazyLock::new(|| {
    let usual = TextRules::default().missing_tokens;
    let words = std::iter::once(String::new()).chain(usual).chain(MISSING_WORDS.map(str::to_owned));
    let mut readings: Vec<Reading> = Vec::new();
    for word in words {
        let reading = Reading::Missing(word);
        if !readings.contains(&reading) {
            readings.push(reading);
        }
    }
    for pair in 0..TRUTHS.len() {
        readings.extend([Reading::Truth(pair, false), Reading::Truth(pair, true)]);
    }
    readings.push(Reading::Integer);
    for mark in [b'.', b','] {
        readings.extend((0..=MOST_DECIMALS).map(|decimals| Reading::Number(mark, Some(decimals))));
        readings.push(Reading::Number(mark, None));
    }
    for writing in date_patterns() {
        if writing.swapped().is_some() {
            readings.push(Reading::EitherDate(writing));
        }
        readings.push(Reading::Date(writing));
    }
    readings.extend([b'.', b','].map(Reading::Either));
    readings.extend(TimeWriting::all().map(Reading::Time));
    readings.extend([Reading::Text, Reading::Undecodable]);
    // There are many of these, so they stand behind all others.
    for word in DressWord::all() {
        let is_own = |shape: &&NumberShape| word != DressWord::NONE || !matches!(shape, NumberShape::Plain(_));
        readings.extend(SHAPES.iter().filter(is_own).map(|&shape| Reading::Dressed(word, shape)));
    }
    readings
});

/// The usual ways of writing dates, ISO first.
pub fn date_patterns() -> impl Iterator<Item = DateWriting> {
    let iso = [false, true].map(|timed| DateWriting { pattern: None, timed });
    let pattern = |pattern: &'static str| DateWriting { pattern: Some(pattern), timed: pattern.contains("%H") };
    iso.into_iter().chain(PATTERNS.into_iter().map(pattern))
}

impl DateWriting {
    /// Whether ISO 8601 reads it: a date, or a moment with another mark before its time of day.
    pub fn is_like_iso(self) -> bool {
        self.pattern.is_none_or(|pattern| pattern.starts_with("%Y-%m-%d"))
    }

    /// The same with day and month the other way round, if both are numbers.
    pub fn swapped(self) -> Option<Self> {
        let pattern = self.pattern.filter(|pattern| pattern.starts_with("%d"))?;
        let turned = |other: &DateWriting| {
            other.pattern.is_some_and(|other| other.starts_with("%m") && other[5..] == pattern[5..])
        };
        date_patterns().find(turned)
    }
}

impl Reading {
    /// The words for false and true of a pair.
    pub fn truth_words(pair: usize) -> [&'static str; 2] {
        TRUTHS[pair]
    }

    /// The number of pairs of truth words.
    pub fn truth_pairs() -> usize {
        TRUTHS.len()
    }
}

/// The truth that a word means, with the number of its pair.
pub(super) fn truth(word: &[u8]) -> Option<(usize, bool)> {
    let place = |truth: usize| TRUTHS.iter().position(|pair| pair[truth].as_bytes() == word);
    place(0).map(|pair| (pair, false)).or_else(|| place(1).map(|pair| (pair, true)))
}
