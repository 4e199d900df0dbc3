//! From a cell to a code and back. Codecs are data, not closures, so that an engine can turn them
//! into SQL.
//!
//! # The layout of codes
//! 1. the bins of an integer, number, date or datetime column in ascending order (a spike is a bin
//!    with one value in it), or the words of a category or boolean column in the schema's order;
//! 2. the shared word `other` of a category, unless it is one of the listed words;
//! 3. the missing code, when the column has one.
//!
//! # What happens to a cell that does not fit
//! Encoding is total, so that nothing about a record can show. Numbers and dates outside the range
//! are clamped, infinities included. A missing token that lies inside the range, or among the
//! words, is that value; otherwise it gets the missing code. Text that cannot be read, and a NaN,
//! become `other`, else missing, else the first code ([`Schema::warnings`](crate::Schema::warnings)
//! names the columns where that can happen).

mod boolean;
mod cached;
pub(crate) mod calendar;
mod category;
pub(crate) mod clock;
mod covers;
mod encode;
pub(crate) mod format;
pub(crate) mod grid;
mod integer_axis;
mod label;
mod number_axis;
pub(crate) mod number_format;
mod outer;
mod raw;
mod recurring;
mod rule;
pub(crate) mod scan;
mod search;
#[cfg(test)]
mod tests;
mod typed;
mod words;

use std::sync::Arc;

pub use boolean::Booleans;
pub(crate) use boolean::{usual_pair, usual_truth};
pub use category::Categories;
pub use format::{CalendarUnit, TimeFormat};
pub use integer_axis::IntegerAxis;
pub use label::Meaning;
pub(crate) use number_axis::MOST_DECIMALS;
pub use number_axis::NumberAxis;
pub use number_format::NumberFormat;
pub use rule::{CodecRule, RuleForm, RulePiece};
pub(crate) use scan::plain;
pub use typed::TypedCell;

pub(crate) use cached::Cached;

/// A decoded cell in its column's own type.
#[derive(Clone, Debug, PartialEq)]
pub enum CellValue<'a> {
    /// An empty cell.
    Missing,
    /// An integer.
    Integer(i64),
    /// A number, already rounded to the column's decimals.
    Number(f64),
    /// A category's or boolean's word.
    Text(&'a str),
    /// Days since 1970-01-01.
    Date(i32),
    /// Seconds since 1970-01-01T00:00:00, no zone.
    DateTime(i64),
}

impl CellValue<'_> {
    /// The number that the cell is: days or seconds since 1970 for dates and moments.
    pub(crate) fn real(&self) -> Option<f64> {
        match self {
            Self::Integer(value) | Self::DateTime(value) => Some(*value as f64),
            Self::Number(value) => Some(*value),
            Self::Date(days) => Some(f64::from(*days)),
            Self::Missing | Self::Text(_) => None,
        }
    }
}

/// What a column's cells are, with all that coding them takes.
#[derive(Clone, Debug, PartialEq)]
pub enum CodecKind {
    /// Whole numbers.
    Integer(IntegerAxis),
    /// Real numbers.
    Number(NumberAxis),
    /// Listed words.
    Category(Categories),
    /// Two words.
    Boolean(Booleans),
    /// Days since 1970-01-01, and how they are written.
    Date(IntegerAxis, TimeFormat),
    /// Seconds since 1970-01-01T00:00:00, and how they are written.
    DateTime(IntegerAxis, TimeFormat),
}

/// How the whole file writes its cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextRules {
    /// Cells that mean "missing", compared exactly after trimming. The empty cell always does.
    pub missing_tokens: Vec<String>,
    /// The decimal mark: `b'.'` or `b','`.
    pub decimal: u8,
}

impl Default for TextRules {
    fn default() -> Self {
        let missing_tokens = ["", "NA", "N/A", "NaN", "nan", "null", "NULL"].map(str::to_owned).to_vec();
        Self { missing_tokens, decimal: b'.' }
    }
}

impl TextRules {
    /// Whether a cell is empty or a missing token, white space around it left aside.
    pub(crate) fn means_missing(&self, cell: &[u8]) -> bool {
        let cell = scan::trim(cell);
        cell.is_empty() || self.missing_tokens.iter().any(|token| token.as_bytes() == cell)
    }
}

