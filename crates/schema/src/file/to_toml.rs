//! A schema file in TOML, for people.

use std::fmt::Write;

use serde_json::{Map, Value};

use super::layout::SchemaFile;

const INTRODUCTION: &str = "\
# The schema of a table: what may be known about it without looking at it.
# Every bound and every list here is published with the release.
";

const REVIEW: &str = "\
#
# DRAFT. The facts named in `review` and `harmless` were read from the data. Those in `review` may give somebody away;
# those in `harmless` are what an empty form would tell. `lookalike schema review FILE` walks through them.
# For each: replace it by what is public knowledge (a questionnaire, a code book, common sense), or make sure
# that it is, and then delete its name from the list. A release made before that carries NO GUARANTEE.
# A range that was widened after a look is still a look: write down what you knew before.
# `type` covers `decimals`, `format`, `pattern` and `stored` too; where one of them is not there, its default was taken after a look.
# Remarks like this one are for you. They are not part of the schema and are never published.
";

/// The longest line of a list.
const WIDTH: usize = 100;

/// The whole file. Lines of a summary and `remarks` about a column become comments: they are not
/// part of the schema.
pub(crate) fn write<'a>(file: &SchemaFile, summary: &[String], remarks: &dyn Fn(&str) -> &'a [String]) -> String {
    let mut out = String::from(INTRODUCTION);
    let columns = file.columns.0.iter().any(|(_, column)| !(column.review.is_empty() && column.harmless.is_empty()));
    if columns || !(file.review.is_empty() && file.harmless.is_empty()) {
        out.push_str(REVIEW);
    }
    if !summary.is_empty() {
        out.push_str("#\n# Columns by risk, as they stand below:\n");
    }
    summary.iter().for_each(|line| comment(&mut out, line));
    out.push_str(&body(&file.to_json(), remarks));
    out
}

/// What stands behind the words at the beginning, from the file in JSON.
pub(crate) fn body<'a>(file: &Value, remarks: &dyn Fn(&str) -> &'a [String]) -> String {
    let mut out = String::from("\n");
    // Both forms of a file have the same keys in the same order.
    for (name, content) in file.as_object().into_iter().flatten() {
        match (name.as_str(), content) {
            ("columns", Value::Object(columns)) => {
                for (name, column) in columns {
                    let _ = writeln!(out, "\n[columns.{}]", key(name));
                    remarks(name).iter().for_each(|remark| comment(&mut out, &format!("{remark}.")));
                    column.as_object().into_iter().for_each(|column| write_column(&mut out, name, column));
                }
            }
            ("written", form) => {
                out.push_str("\n[written]\n");
                lines(&mut out, form);
            }
            ("impossible", Value::Array(rules)) => rules.iter().for_each(|rule| {
                out.push_str("\n[[impossible]]\n");
                lines(&mut out, rule);
            }),
            _ => line(&mut out, name, content),
        }
    }
    out
}

/// Look-up tables and levels of named groups are tables, which stand behind all keys of their
/// column.
fn write_column(out: &mut String, name: &str, column: &Map<String, Value>) {
    let tables = |content: &Value| content.as_array().is_some_and(|list| list.iter().any(Value::is_object));
    let own = |(name, content): &(&String, &Value)| !tables(content) && *name != "lookup";
    column.iter().filter(own).for_each(|(name, content)| line(out, name, content));
    if let Some(lookup) = column.get("lookup") {
        let _ = writeln!(out, "[columns.{}.lookup]", key(name));
        lines(out, lookup);
    }
    for level in column.values().filter(|content| tables(content)).filter_map(Value::as_array).flatten() {
        let _ = writeln!(out, "[[columns.{}.levels]]", key(name));
        lines(out, level);
    }
}

fn lines(out: &mut String, table: &Value) {
    table.as_object().into_iter().flatten().for_each(|(name, content)| line(out, name, content));
}

fn line(out: &mut String, name: &str, content: &Value) {
    let _ = writeln!(out, "{} = {}", key(name), value(content));
}

/// Words for the reader, in lines of their own.
fn comment(out: &mut String, words: &str) {
    for line in wrapped(words.split_whitespace(), WIDTH - 2) {
        let _ = writeln!(out, "# {line}");
    }
}

/// Words put together into lines of at most `width` bytes, longer words left aside.
fn wrapped(words: impl IntoIterator<Item = impl AsRef<str>>, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.as_ref().len() <= width => {
                line.push(' ');
                line.push_str(word.as_ref());
            }
            _ => lines.push(word.as_ref().to_owned()),
        }
    }
    lines
}

/// JSON's numbers, words and strings are TOML's too, but for one character that has to be escaped.
fn value(content: &Value) -> String {
    match content {
        Value::Array(items) => list(items.iter().map(value)),
        Value::Object(table) => {
            let entries = table.iter().map(|(name, content)| format!("{} = {}", key(name), value(content)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
        plain => plain.to_string().replace('\u{7f}', "\\u007f"),
    }
}

/// A list, broken into lines where it is long.
fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    let flat = items.iter().map(|item| item.len() + 2).sum::<usize>();
    if flat <= WIDTH {
        return format!("[{}]", items.join(", "));
    }
    let lines = wrapped(items.into_iter().map(|item| item + ","), WIDTH - 1);
    format!("[\n    {}\n]", lines.join("\n    "))
}

fn key(name: &str) -> String {
    let bare =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    if bare { name.to_owned() } else { value(&Value::from(name)) }
}
