//! Domains of dpmm: `{"age": {"lower": 0, "upper": 99}, "sex": {"categories": ["F", "M"]}}`.

use serde_json::Value;

use super::super::code_book::CodeBook;
use super::super::column::BookColumn;
use super::plain::{bounds, given, words};
use crate::SchemaError;
use crate::error::Mistake;

pub(super) fn read(entries: Vec<(String, Value)>) -> Result<CodeBook, SchemaError> {
    let columns = entries.iter().map(|(name, entry)| column(name, entry).map_err(|mistake| mistake.at(name)));
    CodeBook::new(columns.collect::<Result<_, _>>()?, false)
}

fn column(name: &str, entry: &Value) -> Result<BookColumn, Mistake> {
    if let Some(categories) = given(entry.get("categories")) {
        return Ok(BookColumn::category(name, Some(words(categories)?)));
    }
    let (low, high) = (entry.get("lower"), entry.get("upper"));
    let Some(bounds) = bounds(low, high)? else {
        // One bound alone tells at least that these are numbers, but not whether they are whole.
        return Ok(BookColumn::unknown(name));
    };
    // Python writes whole numbers without a point, and dates as text.
    let is_text = bounds.iter().any(Value::is_string);
    let is_date = bounds.iter().all(|bound| bound.as_str().is_some_and(|text| text.trim().len() <= 10));
    let kind = match (is_text, bounds.iter().all(Value::is_i64)) {
        (true, _) => {
            if is_date {
                "date"
            } else {
                "datetime"
            }
        }
        (false, true) => "integer",
        (false, false) => "number",
    };
    Ok(BookColumn::ranged(name, kind, Some(bounds)))
}
