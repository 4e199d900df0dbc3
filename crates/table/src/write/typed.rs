//! Rows as columns of stored values, for Parquet and Arrow.

use std::collections::HashMap;

use arrow_buffer::i256;
use lookalike_schema::codec::CodecKind;
use lookalike_schema::{
    CellValue, Codec, Formula, FormulaKind, Schema, StoredInteger, StoredKind, StoredLength, StoredType, StoredUnit,
    StoredValue,
};

use super::rows::{CodeBlock, ColumnCells, Content, Values, cell, contents, derived, id_number, io_error, looked_up};
use crate::error::TableError;

/// One output column.
pub(super) struct OutputColumn<'a> {
    pub(super) name: &'a str,
    content: Content<'a>,
    pub(super) stored: StoredType,
    /// The words of all codes, where the column holds words and is stored as such.
    pub(super) words: Option<Vec<String>>,
}

/// The output's columns, in order.
pub(super) fn output_columns(schema: &Schema) -> Vec<OutputColumn<'_>> {
    let stated = schema.columns().iter().filter_map(|column| Some((column.name.as_str(), column.stored.as_ref()?)));
    let stated: HashMap<&str, &StoredType> = stated.collect();
    let column = |(name, content)| OutputColumn::new(name, content, stated.get(name).map(|&stored| stored.clone()));
    contents(schema).into_iter().map(column).collect()
}

impl<'a> OutputColumn<'a> {
    fn new(name: &'a str, content: Content<'a>, stated: Option<StoredType>) -> Self {
        let stored = stated.unwrap_or_else(|| usual(content));
        let words = match content {
            Content::Codes(_, codec) | Content::Rising(_, codec, _) if holds_words(codec, &stored.kind) => {
                Some(words(codec, &stored))
            }
            Content::LookedUp(dependent) if holds_words(dependent.codec(), &stored.kind) => {
                Some(words(dependent.codec(), &stored))
            }
            _ => None,
        };
        Self { name, content, stored, words }
    }

    /// The cells of a block; `words` are those of [`draw`](super::rows::draw).
    pub(super) fn cells(&self, block: &CodeBlock<'_>, words: &[u64]) -> Result<ColumnCells, TableError> {
        let kind = &self.stored.kind;
        let rows = 0..block.rows;
        Ok(match self.content {
            Content::Empty => self.gathered(rows.map(|_| None)),
            Content::Id(rule, schema) => {
                let id = |row| match id_number(rule, schema, block, row) {
                    None => Ok(None),
                    // A number that the type cannot hold is a fault, and no missing cell.
                    Some(number) => kind.id(number, rule.pattern).map(Some).ok_or_else(out_of_ids),
                };
                self.gathered(rows.map(id).collect::<Result<Vec<_>, _>>()?.into_iter())
            }
            Content::Derived(formula, schema) => {
                let decimal = schema.text_rules().decimal;
                self.gathered(rows.map(|row| {
                    let value = derived(formula, schema, block, words, row);
                    kind.derived(formula, &value, decimal)
                }))
            }
            Content::Codes(attribute, codec) if self.words.is_some() => {
                self.coded(&block.columns[attribute][..block.rows], codec)
            }
            Content::LookedUp(dependent) if self.words.is_some() => {
                let codes: Vec<u32> = rows.map(|row| looked_up(dependent, block, row)).collect();
                self.coded(&codes, dependent.codec())
            }
            Content::LookedUp(dependent) => {
                let cell = |row| dependent.cell(looked_up(dependent, block, row));
                self.gathered(rows.map(|row| kind.value(&cell(row), dependent.codec())))
            }
            Content::Codes(attribute, codec) => {
                let bits = &words[attribute * block.rows..][..block.rows];
                let codes = &block.columns[attribute][..block.rows];
                self.gathered(rows.map(|row| kind.value(&codec.decode(codes[row], bits[row]), codec)))
            }
            Content::Rising(attribute, codec, schema) => {
                self.gathered(rows.map(|row| kind.value(&cell(schema, attribute, block, words, row), codec)))
            }
        })
    }

    /// Codes of words.
    fn coded(&self, codes: &[u32], codec: &Codec) -> ColumnCells {
        let missing = codec.missing_code();
        let present = codes.iter().copied().filter(|&code| Some(code) != missing);
        let levels = levels_of(self.stored.nullable, codes.iter().map(|&code| Some(code) != missing));
        match self.stored.nullable {
            true => ColumnCells { values: Values::Words(present.collect()), levels },
            // The word behind all others is the one for a missing cell.
            false => ColumnCells { values: Values::Words(codes.to_vec()), levels },
        }
    }

    /// Values one after the other. Where no cell may be missing, missing ones are told by a value.
    fn gathered(&self, cells: impl Iterator<Item = Option<StoredValue>>) -> ColumnCells {
        let kind = self.stored.kind.plain();
        let mut values = Values::of(kind);
        let mut levels = Vec::new();
        for cell in cells {
            if self.stored.nullable {
                levels.push(i16::from(cell.is_some()));
            }
            match (cell, self.stored.nullable) {
                (Some(value), _) => values.push(value),
                (None, true) => {}
                (None, false) => values.push_missing(),
            }
        }
        ColumnCells { values, levels }
    }
}

