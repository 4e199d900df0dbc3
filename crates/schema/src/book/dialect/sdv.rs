//! Metadata of SDV: `SINGLE_TABLE_V1`, and `V1` or `MULTI_TABLE_V1` of one table.

use serde_json::{Map, Value, json};

use super::super::code_book::CodeBook;
use super::super::column::BookColumn;
use super::plain::{given, words};
use crate::SchemaError;
use crate::error::Mistake;

/// Keys whose columns name records or persons.
const ID_KEYS: [&str; 3] = ["primary_key", "sequence_key", "alternate_keys"];

/// Whether these are metadata, of one table or several.
pub(super) fn is_metadata(entries: &[(String, Value)]) -> bool {
    let has_types = |table: &Value| {
        let columns = table.as_object().into_iter().flat_map(Map::values);
        columns.into_iter().any(|column| column.get("sdtype").is_some())
    };
    let is_table = |table: &Value| table.get("columns").is_some_and(has_types);
    entries.iter().any(|(key, value)| match key.as_str() {
        "METADATA_SPEC_VERSION" => true,
        "columns" => has_types(value),
        "tables" => value.as_object().is_some_and(|tables| tables.values().any(is_table)),
        _ => false,
    })
}

pub(super) fn read(entries: Vec<(String, Value)>) -> Result<CodeBook, SchemaError> {
    let whole: Map<String, Value> = entries.into_iter().collect();
    let table = match whole.get("tables").map(Value::as_object) {
        None => &whole,
        Some(Some(tables)) if tables.len() == 1 => match tables.values().next().and_then(Value::as_object) {
            Some(table) => table,
            None => return Err(not_metadata()),
        },
        Some(tables) => {
            let many = tables.map_or(0, Map::len);
            return Err(SchemaError::whole(
                format!("the metadata are of {many} tables"),
                "keep one of them: a release is of one table",
            ));
        }
    };
    let columns = table.get("columns").and_then(Value::as_object).ok_or_else(not_metadata)?;
    let ids: Vec<&str> = ID_KEYS.iter().filter_map(|key| table.get(*key)).flat_map(names).collect();
    let columns = columns.iter().map(|(name, entry)| {
        if ids.contains(&name.as_str()) {
            return Ok(BookColumn::id(name));
        }
        column(name, entry).map_err(|mistake| mistake.at(name))
    });
    CodeBook::new(columns.collect::<Result<_, _>>()?, false)
}

fn not_metadata() -> SchemaError {
    SchemaError::whole("the metadata have no columns", "write them as {\"columns\": {\"NAME\": {\"sdtype\": \"...\"}}}")
}

/// One name, or a list of them, some of them composite.
fn names(value: &Value) -> Vec<&str> {
    match value {
        Value::String(name) => vec![name],
        Value::Array(list) => list.iter().flat_map(names).collect(),
        _ => Vec::new(),
    }
}

fn column(name: &str, entry: &Value) -> Result<BookColumn, Mistake> {
    let text = |key: &str| entry.get(key).and_then(Value::as_str);
    let Some(kind) = text("sdtype") else {
        return Err(Mistake::new("no sdtype", "say numerical, categorical, boolean, datetime, id or another"));
    };
    Ok(match kind {
        "id" => BookColumn::id(name),
        "boolean" => BookColumn::boolean(name, &[], &[]).unwrap_or_else(|| BookColumn::unknown(name)),
        // SDV checks nothing against a list; an order is the list of all values.
        "categorical" | "ordinal" => match given(entry.get("order")) {
            Some(order) => BookColumn::category(name, Some(words(order)?)),
            None => BookColumn::category(name, None),
        },
        "numerical" => match text("computer_representation") {
            Some(stored) if stored.contains("Int") => BookColumn::ranged(name, "integer", None),
            Some("Float") => BookColumn::ranged(name, "number", None),
            // Numbers, but whether they are whole is not stated.
            _ => BookColumn::unknown(name),
        },
        "datetime" => BookColumn::moments(name, text("datetime_format"), None),
        "unknown" => BookColumn::unknown(name),
        // Everything else is a kind of personal data, unless it says otherwise.
        other if entry.get("pii") == Some(&json!(false)) => {
            BookColumn::category(name, None).remarked(&format!("The book's type is {other:?}."))
        }
        other => BookColumn::ignored(name)
            .remarked(&format!("Personal data ({other:?}), left out; type = \"id\" writes fresh numbers.")),
    })
}
