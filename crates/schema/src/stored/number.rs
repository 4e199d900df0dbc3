//! A cell as a stored value, where its type can hold it.

use super::{StoredKind, StoredUnit};
use crate::codec::calendar::DAY;
use crate::formula::{Formula, FormulaValue};
use crate::{CellValue, Codec, IdPattern, TypedCell};

/// A value as a stored type holds it.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredValue {
    /// Whole numbers, and dates, times and moments in their unit.
    Integer(i64),
    /// Floating-point numbers.
    Float(f64),
    /// All digits of a decimal with its sign, the point left out.
    Decimal(String),
    /// Truth values.
    Boolean(bool),
    /// Text.
    Text(Vec<u8>),
}

impl StoredKind {
    /// A modelled cell as this type holds it; `None` where it is missing, or cannot be held.
    pub fn value(&self, value: &CellValue<'_>, codec: &Codec) -> Option<StoredValue> {
        let plain = self.plain();
        match (plain, value) {
            (_, CellValue::Missing) => None,
            (Self::Integer(_) | Self::Time(_) | Self::Float(_), CellValue::Integer(value)) => plain.whole(*value),
            (Self::Integer(_) | Self::Float(_), CellValue::Number(value)) => plain.real(*value),
            (Self::Date(_) | Self::Timestamp(..), CellValue::Date(days)) => plain.seconds(i64::from(*days) * DAY),
            (Self::Timestamp(..), CellValue::DateTime(seconds)) => plain.seconds(*seconds),
            (Self::Boolean, CellValue::Text(word)) => {
                let code = codec.encode_text(word.as_bytes());
                let codes = [false, true].map(|truth| codec.encode(TypedCell::Boolean(truth)));
                // Words that are no truth values are all read as the same code.
                let told = codes[0] != codes[1] && codes.contains(&code);
                told.then_some(StoredValue::Boolean(code == codes[1]))
            }
            (_, value) => {
                let mut text = Vec::new();
                codec.write_text(value, &mut text);
                plain
                    .read(text, codec.text_rules().decimal, &|cell, text| codec.encode(cell) == codec.encode_text(text))
            }
        }
    }

    /// A cell that follows from others as this type holds it. `decimal` is the mark of the schema.
    pub fn derived(&self, formula: &Formula, value: &FormulaValue, decimal: u8) -> Option<StoredValue> {
        match (self, value) {
            (_, FormulaValue::Missing) => None,
            (Self::Integer(_) | Self::Float(_), FormulaValue::Number(value)) => self.real(*value),
            (Self::Date(_) | Self::Timestamp(..), FormulaValue::Date(days)) => self.seconds(i64::from(*days) * DAY),
            (Self::Timestamp(..), FormulaValue::DateTime(seconds)) => self.seconds(*seconds),
            (kind, value) => {
                let mut text = Vec::new();
                formula.write_text(value, decimal, &mut text);
                kind.read(text, decimal, &|_, _| true)
            }
        }
    }

    /// A fresh id as this type holds it.
    pub fn id(&self, number: u64, pattern: Option<&IdPattern>) -> Option<StoredValue> {
        let mut text = Vec::new();
        match pattern {
            Some(pattern) => pattern.write(number, &mut text),
            None => text.extend_from_slice(number.to_string().as_bytes()),
        }
        self.read(text, b'.', &|_, _| true)
    }

    /// What a text says. `same` tells whether a reader of the typed value would find the same cell.
    fn read(&self, text: Vec<u8>, mark: u8, same: &dyn Fn(TypedCell<'_>, &[u8]) -> bool) -> Option<StoredValue> {
        let word = || std::str::from_utf8(&text).ok();
        match self {
            Self::Text(_) | Self::Binary(_) => Some(StoredValue::Text(text)),
            Self::Integer(_) => {
                let value = word()?.parse().ok().filter(|&value| same(TypedCell::Integer(value), &text))?;
                self.whole(value)
            }
            Self::Float(_) => {
                let value: f64 = word()?.parse().ok().filter(|value: &f64| value.is_finite())?;
                same(TypedCell::Number(value), &text).then(|| self.real(value)).flatten()
            }
            Self::Decimal(_, digits, scale) => {
                let unscaled = unscaled(word()?, mark, usize::from(*scale))?;
                let fits = unscaled.trim_start_matches('-').len() <= usize::from(*digits);
                let value = word()?.replace(char::from(mark), ".").parse().ok()?;
                (fits && same(TypedCell::Number(value), &text)).then_some(StoredValue::Decimal(unscaled))
            }
            _ => None,
        }
    }

    fn whole(&self, value: i64) -> Option<StoredValue> {
        match self {
            Self::Integer(width) => {
                let (low, high) = width.bounds();
                (low..=high).contains(&value).then_some(StoredValue::Integer(value))
            }
            Self::Time(unit) => (0..DAY * unit.per_second()).contains(&value).then_some(StoredValue::Integer(value)),
            // Beyond these, two whole numbers would be one.
            Self::Float(bits) => {
                (value.unsigned_abs() <= exact_wholes(*bits)).then_some(StoredValue::Float(value as f64))
            }
            _ => None,
        }
    }

    fn real(&self, value: f64) -> Option<StoredValue> {
        match self {
            Self::Integer(_) if value.fract() == 0.0 && value.abs() < 9e18 => self.whole(value as i64),
            Self::Float(bits) => (value.abs() <= largest(*bits)).then_some(StoredValue::Float(value)),
            _ => None,
        }
    }

    fn seconds(&self, seconds: i64) -> Option<StoredValue> {
        let in_unit = |unit: StoredUnit| seconds.checked_mul(unit.per_second()).map(StoredValue::Integer);
        match self {
            Self::Date(32) => Some(StoredValue::Integer(seconds.div_euclid(DAY))),
            Self::Date(_) => in_unit(StoredUnit::Milli),
            Self::Timestamp(unit, _) => in_unit(*unit),
            _ => None,
        }
    }
}

/// The digits of a decimal without its point, with that many behind it; `None` where it has more.
fn unscaled(text: &str, mark: u8, scale: usize) -> Option<String> {
    let (sign, text) = text.strip_prefix('-').map_or(("", text), |text| ("-", text));
    let (whole, part) = text.split_once(char::from(mark)).unwrap_or((text, ""));
    let part = part.trim_end_matches('0');
    let plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !plain(whole) || !plain(part) || part.len() > scale {
        return None;
    }
    let digits = format!("{whole}{part:0<scale$}");
    match digits.trim_start_matches('0') {
        "" => Some("0".to_owned()),
        digits => Some(format!("{sign}{digits}")),
    }
}

/// The largest whole number up to which all of them can be told apart.
pub(super) fn exact_wholes(bits: u8) -> u64 {
    match bits {
        16 => 1 << 11,
        32 => 1 << 24,
        _ => 1 << 53,
    }
}

fn largest(bits: u8) -> f64 {
    match bits {
        16 => 65_504.0,
        32 => f64::from(f32::MAX),
        _ => f64::MAX,
    }
}
