//! `docs/schema.md` has an example of every key: each is a whole schema that is read, held against
//! the JSON Schema, and used on its rows.

use std::path::Path;

use lookalike::{Input, ReadOptions, Schema, SchemaKey, Table, json_schema, schema_keys};
use lookalike_schema::{AttrId, OpenSchema, Wish};
use lookalike_table::ReadWatch;
use serde_json::{Value, json};

struct Nobody;

impl ReadWatch for Nobody {
    fn share_read(&self, _share: f64) {}
    fn cancelled(&self) -> bool {
        false
    }
}

fn page() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema.md")).expect("a page")
}

/// The parts of the page under `###` headings: the key, and what stands under it.
fn sections(page: &str) -> Vec<(&str, &str)> {
    let parts = page.split("\n### `").skip(1);
    parts.filter_map(|part| part.split("\n## ").next()?.split_once("`\n")).collect()
}

/// The fenced blocks of a part, with their languages.
fn blocks(text: &str) -> Vec<(&str, &str)> {
    let fenced = text.split("```").skip(1).step_by(2);
    fenced.filter_map(|block| block.split_once('\n')).collect()
}

/// What rows become: a line each, with the label of every modelled column; where facts are open,
/// which columns are to be discovered.
fn becomes(schema: &str, rows: &str) -> String {
    let open = OpenSchema::parse(schema, "the example").unwrap_or_else(|error| panic!("{error}\n{schema}"));
    if open.is_open() {
        let header: Vec<String> = rows.lines().next().unwrap_or_default().split(',').map(str::to_owned).collect();
        let wishes = open.wishes(&header).unwrap_or_else(|error| panic!("{error}\n{schema}"));
        let word = |wish: &Wish| if *wish == Wish::Nothing { "stated" } else { "discover" };
        return header.iter().zip(&wishes).map(|(name, wish)| format!("{name}: {}\n", word(wish))).collect();
    }
    let schema = Schema::parse(schema, "the example").expect("it is closed");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("rows.csv");
    let encoding = schema.encoding().unwrap_or_default();
    std::fs::write(&file, encoding.encode(rows.as_bytes().to_vec())).expect("rows");
    let options =
        ReadOptions { delimiter: schema.delimiter(), encoding: None, multiline: schema.multiline(), memory: 1 << 20 };
    let table = Table::read(&Input::Path(file), &schema, &options, &Nobody).unwrap_or_else(|error| panic!("{error}"));
    let schema = table.schema();
    let columns: Vec<(AttrId, Vec<u32>)> =
        table.domain().attributes().map(|attribute| (attribute, table.codes(attribute).expect("codes"))).collect();
    let line = |row: usize| {
        let cell = |(attribute, codes): &(AttrId, Vec<u32>)| {
            format!("{}: {}", schema.column(*attribute).name, schema.codec(*attribute).label(codes[row]))
        };
        columns.iter().map(cell).collect::<Vec<_>>().join("; ") + "\n"
    };
    (0..table.rows() as usize).map(line).collect()
}

#[test]
fn every_key_has_an_example_that_does_what_the_page_says() {
    let page = page();
    let sections = sections(&page);
    let keys = schema_keys();
    let named: Vec<&str> = sections.iter().map(|(key, _)| *key).collect();
    assert_eq!(named, keys.iter().map(|key| key.name).collect::<Vec<_>>(), "the page has every key in its order");
    let check = json_schema();
    for ((key, text), SchemaKey { help, types, .. }) in sections.into_iter().zip(&keys) {
        assert!(text.starts_with(help), "{key}: the page says something else than the reference: {help}");
        let blocks = blocks(text);
        assert!(!blocks.is_empty() && blocks.len().is_multiple_of(3), "{key}: a schema, rows, and what they become");
        for example in blocks.chunks(3) {
            let [("toml", schema), ("csv", rows), ("text", told)] = example else { panic!("{key}: {example:?}") };
            assert_eq!(becomes(schema, rows), *told, "{key}: rows become something else");
            let file: Value = toml::from_str(schema).expect("TOML");
            assert!(holds_key(&file, key, types.is_empty()), "{key} is not in its example");
            let file = without_dates(file);
            assert_eq!(fault(&check, &check, &file), None, "{key}: the JSON Schema refuses the example");
        }
    }
}

fn holds_key(file: &Value, key: &str, at_the_top: bool) -> bool {
    let mut columns = file["columns"].as_object().into_iter().flatten();
    if at_the_top { file.get(key).is_some() } else { columns.any(|(_, column)| column.get(key).is_some()) }
}

