//! v1 structs as a TOML file for people.

use std::fmt::Write;

use super::to_json::{spacing_word, unlisted_word};
use super::v1::{Entry, File, VERSION};
use crate::impossible::{Condition, Scalar};
use crate::levels::LevelEntry;

const INTRODUCTION: &str = "\
# The schema of a table: what may be known about it without looking at it.
# Every bound and every list here is published with the release.
";

const REVIEW: &str = "\
#
# DRAFT. The facts named in `review` were read from the data, so they may give somebody away.
# For each of them: replace it by what is public knowledge (a questionnaire, a code book, common sense), or make sure
# that it is, and then delete its name from `review`. A release made before that carries NO GUARANTEE.
# A range that was widened after a look is still a look: write down what you knew before.
# Where a marked key is not there, its default was taken after a look; `bins` covers `edges` and `spacing` too.
# Remarks like this one are for you. They are not part of the schema and are never published.
";

/// The longest line of a list.
const WIDTH: usize = 100;

/// The whole file. `remark` has words about a column, which become comments: they are not part of
/// the schema.
pub(crate) fn write(file: &File, remark: &dyn Fn(&str) -> Option<&'static str>) -> String {
    let mut out = String::from(INTRODUCTION);
    if !file.review.is_empty() || file.columns.iter().any(|(_, entry)| !entry.review.is_empty()) {
        out.push_str(REVIEW);
    }
    line(&mut out, "\nversion", VERSION.to_string());
    if let Some(tokens) = &file.missing_tokens {
        line(&mut out, "missing_tokens", list(tokens.iter().map(|token| quoted(token))));
    }
    if let Some(mark) = &file.delimiter {
        line(&mut out, "delimiter", quoted(mark));
    }
    if let Some(mark) = &file.decimal {
        line(&mut out, "decimal", quoted(mark));
    }
    if let Some(unlisted) = file.unlisted {
        line(&mut out, "unlisted", quoted(unlisted_word(unlisted)));
    }
    if let Some(multiline) = file.multiline {
        line(&mut out, "multiline", multiline.to_string());
    }
    review(&mut out, &file.review);
    for (name, entry) in &file.columns {
        let _ = write!(out, "\n[columns.{}]\n", key(name));
        comment(&mut out, remark(name).unwrap_or_default());
        column(&mut out, entry);
        groups(&mut out, name, entry);
    }
    for rule in &file.impossible {
        out.push_str("\n[[impossible]]\n");
        for (name, condition) in &rule.0 {
            let value = match condition {
                Condition::Missing => "{ missing = true }".to_owned(),
                Condition::One(one) => scalar(one),
                Condition::Any(any) => list(any.iter().map(scalar)),
            };
            line(&mut out, &key(name), value);
        }
    }
    out
}

fn line(out: &mut String, key: &str, value: String) {
    let _ = writeln!(out, "{key} = {value}");
}

fn column(out: &mut String, entry: &Entry) {
    line(out, "type", quoted(entry.kind.word()));
    if let Some(range) = &entry.range {
        line(out, "range", list(range.iter().map(scalar)));
    }
    if let Some(bins) = entry.bins {
        line(out, "bins", bins.to_string());
    }
    if let Some(edges) = &entry.edges {
        line(out, "edges", list(edges.iter().map(scalar)));
    }
    if let Some(spacing) = entry.spacing {
        line(out, "spacing", quoted(spacing_word(spacing)));
    }
    if let Some(decimals) = entry.decimals {
        line(out, "decimals", decimals.to_string());
    }
    if let Some(spikes) = &entry.spikes {
        line(out, "spikes", list(spikes.iter().map(scalar)));
    }
    if let Some(values) = &entry.values {
        line(out, "values", list(values.iter().map(|value| quoted(value))));
    }
    if let Some(other) = &entry.other {
        line(out, "other", quoted(other));
    }
    if let Some(missing) = entry.missing {
        line(out, "missing", missing.to_string());
    }
    if let Some(format) = &entry.format {
        line(out, "format", quoted(format));
    }
    let cuts = |level: &LevelEntry| match level {
        LevelEntry::Cuts(cuts) => Some(list(cuts.iter().map(scalar))),
        LevelEntry::Groups(_) => None,
    };
    let levels: Vec<String> = entry.levels.iter().filter_map(cuts).collect();
    if !levels.is_empty() {
        line(out, "levels", format!("[{}]", levels.join(", ")));
    }
    review(out, &entry.review);
}

fn review(out: &mut String, facts: &[String]) {
    if !facts.is_empty() {
        line(out, "review", list(facts.iter().map(|fact| quoted(fact))));
    }
}

/// Words for the reader, in lines of their own.
fn comment(out: &mut String, words: &str) {
    let mut width = 0;
    for word in words.split_whitespace() {
        let fits = width > 0 && width + word.len() < WIDTH;
        out.push_str(match width {
            0 => "# ",
            _ if fits => " ",
            _ => "\n# ",
        });
        width = if fits { width + 1 } else { 2 } + word.len();
        out.push_str(word);
    }
    if width > 0 {
        out.push('\n');
    }
}

/// Levels of named groups are tables, which stand behind all keys of their column.
fn groups(out: &mut String, name: &str, entry: &Entry) {
    for level in &entry.levels {
        if let LevelEntry::Groups(groups) = level {
            let _ = writeln!(out, "[[columns.{}.levels]]", key(name));
            for (group, members) in groups {
                line(out, &key(group), list(members.iter().map(|member| quoted(member))));
            }
        }
    }
}

fn scalar(scalar: &Scalar) -> String {
    match scalar {
        Scalar::Text(text) => quoted(text),
        // Debug keeps the point of a whole number, which TOML needs to tell it from an integer, and
        // reads back exactly.
        Scalar::Number(value) => format!("{value:?}"),
        Scalar::Integer(value) => value.to_string(),
        Scalar::Boolean(value) => value.to_string(),
    }
}

/// A list, broken into lines where it is long.
fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    let flat = items.iter().map(|item| item.len() + 2).sum::<usize>();
    if flat <= WIDTH {
        return format!("[{}]", items.join(", "));
    }
    let mut out = String::from("[\n");
    let mut width = 0;
    for item in items {
        if width > 0 && width + item.len() + 2 > WIDTH {
            out.push('\n');
            width = 0;
        }
        out.push_str(if width == 0 { "    " } else { " " });
        out.push_str(&item);
        out.push(',');
        width += item.len() + 2;
    }
    out.push_str("\n]");
    out
}

fn key(name: &str) -> String {
    let bare =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    if bare { name.to_owned() } else { quoted(name) }
}

/// A TOML basic string.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}