/// How a modelled column's cells become codes `0..size` and back.
#[derive(Clone, Debug, PartialEq)]
pub struct Codec {
    kind: CodecKind,
    has_missing: bool,
    rules: Arc<TextRules>,
    /// How numbers are written, where they are not plain.
    numbers: Option<NumberFormat>,
    sentinels: Cached<Sentinels>,
    /// The codes of missing and of unreadable cells.
    fallback: Cached<(u32, u32)>,
    /// Not compared: the same codes are the same codes.
    binning: Cached<Binning>,
    /// Words behind the labels of its values. Not compared: they follow from the column.
    counted_from: Cached<Option<Arc<str>>>,
}

/// Where the bins of a column come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binning {
    /// The schema states them, or lists words.
    Stated,
    /// The schema leaves them to the program.
    Default,
    /// They are the column's own grid.
    Grid,
}

/// Missing tokens that read as values outside the range, such as 9999.
#[derive(Clone, Default)]
struct Sentinels {
    whole: Vec<i64>,
    real: Vec<f64>,
}

impl Codec {
    /// A codec; `has_missing` gives it a missing code behind all others.
    pub(crate) fn new(kind: CodecKind, has_missing: bool, rules: Arc<TextRules>, binning: Binning) -> Self {
        let sentinels = Cached(Sentinels::find(&kind, &rules));
        let (fallback, binning) = (Cached((0, 0)), Cached(binning));
        let counted_from = Cached(None);
        let mut codec = Self { kind, has_missing, rules, numbers: None, sentinels, fallback, binning, counted_from };
        let missing = codec.missing_code().or(codec.other_code()).unwrap_or(0);
        let unreadable = codec.other_code().or(codec.missing_code()).unwrap_or(0);
        codec.fallback = Cached((missing, unreadable));
        codec
    }

    /// The same codec for cells that are written so.
    pub(crate) fn with_numbers(self, numbers: Option<NumberFormat>) -> Self {
        Self { numbers, ..self }
    }

    /// The same codec for other values, written alike.
    pub(crate) fn with_kind(&self, kind: CodecKind) -> Self {
        Self::new(kind, self.has_missing, self.rules.clone(), self.binning.0).with_numbers(self.numbers.clone())
    }

    /// The same codec with words behind the labels of its values: what they are counted from.
    pub(crate) fn counted_from(self, words: String) -> Self {
        Self { counted_from: Cached(Some(words.into())), ..self }
    }

    /// How numbers are written, where they are not plain.
    pub fn number_format(&self) -> Option<&NumberFormat> {
        self.numbers.as_ref()
    }

    /// The whole number in a text cell.
    #[inline]
    fn read_integer(&self, cell: &[u8]) -> Option<i64> {
        match &self.numbers {
            None => scan::integer(cell, self.rules.decimal),
            Some(format) => format.integer(cell),
        }
    }

    /// The number in a text cell.
    #[inline]
    fn read_number(&self, cell: &[u8]) -> Option<f64> {
        match &self.numbers {
            None => scan::number(cell, self.rules.decimal),
            Some(format) => format.number(cell),
        }
    }

    /// What the column's cells are.
    pub fn kind(&self) -> &CodecKind {
        &self.kind
    }

