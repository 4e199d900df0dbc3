//! Domains of dpsynth, which are YAML: `possible_values` with `out_of_domain_index`, `min_value`
//! and `max_value` with `dtype`, an empty entry for an open set, `max_tokens` for free text.

use serde_json::{Value, json};

use super::super::code_book::CodeBook;
use super::super::column::BookColumn;
use super::plain::{bounds, given, whole, word, words};
use crate::SchemaError;
use crate::error::{Mistake, refuse_if};

/// Keys that tell the dialect.
pub(super) const KEYS: [&str; 5] = ["possible_values", "min_value", "max_value", "default_value", "max_tokens"];

pub(super) fn read(entries: Vec<(String, Value)>) -> Result<CodeBook, SchemaError> {
    if let [(name, Value::Object(_))] = entries.as_slice()
        && name == "tables"
    {
        return Err(SchemaError::whole("the book is of several tables", "keep the columns of one of them"));
    }
    let columns = entries.iter().map(|(name, entry)| {
        let column = column(name, entry).map_err(|mistake| mistake.at(name))?;
        let about = entry.get("description").and_then(Value::as_str).unwrap_or_default();
        Ok(column.remarked(about))
    });
    CodeBook::new(columns.collect::<Result<_, SchemaError>>()?, false)
}

fn column(name: &str, entry: &Value) -> Result<BookColumn, Mistake> {
    if let Some(list) = given(entry.get("possible_values")) {
        return category(name, entry, list);
    }
    if entry.get("max_tokens").is_some() {
        return Ok(BookColumn::ignored(name).remarked("Free text, which cannot be synthesized: it is left out."));
    }
    if entry.get("min_value").is_some() || entry.get("max_value").is_some() {
        return numbers(name, entry);
    }
    let known = ["type", "description", "default_value", "public_possible_values"];
    let odd = entry.as_object().and_then(|entry| entry.keys().find(|key| !known.contains(&key.as_str())));
    if let Some(key) = odd {
        let help = "the keys are possible_values, min_value, max_value, default_value and max_tokens";
        return Err(Mistake::new(format!("unknown key {key:?}"), help));
    }
    let column = BookColumn::category(name, None);
    match given(entry.get("default_value")) {
        Some(other) => Ok(column.with("other", json!(word(other)?))),
        None => Ok(column),
    }
}

fn category(name: &str, entry: &Value, list: &Value) -> Result<BookColumn, Mistake> {
    let values = words(list)?;
    let is_truth = list.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(Value::is_boolean));
    if is_truth && let Some(column) = BookColumn::boolean(name, &[], &[]) {
        return Ok(column);
    }
    let column = BookColumn::category(name, Some(values.clone()));
    let Some(place) = given(entry.get("out_of_domain_index")) else { return Ok(column) };
    // What is none of the values becomes the one at this place.
    let other = place.as_u64().and_then(|place| values.get(usize::try_from(place).ok()?));
    let other = other.ok_or_else(|| Mistake::new("its out_of_domain_index is no place of the list", "count from 0"))?;
    Ok(if other.trim_ascii().is_empty() { column } else { column.with("other", json!(other)) })
}

fn numbers(name: &str, entry: &Value) -> Result<BookColumn, Mistake> {
    let is_whole = match entry.get("dtype").and_then(Value::as_str) {
        Some("int") => true,
        None | Some("float") => false,
        Some(_) => return Err(Mistake::new("its dtype is neither int nor float", "write one of them")),
    };
    let bounds = bounds(entry.get("min_value"), entry.get("max_value"))?;
    let fractional = is_whole && bounds.as_ref().is_some_and(|bounds| whole(bounds).is_none());
    refuse_if(fractional, "a bound of whole numbers is not whole", "write whole bounds, or dtype: float")?;
    let bounds = if is_whole { bounds.as_ref().and_then(whole) } else { bounds };
    Ok(BookColumn::ranged(name, if is_whole { "integer" } else { "number" }, bounds))
}
