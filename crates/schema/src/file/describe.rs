//! From a checked schema back to plain data.

use super::bins;
use super::layout::{ColumnFile, ColumnType, OrDiscover, SchemaFile, Spacing, Unlisted, VERSION};
use crate::codec::calendar::{iso_text, write_iso_date, write_iso_datetime};
use crate::codec::{Binning, CodecKind, IntegerAxis, NumberAxis, NumberFormat, TextRules, TimeFormat};
use crate::entries::Entries;
use crate::levels::LevelFile;
use crate::plain_value::PlainValue;
use crate::row_form::RowFormFile;
use crate::{After, Codec, Column, Formula, Marks, Role, Schema};

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
    let spelled =
        |fact: &str, differs: bool| differs || wording == Wording::Explicit || schema.settings().marks.names(fact);
    let Marks { review, harmless, assumed } = schema.settings().marks.clone();
    let column = |column: &Column| (column.name.clone(), entry(column, wording));
    SchemaFile {
        version: Some(VERSION),
        missing_tokens: spelled("missing_tokens", text.missing_tokens != plain.missing_tokens)
            .then(|| text.missing_tokens.clone()),
        delimiter: schema.delimiter().map(|byte| char::from(byte).to_string()),
        encoding: schema.encoding(),
        decimal: spelled("decimal", text.decimal != plain.decimal).then(|| char::from(text.decimal).to_string()),
        unlisted: schema.skips_unlisted().then_some(Unlisted::Ignore),
        multiline: (schema.multiline() || schema.settings().marks.names("multiline")).then(|| schema.multiline()),
        grid: schema.settings().grid.map(i64::from),
        missing_together: schema.settings().together.clone(),
        in_order: schema.settings().in_order.clone(),
        order: Vec::new(),
        review,
        harmless,
        assumed,
        written: written(schema),
        columns: Entries(schema.columns().iter().map(column).collect()),
        impossible: schema.settings().rules.to_vec(),
    }
}

/// How rows are written. A delimiter and an encoding that the data file has too are said once.
fn written(schema: &Schema) -> RowFormFile {
    let form = RowFormFile::of(schema.row_form());
    let said = schema.delimiter() == Some(schema.row_form().delimiter);
    let encoded = schema.encoding() == Some(schema.row_form().encoding);
    let encoding = form.encoding.filter(|_| !encoded);
    RowFormFile { delimiter: form.delimiter.filter(|_| !said), encoding, ..form }
}

fn entry(column: &Column, wording: Wording) -> ColumnFile {
    let mut entry = match &column.role {
        Role::Id => ColumnFile::new(ColumnType::Id),
        Role::Derived(formula) => derived(formula),
        Role::Ignored => ColumnFile::new(ColumnType::Ignore),
        Role::Modelled(codec) => modelled(codec, column.levels.source(), wording, column.after.as_ref()),
        Role::Dependent(dependent) => ColumnFile {
            depends_on: dependent.on().to_vec(),
            table: dependent.table().map(<[_]>::to_vec),
            ..modelled(dependent.codec(), &[], wording, None)
        },
    };
    // A fact that waits for review is spelled out, also when it is that no cell is missing.
    if column.written_codec().is_some() && column.marks.names("missing") {
        entry.missing = entry.missing.or(Some(false));
    }
    entry.levels = column.levels.source().to_vec();
    entry.discovered = column.discovered.clone();
    entry.shared = column.shared.clone();
    entry.pattern = column.pattern.as_ref().map(|pattern| pattern.text().to_owned());
    entry.stored = column.stored.as_ref().map(ToString::to_string);
    entry.marked(column.marks.clone())
}

fn derived(formula: &Formula) -> ColumnFile {
    let (decimals, format) = formula.stated();
    let lookup = Entries(formula.lookup().to_vec());
    let (formula, format) = (Some(formula.text().to_owned()), format.map(str::to_owned));
    ColumnFile { formula, lookup, decimals, format, ..ColumnFile::new(ColumnType::Derived) }
}

/// The entry of a column that is held as a difference when it has values of its own instead.
pub(crate) fn by_itself(entry: ColumnFile, after: &After) -> ColumnFile {
    let own = modelled(after.own(), &[], Wording::Short, None);
    let (kind, range, format, decimals) = (own.kind, own.range, own.format, own.decimals);
    let ColumnFile { missing, stored, discovered, .. } = &entry;
    let (missing, stored, discovered) = (*missing, stored.clone(), discovered.clone());
    ColumnFile { kind, range, format, decimals, missing, stored, discovered, ..ColumnFile::default() }
        .marked(entry.marks())
}

fn modelled(codec: &Codec, levels: &[LevelFile], wording: Wording, after: Option<&After>) -> ColumnFile {
    let whole = PlainValue::Integer;
    let date = |days| PlainValue::Text(iso_text(write_iso_date, days));
    let moment = |seconds| PlainValue::Text(iso_text(write_iso_datetime, seconds));
    let missing = codec.missing_code().map(|_| true);
    let known = Known { codec, levels, wording, after };
    let entry = match codec.kind() {
        CodecKind::Integer(axis) => wholes(ColumnType::Integer, axis, whole, None, known),
        CodecKind::Date(axis, format) => wholes(ColumnType::Date, axis, date, Some(format), known),
        CodecKind::DateTime(axis, format) => wholes(ColumnType::DateTime, axis, moment, Some(format), known),
        CodecKind::Number(axis) => numbers(axis, known),
        CodecKind::Category(words) => ColumnFile {
            values: Some(OrDiscover::Given(words.values().to_vec())),
            other: words.other().map(str::to_owned),
            ordered: words.is_ordered().then_some(true),
            ..ColumnFile::new(ColumnType::Category)
        },
        CodecKind::Boolean(words) => {
            let usual = words.words() == &["false", "true"];
            let values = (wording == Wording::Explicit || !usual).then(|| OrDiscover::Given(words.words().to_vec()));
            ColumnFile { values, ..ColumnFile::new(ColumnType::Boolean) }
        }
    };
    let format = codec.number_format().map(|format| format.pattern().to_owned()).or(entry.format);
    known.told(ColumnFile { missing, format, ..entry })
}

