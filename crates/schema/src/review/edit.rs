//! Changes of a table of a schema file.

use toml_edit::{Array, Item, TableLike, Value};

use crate::SchemaError;

/// The lists of marks, one a kind.
const LISTS: [&str; 2] = ["review", "harmless"];

/// The words of a list.
pub(super) fn texts(table: &dyn TableLike, list: &str) -> Vec<String> {
    let items = table.get(list).and_then(Item::as_array).into_iter().flatten();
    items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

/// Takes the mark of a fact away.
pub(super) fn unmark(table: &mut dyn TableLike, fact: &str) {
    for list in LISTS {
        let Some(marks) = table.get_mut(list).and_then(Item::as_array_mut) else { continue };
        marks.retain(|marked| marked.as_str() != Some(fact));
        marks.fmt();
        if marks.is_empty() {
            table.remove(list);
        }
    }
}

/// Lists a fact as assumed public.
pub(super) fn assume(table: &mut dyn TableLike, fact: &str) {
    if texts(table, "assumed").iter().any(|assumed| assumed == fact) {
        return;
    }
    let list = table.entry("assumed").or_insert_with(|| Item::Value(Value::Array(Array::new())));
    if let Some(list) = list.as_array_mut() {
        list.push(fact);
    }
}

/// Writes a key. Comments around it stay.
pub(super) fn set(table: &mut dyn TableLike, key: &str, mut value: Value) {
    value.decor_mut().clear();
    match table.get_mut(key) {
        Some(item) => *item = Item::Value(value),
        None => drop(table.insert(key, Item::Value(value))),
    }
}

/// Gives a column another type: nothing of what was said for the old one holds, no mark either. A
/// modelled column has a missing code, as all columns of drafts have.
pub(super) fn retype<'a>(table: &mut dyn TableLike, keys: impl IntoIterator<Item = (&'a str, Value)>) {
    let old: Vec<String> = table.iter().map(|(key, _)| key.to_owned()).filter(|key| key != "type").collect();
    old.iter().for_each(|key| drop(table.remove(key)));
    for (key, value) in keys {
        if key == "type" && !matches!(value.as_str(), Some("id" | "ignore" | "discover")) {
            set(table, "missing", Value::from(true));
        }
        set(table, key, value);
    }
}

/// The keys and values that somebody typed for a fact.
pub(super) fn understood(fact: &str, typed: &str) -> Result<Vec<(String, Value)>, SchemaError> {
    let typed = typed.trim();
    let value = |text: &str| text.parse::<Value>().ok();
    let list = || value(&format!("[{typed}]")).filter(|_| !typed.is_empty());
    let one = match fact {
        "range" | "values" | "missing_tokens" => value(typed).or_else(list),
        // A word needs no quotes.
        "type" if !typed.is_empty() && typed.chars().all(char::is_alphabetic) => Some(Value::from(typed)),
        _ => value(typed),
    };
    if let Some(value) = one {
        return Ok(vec![(fact.to_owned(), value)]);
    }
    let table = value(&format!("{{ {typed} }}"));
    let keys = table.as_ref().and_then(Value::as_inline_table).filter(|table| !table.is_empty()).ok_or_else(|| {
        let help = format!("write it as in a schema file: {fact} = ..., or several keys with commas in between");
        SchemaError::whole("what was typed is no value", help)
    })?;
    let mut keys: Vec<(String, Value)> = keys.iter().map(|(key, value)| (key.to_owned(), value.clone())).collect();
    // A type comes first: it takes away what was said before.
    keys.sort_by_key(|(key, _)| key != "type");
    Ok(keys)
}
