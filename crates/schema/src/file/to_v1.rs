//! From a checked schema back to v1 structs.

use super::bins;
use super::v1::{Entry, EntryKind, File, Spacing, Unlisted};
use crate::codec::calendar::{write_iso_date, write_iso_datetime};
use crate::codec::{CodecKind, IntegerAxis, NumberAxis, TextRules, TimeFormat};
use crate::impossible::Scalar;
use crate::{Codec, Column, Role, Schema};

/// How much is spelled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// For people: what follows from the rest is left out.
    Short,
    /// For model files: no default and no logarithm is needed to read it back.
    Explicit,
}

/// The whole file.
pub(crate) fn file(schema: &Schema, form: Form) -> File {
    let text = schema.text_rules();
    let plain = TextRules::default();
    // A fact that waits for review is spelled out, also when it is the default.
    let spelled = |fact: &str, differs: bool| {
        differs || form == Form::Explicit || schema.review().iter().any(|marked| marked == fact)
    };
    let column = |column: &Column| (column.name.clone(), entry(column, form));
    File {
        missing_tokens: spelled("missing_tokens", text.missing_tokens != plain.missing_tokens)
            .then(|| text.missing_tokens.clone()),
        delimiter: schema.delimiter().map(|byte| char::from(byte).to_string()),
        decimal: spelled("decimal", text.decimal != plain.decimal).then(|| char::from(text.decimal).to_string()),
        unlisted: schema.skips_unlisted().then_some(Unlisted::Ignore),
        multiline: (schema.multiline() || schema.review().iter().any(|marked| marked == "multiline"))
            .then(|| schema.multiline()),
        review: schema.review().to_vec(),
        columns: schema.columns().iter().map(column).collect(),
        impossible: schema.rules().to_vec(),
    }
}

fn entry(column: &Column, form: Form) -> Entry {
    let mut entry = match &column.role {
        Role::Id => Entry::new(EntryKind::Id),
        Role::Ignored => Entry::new(EntryKind::Ignore),
        Role::Modelled(codec) => modelled(codec, form),
    };
    // A fact that waits for review is spelled out, also when it is that no cell is missing.
    if column.codec().is_some() && column.review.iter().any(|fact| fact == "missing") {
        entry.missing = entry.missing.or(Some(false));
    }
    entry.levels = column.levels.source().to_vec();
    entry.review = column.review.clone();
    entry
}

fn modelled(codec: &Codec, form: Form) -> Entry {
    let mut entry = match codec.kind() {
        CodecKind::Integer(axis) => integers(axis, form),
        CodecKind::Number(axis) => numbers(axis, form),
        CodecKind::Category(words) => {
            let mut entry = Entry::new(EntryKind::Category);
            entry.values = Some(words.values().to_vec());
            entry.other = words.other().map(str::to_owned);
            entry
        }
        CodecKind::Boolean(words) => {
            let mut entry = Entry::new(EntryKind::Boolean);
            let usual = words.words() == &["false", "true"];
            entry.values = (form == Form::Explicit || !usual).then(|| words.words().to_vec());
            entry
        }
        CodecKind::Date(axis, format) => times(EntryKind::Date, axis, format, form),
        CodecKind::DateTime(axis, format) => times(EntryKind::DateTime, axis, format, form),
    };
    entry.missing = codec.missing_code().is_some().then_some(true);
    entry
}

fn integers(axis: &IntegerAxis, form: Form) -> Entry {
    let mut entry = Entry::new(EntryKind::Integer);
    entry.spikes = (!axis.spikes().is_empty()).then(|| axis.spikes().iter().copied().map(Scalar::Integer).collect());
    let same = |entry: &Entry| bins::integers(entry).as_ref() == Ok(axis);
    whole(entry, axis, &Scalar::Integer, form, &same)
}

fn times(kind: EntryKind, axis: &IntegerAxis, format: &TimeFormat, form: Form) -> Entry {
    let mut entry = Entry::new(kind);
    entry.format = format.pattern_text().map(str::to_owned);
    let write = if kind == EntryKind::Date { write_iso_date } else { write_iso_datetime };
    let scalar = |value: i64| {
        let mut text = Vec::new();
        write(value, &mut text);
        Scalar::Text(String::from_utf8_lossy(&text).into_owned())
    };
    let build = if kind == EntryKind::Date { bins::dates } else { bins::moments };
    let same = |entry: &Entry| matches!(build(entry), Ok(CodecKind::Date(other, _) | CodecKind::DateTime(other, _)) if other == *axis);
    whole(entry, axis, &scalar, form, &same)
}

/// The first of the wordings that reads back to the same axis, the shortest first.
fn whole(
    mut entry: Entry,
    axis: &IntegerAxis,
    scalar: &dyn Fn(i64) -> Scalar,
    form: Form,
    same: &dyn Fn(&Entry) -> bool,
) -> Entry {
    entry.range = Some([scalar(axis.low()), scalar(axis.high())]);
    let bins = axis.starts().map_or_else(|| axis.len() as usize, <[i64]>::len);
    if form == Form::Short && same(&entry) {
        return entry;
    }
    let counted = Entry { bins: Some(bins as i64), ..entry.clone() };
    if same(&counted) {
        return counted;
    }
    let grown = logarithmic(&counted, bins, form).find(same);
    grown.unwrap_or_else(|| {
        let starts = axis.starts().unwrap_or_default().iter().copied();
        let edges = starts.chain([axis.high()]).map(scalar).collect();
        Entry { edges: Some(edges), ..entry }
    })
}

/// Wordings with logarithmic spacing. Rounding may have merged some bins, so that more were asked
/// for than are there.
fn logarithmic(counted: &Entry, bins: usize, form: Form) -> impl Iterator<Item = Entry> + use<> {
    let spaced = form == Form::Short && counted.kind.keys().contains(&"spacing") && bins < 200;
    let counted = counted.clone();
    let asked = if spaced { bins..2 * bins + 8 } else { 0..0 };
    asked.map(move |bins| Entry { bins: Some(bins as i64), spacing: Some(Spacing::Log), ..counted.clone() })
}

fn numbers(axis: &NumberAxis, form: Form) -> Entry {
    let scalar = Scalar::Number;
    let mut entry = Entry::new(EntryKind::Number);
    entry.range = Some([scalar(axis.low()), scalar(axis.high())]);
    entry.spikes = (!axis.spikes().is_empty()).then(|| axis.spikes().iter().copied().map(scalar).collect());
    let same = |entry: &Entry| bins::numbers(entry).as_ref() == Ok(axis);
    let bins = axis.starts().len();
    let counted = Entry { bins: Some(bins as i64), ..entry.clone() };
    if form == Form::Short && same(&counted) {
        return counted;
    }
    let decimals = axis.decimals().map(i64::from);
    let stepped = Entry { decimals, ..counted };
    if (decimals.is_some() || bins == 1) && same(&stepped) {
        return stepped;
    }
    let grown = logarithmic(&stepped, bins, form).find(&same);
    grown.unwrap_or_else(|| {
        let edges = axis.starts().iter().copied().chain([axis.high()]).map(scalar).collect();
        Entry { edges: Some(edges), decimals, ..entry }
    })
}