/// Dates of TOML are text in editors.
fn without_dates(value: Value) -> Value {
    match value {
        Value::Object(table) => match table.get("$__toml_private_datetime") {
            Some(date) => date.clone(),
            None => Value::Object(table.into_iter().map(|(key, value)| (key, without_dates(value))).collect()),
        },
        Value::Array(items) => items.into_iter().map(without_dates).collect(),
        plain => plain,
    }
}

#[test]
fn the_json_schema_refuses_what_the_program_refuses() {
    let check = json_schema();
    let column = |entry: Value| json!({ "columns": { "a": entry } });
    for (file, right) in [
        (column(json!({ "type": "integer", "range": [0, 9] })), true),
        (column(json!({ "type": "integer", "range": "discover" })), true),
        (column(json!({ "type": "integer", "range": [0, 9], "values": ["a"] })), false),
        (column(json!({ "type": "integer", "range": [0] })), false),
        (column(json!({ "type": "integer", "range": "find" })), false),
        (column(json!({ "type": "integr", "range": [0, 9] })), false),
        (column(json!({ "type": "id", "missing": true })), false),
        (column(json!({ "type": "category", "values": [1, "b"] })), true),
        (column(json!({ "type": "category", "values": "b" })), false),
        (column(json!({ "type": "number", "range": [0, 9], "bins": "many" })), false),
        (column(json!({ "range": [0, 9] })), false),
        (json!({ "colums": {} }), false),
        (json!({ "version": 2, "columns": { "a": { "type": "id" } } }), false),
        (json!({ "unlisted": "skip", "columns": { "a": { "type": "id" } } }), false),
    ] {
        assert_eq!(OpenSchema::parse(&file.to_string(), "s").is_ok(), right, "the program on {file}");
        assert_eq!(fault(&check, &check, &file).is_none(), right, "the JSON Schema on {file}");
    }
}

/// The first fault that a JSON Schema finds, by the words that ours uses. A word that is not known
/// here is a panic: then this has to learn it.
fn fault(whole: &Value, schema: &Value, value: &Value) -> Option<String> {
    let schema = schema.as_object().expect("a schema is a table");
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        return fault(whole, whole.pointer(reference.trim_start_matches('#')).expect("a definition"), value);
    }
    let wrong = |fine: bool, word: &str| (!fine).then(|| format!("{word}: {value}"));
    let list = |rule: &Value| rule.as_array().cloned().unwrap_or_default();
    schema.iter().find_map(|(word, rule)| match word.as_str() {
        "$schema" | "title" | "description" | "definitions" | "then" => None,
        "const" => wrong(rule == value, word),
        "enum" => wrong(list(rule).contains(value), word),
        "type" => {
            let types = if rule.is_array() { list(rule) } else { vec![rule.clone()] };
            wrong(types.iter().any(|kind| is_of(kind, value)), word)
        }
        "minimum" => wrong(value.as_f64().is_none_or(|value| value >= rule.as_f64().unwrap_or(0.0)), word),
        "minItems" => {
            wrong(value.as_array().is_none_or(|items| items.len() as u64 >= rule.as_u64().unwrap_or(0)), word)
        }
        "maxItems" => {
            wrong(value.as_array().is_none_or(|items| items.len() as u64 <= rule.as_u64().unwrap_or(0)), word)
        }
        "items" => value.as_array().into_iter().flatten().find_map(|item| fault(whole, rule, item)),
        "required" => wrong(list(rule).iter().all(|key| value.get(key.as_str().unwrap_or_default()).is_some()), word),
        "properties" => {
            let known = rule.as_object().into_iter().flatten();
            known
                .filter_map(|(key, rule)| Some((rule, value.get(key)?)))
                .find_map(|(rule, value)| fault(whole, rule, value))
        }
        "additionalProperties" => {
            let known = |key: &str| schema.get("properties").is_some_and(|known| known.get(key).is_some());
            let mut others = value.as_object().into_iter().flatten().filter(|(key, _)| !known(key));
            match rule {
                Value::Bool(false) => others.next().map(|(key, _)| format!("{key} is not known")),
                rule => others.find_map(|(_, value)| fault(whole, rule, value)),
            }
        }
        "propertyNames" => value.as_object().into_iter().flatten().find_map(|(key, _)| fault(whole, rule, &json!(key))),
        "anyOf" => wrong(list(rule).iter().any(|rule| fault(whole, rule, value).is_none()), word),
        "allOf" => list(rule).iter().find_map(|rule| fault(whole, rule, value)),
        "if" if fault(whole, rule, value).is_none() => schema.get("then").and_then(|then| fault(whole, then, value)),
        "if" => None,
        other => panic!("a word of JSON Schema that this test does not know: {other}"),
    })
}

fn is_of(kind: &Value, value: &Value) -> bool {
    match kind.as_str().unwrap_or_default() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("a type of JSON Schema that this test does not know: {other}"),
    }
}