/// What the wording of a range goes by.
#[derive(Clone, Copy)]
struct Known<'a> {
    codec: &'a Codec,
    levels: &'a [LevelFile],
    wording: Wording,
    after: Option<&'a After>,
}

impl Known<'_> {
    /// The entry as the file has it, where its range may be that of a difference.
    fn told(&self, entry: ColumnFile) -> ColumnFile {
        let Some(after) = self.after else { return entry };
        let (kind, format) = match after.own().kind() {
            CodecKind::Date(_, format) => (ColumnType::Date, format.pattern_text()),
            CodecKind::DateTime(_, format) => (ColumnType::DateTime, format.pattern_text()),
            CodecKind::Number(_) => (ColumnType::Number, after.own().number_format().map(NumberFormat::pattern)),
            _ => (ColumnType::Integer, after.own().number_format().map(NumberFormat::pattern)),
        };
        entry.counted_after(after.on(), kind, format)
    }
}

fn wholes(
    kind: ColumnType,
    axis: &IntegerAxis,
    value: impl Fn(i64) -> PlainValue + Copy,
    format: Option<&TimeFormat>,
    known: Known<'_>,
) -> ColumnFile {
    let Known { codec, levels, wording, .. } = known;
    let numbers = codec.number_format().map(NumberFormat::pattern);
    let format = format.and_then(TimeFormat::pattern_text).or(numbers).map(str::to_owned);
    let entry = ColumnFile { format, ..ranged(kind, axis.low(), axis.high(), axis.spikes(), value) };
    if codec.is_on_grid() {
        return entry;
    }
    let bins = axis.starts().map_or_else(|| (axis.len() - axis.outer().0) as usize, <[i64]>::len);
    let counted = ColumnFile { bins: Some(bins as i64), ..entry.clone() };
    let shorter = leaves_bins_out(codec, wording).then(|| ColumnFile { levels: levels.to_vec(), ..entry.clone() });
    let edges = axis.starts().unwrap_or_default().iter().copied().chain([axis.high()]).map(value).collect();
    let listed = ColumnFile { edges: Some(edges), ..entry };
    shortest([shorter, Some(counted.clone())], grown(&counted, bins, known), known).unwrap_or(listed)
}

fn numbers(axis: &NumberAxis, known: Known<'_>) -> ColumnFile {
    let Known { codec, levels, wording, .. } = known;
    let value = PlainValue::Number;
    let decimals = axis.decimals().map(i64::from);
    let entry = ranged(ColumnType::Number, axis.low(), axis.high(), axis.spikes(), value);
    if codec.is_on_grid() {
        return ColumnFile { decimals, ..entry };
    }
    let bins = axis.starts().len();
    let counted = ColumnFile { bins: Some(bins as i64), ..entry.clone() };
    let stepped = ColumnFile { decimals, ..counted.clone() };
    let plainly = leaves_bins_out(codec, wording).then_some([None, decimals]).into_iter().flatten();
    let plainly = plainly.map(|decimals| ColumnFile { decimals, levels: levels.to_vec(), ..entry.clone() });
    let shorter = (wording == Wording::Short).then_some(counted);
    let explicit = (decimals.is_some() || bins == 1).then(|| stepped.clone());
    let edges = axis.starts().iter().copied().chain([axis.high()]).map(value).collect();
    let listed = ColumnFile { edges: Some(edges), decimals, ..entry.clone() };
    let counted = plainly.map(Some).chain([shorter, explicit]);
    shortest(counted, grown(&stepped, bins, known), known).unwrap_or(listed)
}

/// Whether bins that nobody stated are left unsaid.
fn leaves_bins_out(codec: &Codec, wording: Wording) -> bool {
    wording == Wording::Short && codec.binning() == Binning::Default
}

/// What every wording of a range says.
fn ranged<T: Copy>(
    kind: ColumnType,
    low: T,
    high: T,
    spikes: &[T],
    value: impl Fn(T) -> PlainValue + Copy,
) -> ColumnFile {
    let spikes = (!spikes.is_empty()).then(|| spikes.iter().copied().map(value).collect());
    ColumnFile { spikes, ..ColumnFile::ranged(kind, value(low), value(high)) }
}

/// Wordings with logarithmic spacing. Rounding may have merged some bins, so that more were asked
/// for than are there.
fn grown(counted: &ColumnFile, bins: usize, known: Known<'_>) -> impl Iterator<Item = ColumnFile> {
    let has_spacing = known.told(counted.clone()).kind.keys().contains(&"spacing");
    let spaced = known.wording == Wording::Short && has_spacing && bins < 200;
    let asked = if spaced { bins..2 * bins + 8 } else { 0..0 };
    asked.map(|bins| ColumnFile { bins: Some(bins as i64), spacing: Some(Spacing::Log), ..counted.clone() })
}

/// The first wording that reads back to the same codes.
fn shortest(
    plain: impl IntoIterator<Item = Option<ColumnFile>>,
    grown: impl Iterator<Item = ColumnFile>,
    known: Known<'_>,
) -> Option<ColumnFile> {
    let reads_back = |entry: &ColumnFile| bins::ranged(&known.told(entry.clone())).as_ref() == Ok(known.codec.kind());
    plain.into_iter().flatten().chain(grown).find(reads_back)
}
