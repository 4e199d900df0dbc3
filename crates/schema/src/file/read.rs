//! From text to plain data. A mistake is told with its place: `columns.age.range[1]`.

use std::collections::HashMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_path_to_error::{Path, Segment};

use super::layout::{ColumnFile, ColumnType, SchemaFile, Unlisted, VERSION};
use crate::SchemaError;
use crate::entries::Entries;
use crate::error::Mistake;
use crate::nearest::suggestion;
use crate::plain_value::PlainValue;
use crate::schema::MOST_CODES;

/// Reads TOML, JSON or an mbi domain file. `name` is the file's name, for messages.
pub(crate) fn file(text: &str, name: &str) -> Result<SchemaFile, SchemaError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_json = text.trim_start().starts_with('{');
    if is_json && is_domain(text) {
        return domain(from_text(text, name, is_json)?);
    }
    check_version(from_text(text, name, is_json)?)?;
    from_text(text, name, is_json)
}

fn from_text<T: DeserializeOwned>(text: &str, name: &str, is_json: bool) -> Result<T, SchemaError> {
    if is_json {
        let reader = &mut serde_json::Deserializer::from_str(text);
        let content =
            serde_path_to_error::deserialize(&mut *reader).map_err(|error| match error.inner().is_data() {
                true => misplaced(error.path(), &error.inner().to_string()),
                false => not_a_file(name, "JSON", &error.inner().to_string()),
            })?;
        reader.end().map_err(|error| not_a_file(name, "JSON", &error.to_string()))?;
        return Ok(content);
    }
    let reader = toml::Deserializer::parse(text).map_err(|error| {
        let place = error.span().map_or_else(String::new, |span| {
            let before = text.get(..span.start).unwrap_or_default();
            format!(" line {}", before.matches('\n').count() + 1)
        });
        not_a_file(&format!("{name}:{place}"), "TOML", error.message())
    })?;
    serde_path_to_error::deserialize(reader).map_err(|error| misplaced(error.path(), error.inner().message()))
}