    /// The word of the schema file for the column's type.
    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            CodecKind::Integer(_) => "integer",
            CodecKind::Number(_) => "number",
            CodecKind::Category(_) => "category",
            CodecKind::Boolean(_) => "boolean",
            CodecKind::Date(..) => "date",
            CodecKind::DateTime(..) => "datetime",
        }
    }

    /// How the file writes its cells.
    pub fn text_rules(&self) -> &TextRules {
        &self.rules
    }

    /// Number of codes, missing and other included.
    pub fn size(&self) -> u32 {
        self.present() + u32::from(self.has_missing)
    }

    /// Number of codes without the missing one.
    pub fn present(&self) -> u32 {
        match &self.kind {
            CodecKind::Integer(axis) | CodecKind::Date(axis, _) | CodecKind::DateTime(axis, _) => axis.len(),
            CodecKind::Number(axis) => axis.len(),
            CodecKind::Category(words) => words.len(),
            CodecKind::Boolean(_) => 2,
        }
    }

    /// Whether the codes before the missing one ascend with the values.
    pub fn is_ordered(&self) -> bool {
        match &self.kind {
            CodecKind::Category(words) => words.is_ordered(),
            _ => true,
        }
    }

    /// Whether the codes are the column's own grid: a code a value, since nobody stated bins.
    pub fn is_on_grid(&self) -> bool {
        self.binning.0 == Binning::Grid
    }

    /// Whether nobody stated bins of a column of numbers or dates: it is on its grid, or could be.
    pub fn has_open_bins(&self) -> bool {
        self.binning.0 != Binning::Stated
    }

    pub(crate) fn binning(&self) -> Binning {
        self.binning.0
    }

    /// The code of missing cells, when the column has one.
    pub fn missing_code(&self) -> Option<u32> {
        self.has_missing.then(|| self.present())
    }

    /// The code of unlisted words, when the column has a word for them.
    pub fn other_code(&self) -> Option<u32> {
        match &self.kind {
            CodecKind::Category(words) => words.other_code(),
            _ => None,
        }
    }

    /// A value for the code; `bits` are uniform and pick a place inside a bin. No libm, same on
    /// every platform. A code that the column does not have is decoded as missing.
    pub fn decode(&self, code: u32, bits: u64) -> CellValue<'_> {
        if code >= self.present() {
            return CellValue::Missing;
        }
        match &self.kind {
            CodecKind::Integer(axis) => CellValue::Integer(axis.value(code, bits)),
            CodecKind::Number(axis) => CellValue::Number(axis.value(code, bits)),
            CodecKind::Category(words) => words.word(code).map_or(CellValue::Missing, CellValue::Text),
            CodecKind::Boolean(words) => CellValue::Text(&words.words()[code as usize]),
            CodecKind::Date(axis, _) => CellValue::Date(axis.value(code, bits) as i32),
            CodecKind::DateTime(axis, _) => CellValue::DateTime(axis.value(code, bits)),
        }
    }

    /// Appends the cell's text (not CSV-quoted) for a value of this column; an empty cell appends
    /// nothing, and neither does a value that only another type of column has.
    pub fn write_text(&self, value: &CellValue<'_>, out: &mut Vec<u8>) {
        let start = out.len();
        match (value, &self.kind) {
            (CellValue::Integer(value), _) => scan::write_integer(*value, out),
            (CellValue::Number(value), CodecKind::Number(axis)) => axis.write(*value, self.rules.decimal, out),
            (CellValue::Text(word), _) => out.extend_from_slice(word.as_bytes()),
            (CellValue::Date(days), CodecKind::Date(_, format)) => format.write(i64::from(*days), out),
            (CellValue::DateTime(seconds), CodecKind::DateTime(_, format)) => format.write(*seconds, out),
            _ => {}
        }
        if let Some(format) = self.numbers.as_ref().filter(|_| out.len() > start) {
            format.dress(start, out);
        }
    }
}

impl Sentinels {
    fn find(kind: &CodecKind, rules: &TextRules) -> Self {
        let tokens = || rules.missing_tokens.iter().map(String::as_bytes);
        let whole = |axis: &IntegerAxis, read: &dyn Fn(&[u8]) -> Option<i64>| {
            let whole = tokens().filter_map(read).filter(|&value| !axis.contains(value)).collect();
            Self { whole, real: vec![] }
        };
        match kind {
            CodecKind::Integer(axis) => whole(axis, &|token| scan::integer(token, rules.decimal)),
            CodecKind::Date(axis, format) | CodecKind::DateTime(axis, format) => {
                whole(axis, &|token| format.parse(token))
            }
            CodecKind::Number(axis) => {
                let real = tokens().filter_map(|token| scan::number(token, rules.decimal));
                Self { whole: vec![], real: real.filter(|&value| !axis.contains(value)).collect() }
            }
            CodecKind::Category(_) | CodecKind::Boolean(_) => Self::default(),
        }
    }
}
