//! CellConditions on one column, and the codes they cover.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Codec;
use crate::codec::CodecKind;
use crate::compare::{AxisPoint, CompareOp, CutBin, between, compared, word_code};
use crate::error::Mistake;
use crate::nearest::suggestion;
use crate::plain_value::PlainValue;

/// The word for missing cells in a condition.
pub(crate) const MISSING_WORD: &str = "(missing)";

/// Which cells of a column an impossible combination speaks of, as a schema file words it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields, expecting = "not an [[impossible]] condition")]
pub enum CellCondition {
    /// One value, or an operator and a value: "< 15", "!= 3", "10..15".
    One(PlainValue),
    /// Any of these.
    Any(Vec<PlainValue>),
    /// Missing cells.
    Missing {
        /// Always true: the other cells are not spoken of so.
        missing: bool,
    },
}

impl fmt::Display for CellCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { .. } => f.write_str(MISSING_WORD),
            Self::One(value) => write!(f, "{:?}", value.text()),
            Self::Any(values) => write!(f, "with {} values", values.len()),
        }
    }
}

impl CellCondition {
    /// A NaN is not equal to itself and JSON cannot write it: as text it can only be a category's
    /// word.
    pub(crate) fn without_nan(self) -> Self {
        let finite = |value: PlainValue| match value {
            PlainValue::Number(number) if !number.is_finite() => PlainValue::Text(value.text()),
            _ => value,
        };
        match self {
            Self::One(value) => Self::One(finite(value)),
            Self::Any(values) => Self::Any(values.into_iter().map(finite).collect()),
            Self::Missing { .. } => self,
        }
    }

    /// The codes that the condition covers, ascending. A bin that is cut in two is refused.
    pub(crate) fn codes(&self, codec: &Codec) -> Result<Vec<u32>, Mistake> {
        let mut codes = match self {
            Self::Missing { missing: true } => missing(codec)?,
            Self::Missing { missing: false } => {
                return Err(Mistake::new(
                    "an [[impossible]] condition says missing = false",
                    "write { missing = true }, or list the values",
                ));
            }
            Self::One(value) => value_codes(value, codec)?,
            Self::Any(values) if values.is_empty() => {
                return Err(Mistake::new("an [[impossible]] condition with an empty list", "list at least one value"));
            }
            Self::Any(values) => {
                let mut all = Vec::new();
                for value in values {
                    all.extend(value_codes(value, codec)?);
                }
                all
            }
        };
        codes.sort_unstable();
        codes.dedup();
        Ok(codes)
    }
}

fn missing(codec: &Codec) -> Result<Vec<u32>, Mistake> {
    codec.missing_code().map(|code| vec![code]).ok_or_else(|| {
        Mistake::new("[[impossible]] speaks of missing cells, but the column has no missing code", "say missing = true")
    })
}

fn value_codes(value: &PlainValue, codec: &Codec) -> Result<Vec<u32>, Mistake> {
    let text = value.text();
    match codec.kind() {
        CodecKind::Category(_) | CodecKind::Boolean(_) => word_codes(&text, codec),
        _ if text == MISSING_WORD => missing(codec),
        _ => interval_codes(&text, codec),
    }
}

/// A listed word itself wins over its reading as an operator: `<=50K` is a usual category.
fn word_codes(text: &str, codec: &Codec) -> Result<Vec<u32>, Mistake> {
    if let Some(code) = word_code(text, codec) {
        return Ok(vec![code]);
    }
    if text == MISSING_WORD {
        return missing(codec);
    }
    let (comparison, operand) = split(text);
    match (comparison, word_code(operand, codec)) {
        (CompareOp::Equal, Some(code)) => Ok(vec![code]),
        (CompareOp::Unequal, Some(code)) => Ok((0..codec.present()).filter(|&other| other != code).collect()),
        (CompareOp::Equal | CompareOp::Unequal, None) => {
            let words: Vec<String> = (0..codec.present()).map(|code| codec.label(code)).collect();
            let near = suggestion(operand, words.iter().map(String::as_str));
            Err(Mistake::new(
                format!("[[impossible]] names {operand:?}, which is not one of the column's values{near}"),
                "correct the value, or add it to `values`",
            ))
        }
        _ => Err(Mistake::new(
            format!("[[impossible]] compares with {text:?}, but the column has no order"),
            "list the values: [\"...\", \"...\"]",
        )),
    }
}

fn split(text: &str) -> (CompareOp, &str) {
    let text = text.trim();
    CompareOp::strip(text).map_or((CompareOp::Equal, text), |(operator, operand)| (operator, operand.trim()))
}

fn interval_codes(text: &str, codec: &Codec) -> Result<Vec<u32>, Mistake> {
    let (comparison, operand) = split(text);
    let span = operand.split_once("..").filter(|_| operand == text.trim());
    let found = match span {
        Some((low, high)) => between(point(low, text, codec)?, point(high, text, codec)?, codec),
        None => compared(comparison, point(operand, text, codec)?, codec),
    };
    found.map_err(|CutBin { code }| {
        let help = match codec.kind() {
            CodecKind::Number(_) => "add an edge there (`edges`), or make the value one of `spikes`",
            _ => "add an edge there (`edges`), or move the condition to an edge",
        };
        Mistake::new(format!("the [[impossible]] condition {text:?} cuts the bin {:?} in two", codec.label(code)), help)
    })
}

fn point(operand: &str, text: &str, codec: &Codec) -> Result<AxisPoint, Mistake> {
    AxisPoint::read(operand, codec).ok_or_else(|| {
        Mistake::new(
            format!("the [[impossible]] condition {text:?} is not one for a column of type {:?}", codec.kind_name()),
            "write it as \"< 15\", \"<= 15\", \">= 15\", \"= 15\", \"!= 15\", \"10..15\", a value, a list of values or \"(missing)\" (dates as 2024-03-31)",
        )
    })
}