fn not_a_file(place: &str, form: &str, message: &str) -> SchemaError {
    SchemaError::whole(format!("{place}: not a {form} file: {}", one_line(message)), "correct that place")
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What the reader says of a value of the wrong kind, in words of the file.
fn plainly(message: &str) -> String {
    let words = [("a sequence", "a list"), ("a map", "a table"), ("a string", "text"), ("a boolean", "true or false")];
    words.into_iter().fold(one_line(message), |message, (theirs, ours)| message.replace(theirs, ours))
}

/// The version alone, so that a file of a newer one is not refused for its keys.
#[derive(Deserialize)]
struct FileVersion {
    version: Option<PlainValue>,
}

fn check_version(file: FileVersion) -> Result<(), SchemaError> {
    match file.version {
        None | Some(PlainValue::Integer(VERSION)) => Ok(()),
        Some(PlainValue::Integer(newer)) if newer > VERSION => Err(SchemaError::whole(
            format!("the file is of version {newer}, and this program reads version {VERSION}"),
            "use a newer lookalike",
        )),
        Some(_) => Err(SchemaError::whole("`version` is not a version", help("version"))),
    }
}

/// Whether a JSON file is an mbi domain file: `{"age": 85, ...}`, nothing but integers.
fn is_domain(text: &str) -> bool {
    serde_json::from_str::<HashMap<String, i64>>(text).is_ok_and(|sizes| !sizes.is_empty())
}

/// Each column of a domain file is an integer over codes `0..size`, one bin a value. Columns that
/// it does not list are skipped.
fn domain(sizes: Entries<i64>) -> Result<SchemaFile, SchemaError> {
    let column = |(name, size): (String, i64)| {
        if size < 1 || size as u64 > MOST_CODES {
            return Err(SchemaError::column(
                &name,
                "its size is not a whole number from 1 to 1,000,000",
                "give the number of codes that the column has",
            ));
        }
        Ok((name, ColumnFile { bins: Some(size), ..ColumnFile::ranged(ColumnType::Integer, 0, size - 1) }))
    };
    let columns = Entries(sizes.0.into_iter().map(column).collect::<Result<_, _>>()?);
    Ok(SchemaFile { columns, unlisted: Some(Unlisted::Ignore), ..SchemaFile::default() })
}

/// A mistake at a place of the file.
fn misplaced(path: &Path, message: &str) -> SchemaError {
    let path: Vec<&Segment> = path.iter().collect();
    match path.as_slice() {
        [Segment::Map { key: top }, Segment::Map { key: name }, within @ ..] if top == "columns" => {
            column_mistake(within, message).at(name)
        }
        [Segment::Map { key: top }, Segment::Seq { .. }, Segment::Map { key: name }, ..] if top == "impossible" => {
            Mistake::new(plainly(message), help("condition")).at(name)
        }
        [Segment::Map { key }, ..] if !SchemaFile::KEYS.contains(&key.as_str()) => SchemaError::whole(
            format!("unknown key {key:?}{}", suggestion(key, SchemaFile::KEYS)),
            format!("the keys are {}; a column is [columns.NAME]", SchemaFile::KEYS.join(", ")),
        ),
        [Segment::Map { key }, ..] => SchemaError::whole(format!("{}: {}", place(&path), plainly(message)), help(key)),
        _ => SchemaError::whole(plainly(message), "begin with [columns.NAME]"),
    }
}

/// A mistake inside a column's entry.
fn column_mistake(within: &[&Segment], message: &str) -> Mistake {
    let Some(Segment::Map { key }) = within.first() else {
        let untyped = message.starts_with("missing field");
        let what = if untyped { "no `type`".to_owned() } else { format!("the entry: {}", plainly(message)) };
        return Mistake::new(what, format!("give it one: type = \"...\" with {}", ColumnType::WORDS.join(", ")));
    };
    let keys = || ColumnFile::OF_ALL.into_iter().chain(ColumnFile::KEYS);
    match message.strip_prefix("unknown variant `").and_then(|rest| rest.split('`').next()) {
        Some(word) if key == "type" => unknown_type(word),
        _ if keys().chain(["note"]).any(|known| known == key) => {
            Mistake::new(format!("{}: {}", place(within), plainly(message)), help(key))
        }
        _ => Mistake::new(
            format!("unknown key {key:?}{}", suggestion(key, keys())),
            format!("the keys of a column are {}", keys().collect::<Vec<_>>().join(", ")),
        ),
    }
}

fn unknown_type(word: &str) -> Mistake {
    let free_text = ["text", "string", "str", "free text", "freetext", "varchar", "object"];
    if free_text.contains(&word.to_ascii_lowercase().as_str()) {
        return Mistake::new(
            format!("type {word:?}: free text cannot be synthesized, since any of it may tell who wrote it"),
            "use \"category\" with a public list of values, \"id\" for fresh numbers, or \"ignore\" to leave it out",
        );
    }
    let near = suggestion(word, ColumnType::WORDS);
    Mistake::new(format!("unknown type {word:?}{near}"), format!("the types are {}", ColumnType::WORDS.join(", ")))
}

/// A place for people: `range[1]`.
fn place(path: &[&Segment]) -> String {
    let mut place = String::new();
    for segment in path {
        match segment {
            Segment::Map { key } if place.is_empty() => place.push_str(&one_line(key)),
            Segment::Map { key } => place.push_str(&format!(".{}", one_line(key))),
            Segment::Seq { index } => place.push_str(&format!("[{index}]")),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    format!("`{place}`")
}

/// How a key is written.
fn help(key: &str) -> &'static str {
    match key {
        "version" => "write version = 1",
        "values" => "write a list of plain values, [\"...\", \"...\"], or \"discover\"",
        "discovered" => "leave it out: releases write it",
        "missing_tokens" | "order" | "review" | "harmless" | "assumed" => {
            "write a list of plain values: [\"...\", \"...\"]"
        }
        "missing_together" | "in_order" => {
            "write a list of groups: [[\"COLUMN\", \"COLUMN\"], [\"COLUMN\", \"COLUMN\"]]"
        }
        "edges" | "spikes" => "write a list of plain values: [..., ...]",
        "range" => "write two bounds, range = [LOW, HIGH], or \"discover\"",
        "bins" | "decimals" | "grid" => "write a whole number",
        "lookup" => "write a table with one plain value a key: [columns.NAME.lookup] and KEY = VALUE",
        "encoding" => "write \"utf-8\", \"latin-1\" or \"windows-1252\"",
        "multiline" | "missing" | "ordered" => "write true or false, without quotes",
        "after" => "name the earlier column: after = \"COLUMN\"",
        "within" => "write the largest difference, within = 365 or within = \"2 hours\", or both bounds of it",
        "unlisted" => "write \"refuse\", \"ignore\" or \"discover\"",
        "spacing" => "write \"even\" or \"log\"",
        "written" => {
            "its keys are delimiter, line_end (lf, crlf), bom, encoding (utf-8, latin-1, windows-1252), quotes (needed, words, all), missing and ignored (drop, empty)"
        }
        "columns" => "make it a table with one entry a column: [columns.NAME]",
        "levels" => {
            "write levels = [[..., ...]] with the values at which groups begin, or [[columns.NAME.levels]] with GROUP = [\"...\"]"
        }
        "impossible" => "write each rule as [[impossible]] with a condition a column",
        "condition" => "write it as \"< 15\", a value, a list of values, or { missing = true }",
        _ => "write it as text in quotes",
    }
}
