//! Conditions on one column, and the codes they cover.

use std::fmt;

use crate::Codec;
use crate::codec::{Kind, Meaning, plain, scan};
use crate::error::Fault;
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

/// What a text asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Less,
    AtMost,
    More,
    AtLeast,
    Equal,
    Unequal,
}

impl Condition {
    /// The codes that the condition covers, ascending. A bin that is cut in two is refused.
    pub(crate) fn codes(&self, codec: &Codec) -> Result<Vec<u32>, Fault> {
        let mut codes = match self {
            Self::Missing => missing(codec)?,
            Self::One(scalar) => scalar_codes(scalar, codec)?,
            Self::Any(scalars) if scalars.is_empty() => {
                return Err(Fault::new("an [[impossible]] condition with an empty list", "list at least one value"));
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

fn missing(codec: &Codec) -> Result<Vec<u32>, Fault> {
    codec.missing_code().map(|code| vec![code]).ok_or_else(|| {
        Fault::new("[[impossible]] speaks of missing cells, but the column has no missing code", "say missing = true")
    })
}

fn scalar_codes(scalar: &Scalar, codec: &Codec) -> Result<Vec<u32>, Fault> {
    let text = scalar.text();
    match codec.kind() {
        Kind::Category(_) | Kind::Boolean(_) => word_codes(&text, codec),
        _ if text == MISSING_WORD => missing(codec),
        _ => interval_codes(&text, codec),
    }
}

/// A listed word itself wins over its reading as an operator: `<=50K` is a usual category.
fn word_codes(text: &str, codec: &Codec) -> Result<Vec<u32>, Fault> {
    if let Some(code) = word_code(text, codec) {
        return Ok(vec![code]);
    }
    if text == MISSING_WORD {
        return missing(codec);
    }
    let (comparison, operand) = split(text);
    match (comparison, word_code(operand, codec)) {
        (Comparison::Equal, Some(code)) => Ok(vec![code]),
        (Comparison::Unequal, Some(code)) => Ok((0..codec.present()).filter(|&other| other != code).collect()),
        (Comparison::Equal | Comparison::Unequal, None) => {
            let words: Vec<String> = (0..codec.present()).map(|code| codec.label(code)).collect();
            let near = suggestion(operand, words.iter().map(String::as_str));
            Err(Fault::new(
                format!("[[impossible]] names {operand:?}, which is not one of the column's values{near}"),
                "correct the value, or add it to `values`",
            ))
        }
        _ => Err(Fault::new(
            format!("[[impossible]] compares with {text:?}, but the column has no order"),
            "list the values: [\"...\", \"...\"]",
        )),
    }
}

fn word_code(text: &str, codec: &Codec) -> Option<u32> {
    match codec.kind() {
        Kind::Boolean(words) => words.code(text.as_bytes()).filter(|&code| code < 2),
        Kind::Category(words) => {
            let code = words.code(text.as_bytes())?;
            // Missing tokens share the look-up table; only the words themselves count here.
            (words.word(code) == Some(text) || words.word(code) == Some(text.trim())).then_some(code)
        }
        _ => None,
    }
}

fn split(text: &str) -> (Comparison, &str) {
    let text = text.trim();
    let operators = [
        ("<=", Comparison::AtMost),
        (">=", Comparison::AtLeast),
        ("!=", Comparison::Unequal),
        ("==", Comparison::Equal),
        ("<", Comparison::Less),
        (">", Comparison::More),
        ("=", Comparison::Equal),
    ];
    let found =
        operators.iter().find_map(|&(sign, comparison)| text.strip_prefix(sign).map(|rest| (comparison, rest.trim())));
    found.unwrap_or((Comparison::Equal, text))
}

fn interval_codes(text: &str, codec: &Codec) -> Result<Vec<u32>, Fault> {
    let (comparison, operand) = split(text);
    let between = operand.split_once("..").filter(|_| operand == text.trim());
    let (low, high, inverted) = match between {
        Some((low, high)) => (point(low, text, codec)?, point(high, text, codec)?, false),
        None => {
            let point = point(operand, text, codec)?;
            match comparison {
                Comparison::Less => (Point::lowest(codec), point.before(), false),
                Comparison::AtMost => (Point::lowest(codec), point, false),
                Comparison::More => (point.after(), Point::highest(codec), false),
                Comparison::AtLeast => (point, Point::highest(codec), false),
                Comparison::Equal => (point, point, false),
                Comparison::Unequal => (point, point, true),
            }
        }
    };
    let mut codes = Vec::new();
    for code in 0..codec.present() {
        let Some((first, last)) = Point::of_code(codec, code) else { continue };
        if last.below(low) || high.below(first) {
            if inverted {
                codes.push(code);
            }
        } else if !first.below(low) && !high.below(last) {
            if !inverted {
                codes.push(code);
            }
        } else {
            let mend = match codec.kind() {
                Kind::Number(_) => "add an edge there (`edges`), or make the value one of `spikes`",
                _ => "add an edge there (`edges`), or move the condition to an edge",
            };
            return Err(Fault::new(
                format!("the [[impossible]] condition {text:?} cuts the bin {:?} in two", codec.label(code)),
                mend,
            ));
        }
    }
    Ok(codes)
}

/// A place on a column's axis.
#[derive(Clone, Copy, Debug)]
enum Point {
    Whole(i128),
    Real(f64),
}

impl Point {
    fn lowest(codec: &Codec) -> Self {
        if matches!(codec.kind(), Kind::Number(_)) { Self::Real(f64::NEG_INFINITY) } else { Self::Whole(i128::MIN) }
    }

    fn highest(codec: &Codec) -> Self {
        if matches!(codec.kind(), Kind::Number(_)) { Self::Real(f64::INFINITY) } else { Self::Whole(i128::MAX) }
    }

    fn before(self) -> Self {
        match self {
            Self::Whole(value) => Self::Whole(value - 1),
            Self::Real(value) => Self::Real(value.next_down()),
        }
    }

    fn after(self) -> Self {
        match self {
            Self::Whole(value) => Self::Whole(value + 1),
            Self::Real(value) => Self::Real(value.next_up()),
        }
    }

    fn below(self, other: Self) -> bool {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => a < b,
            (Self::Real(a), Self::Real(b)) => a < b,
            _ => false,
        }
    }

    fn of_code(codec: &Codec, code: u32) -> Option<(Self, Self)> {
        match codec.meaning(code) {
            Meaning::Integers(first, last) | Meaning::Dates(first, last) => {
                Some((Self::Whole(first.into()), Self::Whole(last.into())))
            }
            Meaning::DateTimes(first, last) => Some((Self::Whole(first.into()), Self::Whole(last.into()))),
            Meaning::Numbers(first, last) => Some((Self::Real(first), Self::Real(last))),
            Meaning::Word(_) | Meaning::Other(_) | Meaning::Missing => None,
        }
    }
}

fn point(operand: &str, text: &str, codec: &Codec) -> Result<Point, Fault> {
    let bytes = operand.trim().as_bytes();
    let found = match codec.kind() {
        Kind::Integer(_) => scan::number(bytes, b'.')
            .filter(|value| value.fract() == 0.0)
            .and(scan::integer(bytes, b'.'))
            .map(|v| Point::Whole(v.into())),
        Kind::Number(_) => scan::number(bytes, b'.').filter(|value| value.is_finite()).map(Point::Real),
        Kind::Date(..) => crate::codec::calendar::parse_iso(bytes)
            .and_then(|moment| moment.seconds())
            .map(|seconds| Point::Whole(seconds.div_euclid(crate::codec::calendar::DAY).into())),
        Kind::DateTime(..) => crate::codec::calendar::parse_iso(bytes)
            .and_then(|moment| moment.seconds())
            .map(|seconds| Point::Whole(seconds.into())),
        Kind::Category(_) | Kind::Boolean(_) => None,
    };
    found.ok_or_else(|| {
        Fault::new(
            format!("the [[impossible]] condition {text:?} is not one for a column of type {:?}", codec.kind_name()),
            "write it as \"< 15\", \"<= 15\", \">= 15\", \"= 15\", \"!= 15\", \"10..15\", a value, a list of values or \"(missing)\" (dates as 2024-03-31)",
        )
    })
}
