//! YAML as plain data. Anchors are refused: a book needs none, and a few lines of them make
//! gigabytes.

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value};

use crate::entries::Entries;

/// Lists and tables in each other, at most.
const DEEPEST: usize = 32;

/// The top table of the file. What is wrong is told with its line.
pub(super) fn entries(text: &str) -> Result<Entries<Value>, String> {
    match value(text)? {
        Value::Object(table) => Ok(Entries(table.into_iter().collect())),
        _ => Err("its top is no table of columns".to_owned()),
    }
}

/// A list or table in the making.
enum Open {
    List(Vec<Value>),
    Table { entries: Map<String, Value>, key: Option<String> },
}

fn value(text: &str) -> Result<Value, String> {
    let (mut open, mut whole): (Vec<Open>, Option<Value>) = (Vec::new(), None);
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let words = error.info().split_whitespace().collect::<Vec<_>>().join(" ");
            format!("line {}: {words}", error.marker().line())
        })?;
        let at = |what: &str| Err(format!("line {}: {what}", span.start.line()));
        let done = match event {
            Event::Alias(_) => return at("an alias, which a code book may not have"),
            Event::Scalar(text, style, _, _) => scalar(&text, style),
            Event::SequenceStart(..) | Event::MappingStart(..) if open.len() >= DEEPEST => return at("too deep"),
            Event::SequenceStart(..) => {
                open.push(Open::List(Vec::new()));
                continue;
            }
            Event::MappingStart(..) => {
                open.push(Open::Table { entries: Map::new(), key: None });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(Open::List(list)) => list.into(),
                Some(Open::Table { entries, .. }) => entries.into(),
                None => continue,
            },
            _ => continue,
        };
        match open.last_mut() {
            None if whole.is_some() => return at("a second document"),
            None => whole = Some(done),
            Some(Open::List(list)) => list.push(done),
            Some(Open::Table { entries, key }) => match key.take() {
                None => match plain(&done) {
                    Some(name) if entries.contains_key(&name) => return at(&format!("the key {name:?} stands twice")),
                    Some(name) => *key = Some(name),
                    None => return at("a key that is a list or a table"),
                },
                Some(name) => drop(entries.insert(name, done)),
            },
        }
    }
    Ok(whole.unwrap_or(Value::Null))
}

/// A key's text.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(_) | Value::Object(_) => None,
        other => Some(other.to_string()),
    }
}

/// What stands without quotes may be a number, a truth value or nothing.
fn scalar(text: &str, style: ScalarStyle) -> Value {
    if style != ScalarStyle::Plain {
        return text.into();
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => true.into(),
        "false" | "False" | "FALSE" => false.into(),
        _ => number(text).unwrap_or_else(|| text.into()),
    }
}

/// A number whose digits say all of it: `007` is a word.
fn number(text: &str) -> Option<Value> {
    let digits = text.trim_start_matches(['-', '+']);
    let padded = digits.len() > 1 && digits.starts_with('0') && !digits[1..].starts_with(['.', 'e', 'E']);
    if padded || !digits.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    match text.parse::<i64>() {
        Ok(whole) => Some(whole.into()),
        Err(_) => serde_json::Number::from_f64(text.parse().ok()?).map(Value::Number),
    }
}
