//! What a code means, for people and for reports.

use super::calendar::{iso_text, write_iso_date, write_iso_datetime};
use super::{Codec, CodecKind, plain};
use crate::Grouping;

/// The cells that a code stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning<'a> {
    /// Integers from the first to the last.
    Integers(i64, i64),
    /// Numbers from the first to the last. A bin that ends before the next one's start ends at the
    /// double below it.
    Numbers(f64, f64),
    /// One word.
    Word(&'a str),
    /// All unlisted words, and the word that is written for them.
    Other(&'a str),
    /// Days since 1970-01-01, from the first to the last.
    Dates(i64, i64),
    /// Seconds since 1970-01-01T00:00:00, from the first to the last.
    DateTimes(i64, i64),
    /// Empty cells.
    Missing,
}

impl Codec {
    /// The cells that a code stands for.
    pub fn meaning(&self, code: u32) -> Meaning<'_> {
        if code >= self.present() {
            return Meaning::Missing;
        }
        match &self.kind {
            CodecKind::Integer(axis) => spread(axis.bounds(code), Meaning::Integers),
            CodecKind::Number(axis) => spread(axis.bounds(code), Meaning::Numbers),
            CodecKind::Date(axis, _) => spread(axis.bounds(code), Meaning::Dates),
            CodecKind::DateTime(axis, _) => spread(axis.bounds(code), Meaning::DateTimes),
            CodecKind::Category(words) => match words.word(code) {
                Some(word) if self.other_code() == Some(code) => Meaning::Other(word),
                Some(word) => Meaning::Word(word),
                None => Meaning::Missing,
            },
            CodecKind::Boolean(words) => Meaning::Word(&words.words()[code as usize]),
        }
    }

    /// The values of neighbouring codes, from the first to the last. Words are not put together:
    /// of those the first code's is given.
    pub fn meaning_of(&self, first: u32, last: u32) -> Meaning<'_> {
        match (self.meaning(first), self.meaning(last)) {
            (Meaning::Integers(low, _), Meaning::Integers(_, high)) => Meaning::Integers(low, high),
            (Meaning::Numbers(low, _), Meaning::Numbers(_, high)) => Meaning::Numbers(low, high),
            (Meaning::Dates(low, _), Meaning::Dates(_, high)) => Meaning::Dates(low, high),
            (Meaning::DateTimes(low, _), Meaning::DateTimes(_, high)) => Meaning::DateTimes(low, high),
            (meaning, _) => meaning,
        }
    }

    /// A label of the code for people: "20-24", "Bachelors", "(missing)".
    pub fn label(&self, code: u32) -> String {
        self.label_of(code, code)
    }

    /// A label of neighbouring codes for people, such as a bin of all their values has.
    pub fn label_of(&self, first: u32, last: u32) -> String {
        let label = self.value_label(first, last);
        match &self.counted_from.0 {
            Some(words) if first < self.present() => {
                let many = ["days", "seconds"].into_iter().find(|unit| label == "1" && words.starts_with(unit));
                match many {
                    Some(unit) => format!("1 {}{}", &unit[..unit.len() - 1], &words[unit.len()..]),
                    None => format!("{label} {words}"),
                }
            }
            _ => label,
        }
    }

    fn value_label(&self, first: u32, last: u32) -> String {
        match self.meaning_of(first, last) {
            Meaning::Missing => "(missing)".to_owned(),
            Meaning::Word(word) | Meaning::Other(word) => word.to_owned(),
            Meaning::Integers(low, high) if low == high => low.to_string(),
            Meaning::Integers(low, high) if low >= 0 => format!("{low}-{high}"),
            Meaning::Integers(low, high) => format!("{low} to {high}"),
            Meaning::Numbers(low, high) => match &self.kind {
                CodecKind::Number(axis) => {
                    let written = axis.written(first).zip(axis.written(last)).filter(|_| self.is_on_grid());
                    let (low, high) = written.map_or((low, high), |(first, last)| (first.0, last.1));
                    number_label(low, high, axis.decimals())
                }
                _ => number_label(low, high, None),
            },
            Meaning::Dates(low, high) => span(low, high, write_iso_date),
            Meaning::DateTimes(low, high) => span(low, high, write_iso_datetime),
        }
    }

    /// A label for each group of a number's or date's codes: its ranges of values, `(missing)`.
    pub fn labels(&self, grouping: &Grouping) -> Vec<String> {
        let mut labels: Vec<Vec<String>> = vec![Vec::new(); grouping.groups() as usize];
        let mut first = 0;
        for (group, len) in grouping.runs() {
            let (end, missing) = (first + len, self.present());
            let parts = [(first, end.min(missing)), (first.max(missing), end)];
            let parts = parts.into_iter().filter(|(first, end)| first < end);
            labels[group as usize].extend(parts.map(|(first, end)| self.label_of(first, end - 1)));
            first = end;
        }
        labels.into_iter().map(|parts| parts.join(", ")).collect()
    }
}

fn spread<T>((first, last): (T, T), meaning: impl Fn(T, T) -> Meaning<'static>) -> Meaning<'static> {
    meaning(first, last)
}

/// Edges in the column's own decimals where that is exact enough to tell bins apart.
fn number_label(first: f64, last: f64, decimals: Option<u8>) -> String {
    let text = |value: f64| match decimals {
        Some(decimals) => {
            let fixed = format!("{value:.*}", usize::from(decimals));
            let short = if fixed.contains('.') { fixed.trim_end_matches('0').trim_end_matches('.') } else { &fixed };
            if short == "-0" { "0".to_owned() } else { short.to_owned() }
        }
        None => plain(value),
    };
    if first == last {
        return text(first);
    }
    // The doubles beside an edge or a spike would print with seventeen digits; people read the edge
    // itself.
    let (low, high) = (shorter(first, first.next_down()), shorter(last, last.next_up()));
    let above = if low == first { "" } else { "> " };
    format!("{above}{} to {}", text(low), text(high))
}

fn shorter(value: f64, neighbour: f64) -> f64 {
    if plain(neighbour).len() < plain(value).len() { neighbour } else { value }
}

fn span(first: i64, last: i64, write: fn(i64, &mut Vec<u8>)) -> String {
    let (from, to) = (iso_text(write, first), iso_text(write, last));
    if first == last { from } else { format!("{from} to {to}") }
}
