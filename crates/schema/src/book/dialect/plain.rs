//! Words, lists and bounds as JSON has them.

use serde_json::Value;

use crate::error::Mistake;

/// The text of a plain value, as a cell has it.
pub(super) fn word(value: &Value) -> Result<String, Mistake> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(truth) => Ok(truth.to_string()),
        _ => Err(Mistake::new("a value is neither text nor a number", "list plain values")),
    }
}

/// A list of words. What is null is a missing cell.
pub(super) fn words(list: &Value) -> Result<Vec<String>, Mistake> {
    let Value::Array(items) = list else { return Err(Mistake::new("its values are no list", "list plain values")) };
    items.iter().filter(|item| !item.is_null()).map(word).collect()
}

/// Both bounds as numbers or text, or none: half a range cannot be said.
pub(super) fn bounds(low: Option<&Value>, high: Option<&Value>) -> Result<Option<[Value; 2]>, Mistake> {
    let (Some(low), Some(high)) = (given(low), given(high)) else { return Ok(None) };
    let plain = |value: &Value| value.is_number() || value.is_string();
    if !(plain(low) && plain(high)) {
        return Err(Mistake::new("a bound is neither a number nor a date", "write plain values"));
    }
    Ok(Some([low.clone(), high.clone()]))
}

/// Null is as good as nothing.
pub(super) fn given(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| !value.is_null())
}

/// The bounds as whole numbers, where they are.
pub(super) fn whole(bounds: &[Value; 2]) -> Option<[Value; 2]> {
    let one = |value: &Value| match (value.as_i64(), value.as_f64()) {
        (Some(whole), _) => Some(whole.into()),
        (None, Some(number)) if number.fract() == 0.0 && number.abs() < 9e15 => Some((number as i64).into()),
        _ => None,
    };
    Some([one(&bounds[0])?, one(&bounds[1])?])
}
