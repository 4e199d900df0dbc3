//! Rows as columns of typed values, for Parquet and Arrow.

use lookalike_schema::codec::CodecKind;
use lookalike_schema::{AttrId, CellValue, Codec, Formula, FormulaKind, FormulaValue, IdPattern, Schema};

use super::rows::{CodeBlock, ColumnCells, Content, Values, cell, contents, derived};

/// One output column.
pub(super) struct OutputColumn<'a> {
    pub(super) name: &'a str,
    content: Content<'a>,
    pub(super) form: Form,
    /// Whether cells may be missing.
    pub(super) optional: bool,
}

/// How a column is stored.
pub(super) enum Form {
    Integer,
    Number,
    Boolean,
    Date,
    /// Milliseconds since 1970: Parquet knows no unit above the millisecond.
    DateTime,
    /// The words of all codes.
    Words(Vec<String>),
    /// Texts that are all different, or none.
    Text,
}

/// The output's columns, in order.
pub(super) fn output_columns(schema: &Schema) -> Vec<OutputColumn<'_>> {
    contents(schema).into_iter().map(|(name, content)| OutputColumn::new(name, content)).collect()
}

impl<'a> OutputColumn<'a> {
    fn new(name: &'a str, content: Content<'a>) -> Self {
        let codec = match content {
            Content::Codes(_, codec) | Content::Rising(_, codec, _) => codec,
            Content::Id(None) => return Self { name, content, form: Form::Integer, optional: false },
            Content::Id(Some(_)) => return Self { name, content, form: Form::Text, optional: false },
            Content::Derived(formula, _) => return Self { name, content, form: form_of(formula), optional: true },
            Content::Empty => return Self { name, content, form: Form::Text, optional: true },
        };
        let form = match codec.kind() {
            CodecKind::Integer(_) => Form::Integer,
            CodecKind::Number(_) => Form::Number,
            CodecKind::Date(..) => Form::Date,
            CodecKind::DateTime(..) => Form::DateTime,
            CodecKind::Boolean(words) if *words.words() == ["false", "true"] => Form::Boolean,
            CodecKind::Boolean(_) | CodecKind::Category(_) => Form::Words(words(codec)),
        };
        Self { name, content, form, optional: codec.missing_code().is_some() }
    }

    /// The cells of a block; `words` are those of [`draw`](super::rows::draw).
    pub(super) fn cells(&self, block: &CodeBlock<'_>, words: &[u64]) -> ColumnCells {
        let (attribute, codec, schema) = match self.content {
            Content::Codes(attribute, codec) => (attribute, codec, None),
            Content::Rising(attribute, codec, schema) => (attribute.index(), codec, Some(schema)),
            Content::Empty => return ColumnCells { values: Values::Texts(Vec::new()), levels: vec![0; block.rows] },
            Content::Derived(formula, schema) => {
                let value = |row| derived(formula, schema, block, words, row);
                return derived_cells((0..block.rows).map(value), &self.form);
            }
            Content::Id(pattern) => return ColumnCells { values: ids(pattern, block), levels: Vec::new() },
        };
        let codes = &block.columns[attribute][..block.rows];
        let missing = codec.missing_code();
        let levels = match self.optional {
            true => codes.iter().map(|&code| i16::from(Some(code) != missing)).collect(),
            false => Vec::new(),
        };
        let bits = &words[attribute * block.rows..][..block.rows];
        let present = (0..block.rows).filter(|&row| Some(codes[row]) != missing);
        let decoded = present.clone().map(|row| match schema {
            None => codec.decode(codes[row], bits[row]),
            Some(schema) => cell(schema, AttrId(attribute as u32), block, words, row),
        });
        let values = match self.form {
            Form::Integer => Values::Integers(decoded.map(whole).collect()),
            Form::Number => Values::Numbers(decoded.map(real).collect()),
            Form::Boolean => Values::Booleans(present.map(|row| codes[row] == 1).collect()),
            Form::Date => Values::Dates(decoded.map(|value| whole(value) as i32).collect()),
            Form::DateTime => Values::Integers(decoded.map(|value| whole(value).saturating_mul(1000)).collect()),
            Form::Words(_) | Form::Text => Values::Words(present.map(|row| codes[row]).collect()),
        };
        ColumnCells { values, levels }
    }
}

fn form_of(formula: &Formula) -> Form {
    match formula.kind() {
        FormulaKind::Number if formula.is_whole() => Form::Integer,
        FormulaKind::Number => Form::Number,
        FormulaKind::Text => Form::Text,
        FormulaKind::Date => Form::Date,
        FormulaKind::DateTime => Form::DateTime,
    }
}

fn derived_cells(cells: impl Iterator<Item = FormulaValue>, form: &Form) -> ColumnCells {
    let (mut levels, mut present) = (Vec::new(), Vec::new());
    for cell in cells {
        levels.push(i16::from(cell != FormulaValue::Missing));
        present.extend((cell != FormulaValue::Missing).then_some(cell));
    }
    let number = |cell: &FormulaValue| match cell {
        FormulaValue::Number(value) => *value,
        FormulaValue::Date(days) => f64::from(*days),
        FormulaValue::DateTime(_) | FormulaValue::Text(_) | FormulaValue::Missing => 0.0,
    };
    let values = match form {
        Form::Integer => Values::Integers(present.iter().map(|cell| number(cell) as i64).collect()),
        Form::Date => Values::Dates(present.iter().map(|cell| number(cell) as i32).collect()),
        Form::DateTime => Values::Integers(present.iter().map(milliseconds).collect()),
        Form::Number | Form::Boolean => Values::Numbers(present.iter().map(number).collect()),
        Form::Words(_) | Form::Text => Values::Texts(present.into_iter().map(text).collect()),
    };
    ColumnCells { values, levels }
}

fn milliseconds(cell: &FormulaValue) -> i64 {
    match cell {
        FormulaValue::DateTime(seconds) => seconds.saturating_mul(1000),
        _ => 0,
    }
}

fn text(cell: FormulaValue) -> Vec<u8> {
    match cell {
        FormulaValue::Text(text) => text.into_bytes(),
        _ => Vec::new(),
    }
}

/// Fresh ids, from 1 on.
fn ids(pattern: Option<&IdPattern>, block: &CodeBlock<'_>) -> Values {
    let numbers = (1..=block.rows as u64).map(|row| block.first_row + row);
    let Some(pattern) = pattern else { return Values::Integers(numbers.map(|number| number as i64).collect()) };
    let text = |number: u64| {
        let mut id = Vec::new();
        pattern.write(number, &mut id);
        id
    };
    Values::Texts(numbers.map(text).collect())
}

fn whole(value: CellValue<'_>) -> i64 {
    match value {
        CellValue::Integer(value) | CellValue::DateTime(value) => value,
        CellValue::Date(days) => i64::from(days),
        CellValue::Missing | CellValue::Number(_) | CellValue::Text(_) => 0,
    }
}

fn real(value: CellValue<'_>) -> f64 {
    match value {
        CellValue::Number(value) => value,
        value => whole(value) as f64,
    }
}

/// The words of all codes that are not missing.
fn words(codec: &Codec) -> Vec<String> {
    let word = |code| match codec.decode(code, 0) {
        CellValue::Text(word) => word.to_owned(),
        _ => String::new(),
    };
    (0..codec.present()).map(word).collect()
}
