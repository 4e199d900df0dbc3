//! Comparisons of one column with values, and the codes they cover. What `[[impossible]]` and
//! `--where` share.

use crate::codec::calendar::{DAY, parse_iso};
use crate::codec::{CodecKind, Meaning, scan};
use crate::{CellValue, Codec};

/// What is asked of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompareOp {
    Less,
    AtMost,
    More,
    AtLeast,
    Equal,
    Unequal,
}

impl CompareOp {
    /// The sign that a text begins with, and what follows it.
    pub(crate) fn strip(text: &str) -> Option<(Self, &str)> {
        let signs = [
            ("<=", Self::AtMost),
            (">=", Self::AtLeast),
            ("<>", Self::Unequal),
            ("!=", Self::Unequal),
            ("==", Self::Equal),
            ("<", Self::Less),
            (">", Self::More),
            ("=", Self::Equal),
        ];
        signs.iter().find_map(|&(sign, operator)| text.strip_prefix(sign).map(|rest| (operator, rest)))
    }

    /// The first and the last value that compare so; "unequal" leaves out what "equal" has.
    pub(crate) fn span(self, point: AxisPoint) -> (AxisPoint, AxisPoint) {
        match self {
            Self::Less => (AxisPoint::LOWEST, point.before()),
            Self::AtMost => (AxisPoint::LOWEST, point),
            Self::More => (point.after(), AxisPoint::HIGHEST),
            Self::AtLeast => (point, AxisPoint::HIGHEST),
            Self::Equal | Self::Unequal => (point, point),
        }
    }
}

/// A place on a column's axis: an integer that ascends with the values, so that neighbouring values
/// differ by 1. Integers, days and seconds are themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct AxisPoint(i128);

impl AxisPoint {
    pub(crate) const LOWEST: Self = Self(i128::MIN);
    pub(crate) const HIGHEST: Self = Self(i128::MAX);

    fn whole(value: i64) -> Self {
        Self(value.into())
    }

    /// The bits of a double without its sign ascend with its size.
    fn real(value: f64) -> Self {
        let size = i128::from(value.abs().to_bits());
        Self(if value < 0.0 { -size } else { size })
    }

    fn before(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// The next place; none comes behind the highest.
    pub(crate) fn after(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The first and the last value of a bin; `None` for words and the missing code.
    pub(crate) fn of_code(codec: &Codec, code: u32) -> Option<(Self, Self)> {
        match codec.meaning(code) {
            Meaning::Integers(first, last) | Meaning::Dates(first, last) | Meaning::DateTimes(first, last) => {
                Some((Self::whole(first), Self::whole(last)))
            }
            Meaning::Numbers(first, last) => Some((Self::real(first), Self::real(last))),
            Meaning::Word(_) | Meaning::Other(_) | Meaning::Missing => None,
        }
    }

    /// The place of a decoded cell; `None` for words and missing cells.
    pub(crate) fn of_cell(cell: &CellValue<'_>) -> Option<Self> {
        match cell {
            CellValue::Integer(value) | CellValue::DateTime(value) => Some(Self::whole(*value)),
            CellValue::Date(days) => Some(Self::whole(i64::from(*days))),
            CellValue::Number(value) => Some(Self::real(*value)),
            CellValue::Text(_) | CellValue::Missing => None,
        }
    }

    /// Reads a value of an ordered column: numbers with a point, dates in ISO form.
    pub(crate) fn read(text: &str, codec: &Codec) -> Option<Self> {
        let bytes = text.trim().as_bytes();
        let seconds = || parse_iso(bytes).and_then(|moment| moment.seconds());
        match codec.kind() {
            CodecKind::Integer(_) => scan::number(bytes, b'.')
                .filter(|value| value.fract() == 0.0)
                .and(scan::integer(bytes, b'.'))
                .map(Self::whole),
            CodecKind::Number(_) => scan::number(bytes, b'.').filter(|value| value.is_finite()).map(Self::real),
            CodecKind::Date(..) => seconds().map(|seconds| Self::whole(seconds.div_euclid(DAY))),
            CodecKind::DateTime(..) => seconds().map(Self::whole),
            CodecKind::Category(_) | CodecKind::Boolean(_) => None,
        }
    }

    /// Reads a value as the column's own cells are written, or else as [`AxisPoint::read`] does.
    pub(crate) fn read_own(text: &str, codec: &Codec) -> Option<Self> {
        let bytes = text.trim().as_bytes();
        let own = match codec.kind() {
            CodecKind::Date(_, format) | CodecKind::DateTime(_, format) => format.parse(bytes).map(Self::whole),
            CodecKind::Number(_) if scan::number(bytes, b'.').is_none() => {
                codec.raw_text(bytes).filter(|value| value.is_finite()).map(Self::real)
            }
            CodecKind::Integer(_) if scan::number(bytes, b'.').is_none() => codec
                .raw_text(bytes)
                .filter(|value| value.fract() == 0.0 && value.abs() < 9e15)
                .map(|value| Self::whole(value as i64)),
            _ => None,
        };
        own.or_else(|| Self::read(text, codec))
    }
}

/// A bin that a comparison would cut in two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CutBin {
    pub code: u32,
}

/// The codes of a column whose values compare so, ascending, the missing code left aside.
pub(crate) fn compared(comparison: CompareOp, point: AxisPoint, codec: &Codec) -> Result<Vec<u32>, CutBin> {
    let (low, high) = comparison.span(point);
    let codes = between(low, high, codec)?;
    Ok(if comparison == CompareOp::Unequal { complement(&codes, codec.present()) } else { codes })
}

/// The codes whose values all lie between two points, both included.
pub(crate) fn between(low: AxisPoint, high: AxisPoint, codec: &Codec) -> Result<Vec<u32>, CutBin> {
    let mut codes = Vec::new();
    for code in 0..codec.present() {
        let Some((first, last)) = AxisPoint::of_code(codec, code) else { continue };
        if last < low || high < first {
            continue;
        }
        if first < low || high < last {
            return Err(CutBin { code });
        }
        codes.push(code);
    }
    Ok(codes)
}

/// The codes below `size` that are not listed. Both lists ascend.
pub(crate) fn complement(codes: &[u32], size: u32) -> Vec<u32> {
    (0..size).filter(|code| codes.binary_search(code).is_err()).collect()
}

/// The code of a word of a category or boolean column. Missing tokens share the look-up tables;
/// only words count here.
pub(crate) fn word_code(text: &str, codec: &Codec) -> Option<u32> {
    match codec.kind() {
        CodecKind::Boolean(words) => {
            let own = words.words().iter().any(|word| word == text || word == text.trim());
            if codec.text_rules().means_missing(text.as_bytes()) && !own {
                return None;
            }
            words.code(text.as_bytes()).filter(|&code| code < 2)
        }
        CodecKind::Category(words) => {
            let code = words.code(text.as_bytes())?;
            (words.word(code) == Some(text) || words.word(code) == Some(text.trim())).then_some(code)
        }
        _ => None,
    }
}
