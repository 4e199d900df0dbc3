//! What a code means, for people and for reports.

use super::calendar::{iso_text, write_iso_date, write_iso_datetime};
use super::{Codec, CodecKind, plain};

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

    /// A label of the code for people: "20-24", "Bachelors", "(missing)".
    pub fn label(&self, code: u32) -> String {
        match self.meaning(code) {
            Meaning::Missing => "(missing)".to_owned(),
            Meaning::Word(word) | Meaning::Other(word) => word.to_owned(),
            Meaning::Integers(first, last) if first == last => first.to_string(),
            Meaning::Integers(first, last) if first >= 0 => format!("{first}-{last}"),
            Meaning::Integers(first, last) => format!("{first} to {last}"),
            Meaning::Numbers(first, last) => {
                let decimals = if let CodecKind::Number(axis) = &self.kind { axis.decimals() } else { None };
                number_label(first, last, decimals)
            }
            Meaning::Dates(first, last) => span(first, last, write_iso_date),
            Meaning::DateTimes(first, last) => span(first, last, write_iso_datetime),
        }
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
