//! The books of other tools, told apart by what stands in them.

mod dpmm;
mod dpsynth;
mod mbi;
mod sdv;

use serde_json::{Map, Value};

use super::{CodeBook, HELP};
use crate::SchemaError;
use crate::entries::Entries;
use crate::error::Mistake;

/// Reads the book of whichever tool it is.
pub(super) fn read(Entries(entries): Entries<Value>) -> Result<CodeBook, SchemaError> {
    let has = |keys: &[&str]| entries.iter().any(|(_, entry)| keys.iter().any(|key| entry.get(key).is_some()));
    let named = |key: &str| entries.iter().find(|(name, _)| name == key).map(|(_, value)| value);
    if sdv::is_metadata(&entries) {
        return sdv::read(entries);
    }
    if named("columns").is_some_and(|columns| columns.as_object().is_some_and(is_schema)) {
        return Err(SchemaError::whole("this is a schema already, and no code book", "use it as --schema"));
    }
    if mbi::is_domain(&entries) {
        return mbi::read(entries);
    }
    if entries.iter().all(|(_, entry)| entry.is_object() || entry.is_null()) && !entries.is_empty() {
        return if has(&["categories", "lower", "upper"]) && !has(&dpsynth::KEYS) {
            dpmm::read(entries)
        } else {
            dpsynth::read(entries)
        };
    }
    Err(SchemaError::whole("not the code book of a tool that is known", HELP))
}

fn is_schema(columns: &Map<String, Value>) -> bool {
    columns.values().any(|column| column.get("type").is_some())
}

/// The text of a plain value, as a cell has it.
fn word(value: &Value) -> Result<String, Mistake> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(truth) => Ok(truth.to_string()),
        _ => Err(Mistake::new("a value is neither text nor a number", "list plain values")),
    }
}

/// A list of words. What is null is a missing cell.
fn words(list: &Value) -> Result<Vec<String>, Mistake> {
    let Value::Array(items) = list else { return Err(Mistake::new("its values are no list", "list plain values")) };
    items.iter().filter(|item| !item.is_null()).map(word).collect()
}

/// Both bounds as numbers or text, or none: half a range cannot be said.
fn bounds(low: Option<&Value>, high: Option<&Value>) -> Result<Option<[Value; 2]>, Mistake> {
    let (Some(low), Some(high)) = (given(low), given(high)) else { return Ok(None) };
    let plain = |value: &Value| value.is_number() || value.is_string();
    if !(plain(low) && plain(high)) {
        return Err(Mistake::new("a bound is neither a number nor a date", "write plain values"));
    }
    Ok(Some([low.clone(), high.clone()]))
}

/// Null is as good as nothing.
fn given(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| !value.is_null())
}

/// The bounds as whole numbers, where they are.
fn whole(bounds: &[Value; 2]) -> Option<[Value; 2]> {
    let one = |value: &Value| match (value.as_i64(), value.as_f64()) {
        (Some(whole), _) => Some(whole.into()),
        (None, Some(number)) if number.fract() == 0.0 && number.abs() < 9e15 => Some((number as i64).into()),
        _ => None,
    };
    Some([one(&bounds[0])?, one(&bounds[1])?])
}
