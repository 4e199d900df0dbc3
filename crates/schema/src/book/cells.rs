//! The cells of a code book: lists, ranges, and words for types.

use serde_json::{Value, json};

use crate::codec::calendar::parse_iso;
use crate::error::Mistake;
use crate::file::ColumnType;
use crate::nearest::suggestion;

/// A type as books word it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BookType {
    Whole,
    Number,
    Words,
    Truth,
    Date,
    Moment,
    Id,
    Ignored,
}

const TYPES: [(BookType, &[&str]); 8] = [
    (BookType::Whole, &["integer", "int", "int64", "whole", "long", "bigint", "smallint", "count", "discrete"]),
    (
        BookType::Number,
        &["number", "numeric", "numerical", "float", "float64", "double", "real", "decimal", "continuous"],
    ),
    (
        BookType::Words,
        &[
            "category",
            "categorical",
            "nominal",
            "ordinal",
            "factor",
            "enum",
            "code",
            "string",
            "str",
            "text",
            "char",
            "character",
            "varchar",
            "object",
        ],
    ),
    (BookType::Truth, &["boolean", "bool", "logical", "binary", "yesno", "yes/no", "true/false", "flag"]),
    (BookType::Date, &["date"]),
    (BookType::Moment, &["datetime", "timestamp", "date-time", "date and time", "datetime64"]),
    (BookType::Id, &["id", "identifier", "key", "primary key"]),
    (BookType::Ignored, &["ignore", "skip", "free text", "freetext", "notes"]),
];

/// The type that a word names; what stands in brackets behind it does not matter.
pub(super) fn type_of(word: &str) -> Result<BookType, Mistake> {
    let plain = word.split(['(', '[']).next().unwrap_or_default().trim().to_lowercase();
    let found = TYPES.iter().find(|(_, words)| words.contains(&plain.as_str()));
    found.map(|(kind, _)| *kind).ok_or_else(|| {
        let near = suggestion(&plain, TYPES.iter().flat_map(|(_, words)| words.iter().copied()));
        let types: Vec<&str> = ColumnType::WORDS.into_iter().filter(|word| *word != "discover").collect();
        Mistake::new(format!("unknown type {word:?}{near}"), format!("write one of {}, or nothing", types.join(", ")))
    })
}

/// Yes or no.
pub(super) fn truth(word: &str) -> Result<bool, Mistake> {
    crate::codec::usual_truth(word.trim().as_bytes())
        .ok_or_else(|| Mistake::new(format!("missing: {word:?} is neither yes nor no"), "write yes or no"))
}

/// A list of values and, where every item has one, their labels: `F; M`, `1 = yes | 2 = no`.
pub(super) fn list(cell: &str) -> (Vec<String>, Vec<String>) {
    if cell.trim_start().starts_with('[')
        && let Ok(values) = serde_json::from_str::<Vec<Value>>(cell)
    {
        let text = |value: Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        return (values.into_iter().map(text).collect(), Vec::new());
    }
    let mark = ['\n', '|', ';', ','].into_iter().find(|mark| cell.contains(*mark)).unwrap_or('\n');
    let items: Vec<&str> = cell.split(mark).map(str::trim).filter(|item| !item.is_empty()).collect();
    // With bars, a comma may stand between a code and its label.
    let labelled = all(&items, equals).or_else(|| if mark == '|' { all(&items, comma) } else { None });
    match labelled {
        Some(pairs) => pairs.into_iter().map(|(code, label)| (code.to_owned(), label.to_owned())).unzip(),
        None => (items.into_iter().map(str::to_owned).collect(), Vec::new()),
    }
}

type Pair<'a> = (&'a str, &'a str);

fn all<'a>(items: &[&'a str], split: fn(&'a str) -> Option<Pair<'a>>) -> Option<Vec<Pair<'a>>> {
    items.iter().map(|item| split(item)).collect()
}

/// `1 = yes`; `<=50K` has no label.
fn equals(item: &str) -> Option<Pair<'_>> {
    let (code, label) = item.split_once('=')?;
    let is_sign = code.trim_end().ends_with(['<', '>', '!']) || code.trim().is_empty() || label.starts_with('=');
    (!is_sign).then(|| (code.trim(), label.trim()))
}

/// `1, yes`.
fn comma(item: &str) -> Option<Pair<'_>> {
    let (code, label) = item.split_once(',')?;
    (!code.trim().is_empty() && !code.trim().contains(' ')).then(|| (code.trim(), label.trim()))
}

/// Two bounds: `0-99`, `0..99`, `0 to 99`, `[0, 99]`, `2020-01-01 to 2024-12-31`.
pub(super) fn range(cell: &str) -> Option<[Value; 2]> {
    let cell = cell.trim().trim_start_matches(['[', '(']).trim_end_matches([']', ')']);
    let both = |low: &str, high: &str| Some([bound(low)?, bound(high)?]);
    ["..", " to ", "\u{2013}", ",", ";"]
        .into_iter()
        .find_map(|mark| cell.split_once(mark).and_then(|(low, high)| both(low, high)))
        .or_else(|| {
            // A hyphen may also be a sign, so every place of one is tried.
            cell.match_indices('-').find_map(|(place, _)| both(&cell[..place], &cell[place + 1..]))
        })
}

/// A number or an ISO date.
pub(super) fn bound(cell: &str) -> Option<Value> {
    let cell = cell.trim();
    if let Ok(whole) = cell.parse::<i64>() {
        return Some(json!(whole));
    }
    let is_number = cell.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '+' | '.'));
    match cell.parse::<f64>() {
        Ok(number) if is_number && number.is_finite() => Some(json!(number)),
        _ => parse_iso(cell.as_bytes()).map(|_| json!(cell)),
    }
}
