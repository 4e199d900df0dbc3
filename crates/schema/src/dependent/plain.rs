//! Codes as plain values of a schema file, and back.

use crate::codec::calendar::{DAY, iso_text, parse_iso, write_iso_date, write_iso_datetime};
use crate::codec::{CodecKind, Meaning};
use crate::compare::word_code;
use crate::{CellValue, Codec, PlainValue};

/// The place inside of bins that are wider than a value: the middle, in every row.
pub(super) const MIDDLE: u64 = 1 << 63;

/// What a code stands for. A missing cell is the empty text, which is a value of no column.
pub(super) fn plain_value(codec: &Codec, code: u32) -> PlainValue {
    match codec.decode(code, MIDDLE) {
        CellValue::Missing => PlainValue::Text(String::new()),
        CellValue::Integer(value) => PlainValue::Integer(value),
        CellValue::Number(value) => PlainValue::Number(value + 0.0),
        CellValue::Text(word) => PlainValue::Text(word.to_owned()),
        CellValue::Date(days) => PlainValue::Text(iso_text(write_iso_date, i64::from(days))),
        CellValue::DateTime(seconds) => PlainValue::Text(iso_text(write_iso_datetime, seconds)),
    }
}

/// The code that stands for a value, if one stands for exactly this one.
pub(super) fn code_of(codec: &Codec, value: &PlainValue) -> Option<u32> {
    let text = value.text();
    if text.is_empty() {
        return codec.missing_code();
    }
    let seconds = || parse_iso(text.as_bytes()).and_then(|moment| moment.seconds());
    let number = || match value {
        PlainValue::Integer(value) => Some(*value as f64),
        PlainValue::Number(value) => Some(*value).filter(|value| value.is_finite()),
        _ => None,
    };
    let code = match codec.kind() {
        CodecKind::Category(_) | CodecKind::Boolean(_) => return word_code(&text, codec),
        CodecKind::Integer(axis) => match value {
            PlainValue::Integer(value) => axis.bin(*value),
            _ => axis.bin(number().filter(|value| value.fract() == 0.0 && value.abs() < 9e15)? as i64),
        },
        CodecKind::Number(axis) => axis.bin(number()?),
        CodecKind::Date(axis, _) => axis.bin(seconds()?.div_euclid(DAY)),
        CodecKind::DateTime(axis, _) => axis.bin(seconds()?),
    };
    let same = match (codec.decode(code, MIDDLE), value) {
        (CellValue::Integer(own), PlainValue::Integer(value)) => own == *value,
        (CellValue::Integer(own), _) => Some(own as f64) == number(),
        (CellValue::Number(own), _) => Some(own) == number(),
        (CellValue::Date(own), _) => Some(i64::from(own)) == seconds().map(|seconds| seconds.div_euclid(DAY)),
        (CellValue::DateTime(own), _) => Some(own) == seconds(),
        _ => false,
    };
    same.then_some(code)
}

/// Whether each code stands for one value.
pub(super) fn has_single_values(codec: &Codec) -> bool {
    (0..codec.present()).all(|code| match codec.meaning(code) {
        Meaning::Integers(low, high) | Meaning::Dates(low, high) | Meaning::DateTimes(low, high) => low == high,
        Meaning::Numbers(low, high) => low == high,
        Meaning::Word(_) | Meaning::Other(_) | Meaning::Missing => true,
    })
}
