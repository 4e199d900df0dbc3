//! What was found of a column.

use crate::codec::calendar::{DAY, iso_text, write_iso_date, write_iso_datetime};
use crate::codec::clock::ClockUnit;
use crate::file::{ColumnFile, ColumnType, Discovered, OrDiscover, column_is_valid};

use super::OTHER;
use crate::StoredType;
use crate::plain_value::PlainValue;
use crate::stored::fitted;

/// What was found of a column: its type with what goes with it.
#[derive(Clone, Debug, PartialEq)]
pub enum FoundColumn {
    /// Whole numbers between two bounds, how they are written, if it was found, and spikes.
    Integer(i64, i64, Option<String>, Vec<i64>),
    /// Numbers between two bounds, decimals, if they were found, how they are written, and spikes.
    Number(f64, f64, Option<u8>, Option<String>, Vec<f64>),
    /// Times of day in this format.
    Time(String),
    /// A word for false and a word for true.
    Boolean([String; 2]),
    /// Dates from one day to another, with a pattern other than ISO 8601.
    Date(Option<String>, i64, i64),
    /// Moments from the first second of one day to the last of another.
    DateTime(Option<String>, i64, i64),
    /// Values; all others are [`OTHER`].
    Category(Vec<String>),
}

/// What was found of the file as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundText {
    /// Words that mean "missing", beside those that the schema knows.
    pub missing_words: Vec<String>,
    /// Whether numbers have a decimal comma.
    pub comma: bool,
    /// The word that most missing cells are written as; empty, or none that stands out, is `None`.
    pub usual_missing: Option<String>,
}

impl FoundColumn {
    /// The entry of the column, over what was stated of it, in a file with this decimal mark.
    pub(super) fn entry(&self, stated: &ColumnFile, decimal: u8, discovered: Discovered) -> ColumnFile {
        let found = match self {
            Self::Integer(low, high, format, spikes) => {
                let spikes: Vec<PlainValue> = spikes.iter().copied().map(PlainValue::Integer).collect();
                let spikes = Some(spikes).filter(|spikes| !spikes.is_empty());
                let format = format.clone();
                ColumnFile { format, spikes, ..ColumnFile::ranged(ColumnType::Integer, *low, *high) }
            }
            Self::Number(low, high, decimals, format, spikes) => {
                let format = format.clone();
                let plain = ColumnFile { format, ..ColumnFile::ranged(ColumnType::Number, *low, *high) };
                let exact = ColumnFile { decimals: stated.decimals.or(decimals.map(i64::from)), ..plain.clone() };
                let spikes: Vec<PlainValue> = spikes.iter().copied().map(PlainValue::Number).collect();
                let spiked = |entry: &ColumnFile| ColumnFile { spikes: Some(spikes.clone()), ..entry.clone() };
                let spiked = if spikes.is_empty() { vec![] } else { vec![spiked(&exact), spiked(&plain)] };
                // Whatever was found, there is a column: the budget has been spent on it.
                let any = || ColumnFile::ranged(ColumnType::Number, 0.0, 100.0);
                spiked
                    .into_iter()
                    .chain([exact, plain])
                    .find(|entry| column_is_valid(entry, decimal))
                    .unwrap_or_else(any)
            }
            Self::Time(format) => {
                let last = ClockUnit::of_format(format).map_or(0, ClockUnit::last);
                let whole = ColumnFile::ranged(ColumnType::Integer, 0, last);
                ColumnFile { format: Some(format.clone()), ..whole }
            }
            Self::Boolean(words) => {
                let values = Some(OrDiscover::Given(words.to_vec()));
                ColumnFile { values, ..ColumnFile::new(ColumnType::Boolean) }
            }
            Self::Date(pattern, low, high) => {
                let text = |days| iso_text(write_iso_date, days);
                let format = pattern.clone();
                ColumnFile { format, ..ColumnFile::ranged(ColumnType::Date, text(*low), text(*high)) }
            }
            Self::DateTime(pattern, low, high) => {
                let text = |seconds| iso_text(write_iso_datetime, seconds);
                let (low, high, format) = (text(low * DAY), text(high * DAY + DAY - 1), pattern.clone());
                ColumnFile { format, ..ColumnFile::ranged(ColumnType::DateTime, low, high) }
            }
            Self::Category(values) => {
                let other = stated.other.clone().unwrap_or_else(|| OTHER.to_owned());
                let values = Some(OrDiscover::Given(values.clone()));
                ColumnFile { values, other: Some(other), ..ColumnFile::new(ColumnType::Category) }
            }
        };
        let number = matches!(found.kind, ColumnType::Integer | ColumnType::Number);
        let format = stated.format.clone().filter(|_| number).or(found.format.clone());
        // Whether cells are missing is no fact that was bought: there is always a code for them.
        let entry = ColumnFile { missing: Some(true), format, discovered: Some(discovered), ..found };
        let entry = entry.marked(stated.marks());
        // A type that turned out not to hold what was found gives way: the budget has been spent.
        match stated.stored.as_deref().map(StoredType::parse) {
            Some(Ok(told)) => fitted(entry, &told),
            _ => entry,
        }
    }
}