impl Values {
    fn of(kind: &StoredKind) -> Self {
        match kind {
            StoredKind::Float(_) => Self::Numbers(Vec::new()),
            StoredKind::Decimal(..) => Self::Decimals(Vec::new()),
            StoredKind::Boolean => Self::Booleans(Vec::new()),
            StoredKind::Text(_) | StoredKind::Binary(_) | StoredKind::Dictionary { .. } => Self::Texts(Vec::new()),
            StoredKind::Integer(_)
            | StoredKind::Date(_)
            | StoredKind::Time(_)
            | StoredKind::Timestamp(..)
            | StoredKind::Null => Self::Integers(Vec::new()),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Integers(values) => values.len(),
            Self::Numbers(values) => values.len(),
            Self::Decimals(values) => values.len(),
            Self::Booleans(values) => values.len(),
            Self::Texts(values) => values.len(),
            Self::Words(values) => values.len(),
        }
    }

    /// Appends a value. A type has one kind of value, so no other comes.
    fn push(&mut self, value: StoredValue) {
        match (self, value) {
            (Self::Integers(values), StoredValue::Integer(value)) => values.push(value),
            (Self::Numbers(values), StoredValue::Float(value)) => values.push(value),
            (Self::Booleans(values), StoredValue::Boolean(value)) => values.push(value),
            (Self::Texts(values), StoredValue::Text(value)) => values.push(value),
            (Self::Decimals(values), StoredValue::Decimal(digits)) => {
                values.push(i256::from_string(&digits).unwrap_or(i256::ZERO));
            }
            (values, _) => values.push_missing(),
        }
    }

    /// Appends what tells a missing cell where there is no other way: no number, and no text.
    fn push_missing(&mut self) {
        match self {
            Self::Integers(values) => values.push(0),
            Self::Numbers(values) => values.push(f64::NAN),
            Self::Decimals(values) => values.push(i256::ZERO),
            Self::Booleans(values) => values.push(false),
            Self::Texts(values) => values.push(Vec::new()),
            Self::Words(_) => {}
        }
    }
}

fn out_of_ids() -> TableError {
    io_error(std::io::Error::other("more rows than its stored type has ids"))
}

fn levels_of(nullable: bool, present: impl Iterator<Item = bool>) -> Vec<i16> {
    if nullable { present.map(i16::from).collect() } else { Vec::new() }
}

/// How a column is stored whose schema does not say it.
fn usual(content: Content<'_>) -> StoredType {
    const WIDE: StoredKind = StoredKind::Integer(StoredInteger { bits: 64, signed: true });
    const TEXT: StoredKind = StoredKind::Text(StoredLength::Usual);
    // Parquet knows no unit above the millisecond.
    const MOMENT: StoredKind = StoredKind::Timestamp(StoredUnit::Milli, None);
    let (kind, nullable) = match content {
        Content::Id(rule, _) => (if rule.pattern.is_some() { TEXT } else { WIDE }, rule.follows.is_some()),
        Content::Empty => (TEXT, true),
        Content::Derived(formula, _) => (usual_of(formula, WIDE, TEXT, MOMENT), true),
        Content::Codes(_, codec) | Content::Rising(_, codec, _) => usual_of_codec(codec, WIDE, TEXT, MOMENT),
        Content::LookedUp(dependent) => usual_of_codec(dependent.codec(), WIDE, TEXT, MOMENT),
    };
    StoredType { nullable, ..StoredType::nullable(kind) }
}

fn usual_of_codec(codec: &Codec, whole: StoredKind, text: StoredKind, moment: StoredKind) -> (StoredKind, bool) {
    let kind = match codec.kind() {
        CodecKind::Integer(_) => whole,
        CodecKind::Number(_) => StoredKind::Float(64),
        CodecKind::Date(..) => StoredKind::Date(32),
        CodecKind::DateTime(..) => moment,
        CodecKind::Boolean(words) if *words.words() == ["false", "true"] => StoredKind::Boolean,
        CodecKind::Boolean(_) | CodecKind::Category(_) => text,
    };
    (kind, codec.missing_code().is_some())
}

fn usual_of(formula: &Formula, whole: StoredKind, text: StoredKind, moment: StoredKind) -> StoredKind {
    match formula.kind() {
        FormulaKind::Number if formula.is_whole() => whole,
        FormulaKind::Number => StoredKind::Float(64),
        FormulaKind::Text => text,
        FormulaKind::Date => StoredKind::Date(32),
        FormulaKind::DateTime => moment,
    }
}

/// Whether the cells are words that are stored as text: their codes are enough.
fn holds_words(codec: &Codec, kind: &StoredKind) -> bool {
    let is_text = matches!(kind.plain(), StoredKind::Text(_) | StoredKind::Binary(_));
    is_text && matches!(codec.kind(), CodecKind::Category(_) | CodecKind::Boolean(_))
}

/// The words of all codes, and an empty one behind them where missing cells have to be told so.
fn words(codec: &Codec, stored: &StoredType) -> Vec<String> {
    let word = |code| match codec.decode(code, 0) {
        CellValue::Text(word) => word.to_owned(),
        _ => String::new(),
    };
    let count = if stored.nullable { codec.present() } else { codec.size() };
    (0..count).map(word).collect()
}
