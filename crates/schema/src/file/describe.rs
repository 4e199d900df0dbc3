//! From a checked schema back to plain data.

use super::bins;
use super::layout::{ColumnFile, ColumnType, SchemaFile, Spacing, Unlisted, VERSION};
use crate::codec::calendar::{write_iso_date, write_iso_datetime};
use crate::codec::{CodecKind, IntegerAxis, NumberAxis, TextRules, TimeFormat};
use crate::entries::Entries;
use crate::plain_value::PlainValue;
use crate::{Codec, Column, Role, Schema};

/// How much is spelled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wording {
    /// For people: what follows from the rest is left out.
    Short,
    /// For model files: no default and no logarithm is needed to read it back.
    Explicit,
}

/// The whole file.
pub(crate) fn describe(schema: &Schema, wording: Wording) -> SchemaFile {
    let text = schema.text_rules();
    let plain = TextRules::default();
    // A fact that waits for review is spelled out, also when it is the default.
    let spelled = |fact: &str, differs: bool| {
        differs || wording == Wording::Explicit || schema.settings().review.iter().any(|marked| marked == fact)
    };
    let column = |column: &Column| (column.name.clone(), entry(column, wording));
    SchemaFile {
        version: Some(VERSION),
        missing_tokens: spelled("missing_tokens", text.missing_tokens != plain.missing_tokens)
            .then(|| text.missing_tokens.clone()),
        delimiter: schema.delimiter().map(|byte| char::from(byte).to_string()),
        decimal: spelled("decimal", text.decimal != plain.decimal).then(|| char::from(text.decimal).to_string()),
        unlisted: schema.skips_unlisted().then_some(Unlisted::Ignore),
        multiline: (schema.multiline() || schema.settings().review.iter().any(|marked| marked == "multiline"))
            .then(|| schema.multiline()),
        review: schema.settings().review.to_vec(),
        columns: Entries(schema.columns().iter().map(column).collect()),
        impossible: schema.settings().rules.to_vec(),
    }
}

fn entry(column: &Column, wording: Wording) -> ColumnFile {
    let mut entry = match &column.role {
        Role::Id => ColumnFile::new(ColumnType::Id),
        Role::Ignored => ColumnFile::new(ColumnType::Ignore),
        Role::Modelled(codec) => modelled(codec, wording),
    };
    // A fact that waits for review is spelled out, also when it is that no cell is missing.
    if column.codec().is_some() && column.review.iter().any(|fact| fact == "missing") {
        entry.missing = entry.missing.or(Some(false));
    }
    entry.levels = column.levels.source().to_vec();
    entry.review = column.review.clone();
    entry
}

fn modelled(codec: &Codec, wording: Wording) -> ColumnFile {
    let mut entry = match codec.kind() {
        CodecKind::Integer(axis) => integers(axis, wording),
        CodecKind::Number(axis) => numbers(axis, wording),
        CodecKind::Category(words) => {
            let mut entry = ColumnFile::new(ColumnType::Category);
            entry.values = Some(words.values().to_vec());
            entry.other = words.other().map(str::to_owned);
            entry
        }
        CodecKind::Boolean(words) => {
            let mut entry = ColumnFile::new(ColumnType::Boolean);
            let usual = words.words() == &["false", "true"];
            entry.values = (wording == Wording::Explicit || !usual).then(|| words.words().to_vec());
            entry
        }
        CodecKind::Date(axis, format) => times(ColumnType::Date, axis, format, wording),
        CodecKind::DateTime(axis, format) => times(ColumnType::DateTime, axis, format, wording),
    };
    entry.missing = codec.missing_code().is_some().then_some(true);
    entry
}

fn integers(axis: &IntegerAxis, wording: Wording) -> ColumnFile {
    let mut entry = ColumnFile::new(ColumnType::Integer);
    entry.spikes =
        (!axis.spikes().is_empty()).then(|| axis.spikes().iter().copied().map(PlainValue::Integer).collect());
    let same = |entry: &ColumnFile| bins::integers(entry).as_ref() == Ok(axis);
    whole(entry, axis, &PlainValue::Integer, wording, &same)
}

fn times(kind: ColumnType, axis: &IntegerAxis, format: &TimeFormat, wording: Wording) -> ColumnFile {
    let mut entry = ColumnFile::new(kind);
    entry.format = format.pattern_text().map(str::to_owned);
    let write = if kind == ColumnType::Date { write_iso_date } else { write_iso_datetime };
    let value = |value: i64| {
        let mut text = Vec::new();
        write(value, &mut text);
        PlainValue::Text(String::from_utf8_lossy(&text).into_owned())
    };
    let build = if kind == ColumnType::Date { bins::dates } else { bins::moments };
    let same = |entry: &ColumnFile| matches!(build(entry), Ok(CodecKind::Date(other, _) | CodecKind::DateTime(other, _)) if other == *axis);
    whole(entry, axis, &value, wording, &same)
}

/// The first of the wordings that reads back to the same axis, the shortest first.
fn whole(
    mut entry: ColumnFile,
    axis: &IntegerAxis,
    value: &dyn Fn(i64) -> PlainValue,
    wording: Wording,
    same: &dyn Fn(&ColumnFile) -> bool,
) -> ColumnFile {
    entry.range = Some(vec![value(axis.low()), value(axis.high())]);
    let bins = axis.starts().map_or_else(|| axis.len() as usize, <[i64]>::len);
    if wording == Wording::Short && same(&entry) {
        return entry;
    }
    let counted = ColumnFile { bins: Some(bins as i64), ..entry.clone() };
    if same(&counted) {
        return counted;
    }
    let grown = logarithmic(&counted, bins, wording).find(same);
    grown.unwrap_or_else(|| {
        let starts = axis.starts().unwrap_or_default().iter().copied();
        let edges = starts.chain([axis.high()]).map(value).collect();
        ColumnFile { edges: Some(edges), ..entry }
    })
}

/// Wordings with logarithmic spacing. Rounding may have merged some bins, so that more were asked
/// for than are there.
fn logarithmic(counted: &ColumnFile, bins: usize, wording: Wording) -> impl Iterator<Item = ColumnFile> + use<> {
    let spaced = wording == Wording::Short && counted.kind.keys().contains(&"spacing") && bins < 200;
    let counted = counted.clone();
    let asked = if spaced { bins..2 * bins + 8 } else { 0..0 };
    asked.map(move |bins| ColumnFile { bins: Some(bins as i64), spacing: Some(Spacing::Log), ..counted.clone() })
}

fn numbers(axis: &NumberAxis, wording: Wording) -> ColumnFile {
    let value = PlainValue::Number;
    let mut entry = ColumnFile::new(ColumnType::Number);
    entry.range = Some(vec![value(axis.low()), value(axis.high())]);
    entry.spikes = (!axis.spikes().is_empty()).then(|| axis.spikes().iter().copied().map(value).collect());
    let same = |entry: &ColumnFile| bins::numbers(entry).as_ref() == Ok(axis);
    let bins = axis.starts().len();
    let counted = ColumnFile { bins: Some(bins as i64), ..entry.clone() };
    if wording == Wording::Short && same(&counted) {
        return counted;
    }
    let decimals = axis.decimals().map(i64::from);
    let stepped = ColumnFile { decimals, ..counted };
    if (decimals.is_some() || bins == 1) && same(&stepped) {
        return stepped;
    }
    let grown = logarithmic(&stepped, bins, wording).find(&same);
    grown.unwrap_or_else(|| {
        let edges = axis.starts().iter().copied().chain([axis.high()]).map(value).collect();
        ColumnFile { edges: Some(edges), decimals, ..entry }
    })
}
