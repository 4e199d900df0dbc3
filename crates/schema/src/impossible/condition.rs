//! Conditions on one column, and the codes they cover.

use std::fmt;

use crate::Codec;
use crate::codec::{CodecKind, plain};
use crate::compare::{AxisPoint, CompareOp, CutBin, between, compared, word_code};
use crate::error::Mistake;
use crate::nearest::suggestion;

/// The word for missing cells in a condition.
pub(crate) const MISSING_WORD: &str = "(missing)";

/// A condition as the file words it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Condition {
    /// One value, or an operator and a value.
    One(Scalar),
    /// Any of these.
    Any(Vec<Scalar>),
    /// Missing cells.
    Missing,
}

/// A plain value of a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Scalar {
    Text(String),
    Integer(i64),
    Number(f64),
    Boolean(bool),
}

impl Scalar {
    /// The text that a cell with this value has.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Integer(value) => value.to_string(),
            Self::Number(value) => plain(*value),
            Self::Boolean(value) => value.to_string(),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str(MISSING_WORD),
            Self::One(scalar) => write!(f, "{:?}", scalar.text()),
            Self::Any(scalars) => write!(f, "with {} values", scalars.len()),
        }
    }
}

impl Condition {
    /// The codes that the condition covers, ascending. A bin that is cut in two is refused.
    pub(crate) fn codes(&self, codec: &Codec) -> Result<Vec<u32>, Mistake> {
        let mut codes = match self {
            Self::Missing => missing(codec)?,
            Self::One(scalar) => scalar_codes(scalar, codec)?,
            Self::Any(scalars) if scalars.is_empty() => {
                return Err(Mistake::new("an [[impossible]] condition with an empty list", "list at least one value"));
            }
            Self::Any(scalars) => {
                let mut all = Vec::new();
                for scalar in scalars {
                    all.extend(scalar_codes(scalar, codec)?);
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

fn scalar_codes(scalar: &Scalar, codec: &Codec) -> Result<Vec<u32>, Mistake> {
    let text = scalar.text();
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
    let operators = [
        ("<=", CompareOp::AtMost),
        (">=", CompareOp::AtLeast),
        ("!=", CompareOp::Unequal),
        ("==", CompareOp::Equal),
        ("<", CompareOp::Less),
        (">", CompareOp::More),
        ("=", CompareOp::Equal),
    ];
    let found =
        operators.iter().find_map(|&(sign, comparison)| text.strip_prefix(sign).map(|rest| (comparison, rest.trim())));
    found.unwrap_or((CompareOp::Equal, text))
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
