//! A value as it is stored, what it means, and its code, text or number.

use std::fmt::Display;
use std::io::Write;

use arrow_buffer::i256;
use lookalike_schema::{Codec, TypedCell};

/// A value as a file or a batch stores it.
#[derive(Clone, Copy)]
pub(in crate::read) enum Stored<'a> {
    Missing,
    Boolean(bool),
    /// A whole number of 32 bits. Shorter ones are stored so, too.
    Int32(i32),
    Int64(i64),
    Single(f32),
    Double(f64),
    /// Nanoseconds since 1970-01-01T00:00:00, of Parquet's old kind of timestamp.
    Nanos(i128),
    /// Text, or what the meaning says: a decimal in big-endian order, a half.
    Bytes(&'a [u8]),
}

impl<'a> Stored<'a> {
    /// What the value says, as its column means it.
    #[inline]
    pub(in crate::read) fn cell(self, meaning: Meaning) -> TypedCell<'a> {
        match self {
            Self::Missing => TypedCell::Missing,
            Self::Boolean(value) => TypedCell::Boolean(value),
            Self::Int32(value) => meaning.integer(i64::from(value), 32),
            Self::Int64(value) => meaning.integer(value, 64),
            Self::Single(value) => TypedCell::Number(single(value)),
            Self::Double(value) => TypedCell::Number(value),
            Self::Nanos(nanos) => TypedCell::DateTime(nanos.div_euclid(1_000_000_000) as i64),
            Self::Bytes(bytes) => meaning.bytes(bytes),
        }
    }
}

/// The value's code, certainly below the codec's size.
pub(in crate::read) fn code_of(cell: TypedCell<'_>, codec: &Codec) -> u32 {
    codec.encode(cell).min(codec.size() - 1)
}

/// The number that the value is, neither clamped nor binned; a NaN when it is missing.
pub(in crate::read) fn number_of(cell: TypedCell<'_>, codec: Option<&Codec>) -> f64 {
    codec.and_then(|codec| codec.raw(cell)).unwrap_or(f64::NAN)
}

/// Appends the value as a CSV file would write it.
pub(in crate::read) fn write_text(cell: TypedCell<'_>, out: &mut Vec<u8>) {
    // Writing to a vector cannot fail.
    let _ = match cell {
        TypedCell::Missing => Ok(()),
        TypedCell::Integer(value) => write!(out, "{value}"),
        TypedCell::Number(value) => write!(out, "{value}"),
        TypedCell::Boolean(value) => write!(out, "{value}"),
        TypedCell::Date(days) => write_date(days, out),
        TypedCell::DateTime(seconds) => {
            let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
            write_date(days, out)
                .and_then(|()| write!(out, "T{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60))
        }
        TypedCell::Text(bytes) => out.write_all(bytes),
    };
}

pub(in crate::read) fn write_date(days: i64, out: &mut Vec<u8>) -> std::io::Result<()> {
    // Days in eras of 400 years that begin on 1 March, so that the leap day comes last.
    let shifted = i128::from(days) + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, next) = (day - (153 * month + 2) / 5 + 1, i128::from(month >= 10));
    write!(out, "{:04}-{:02}-{day:02}", year + era * 400 + next, if month < 10 { month + 3 } else { month - 9 })
}

/// How the values of a column are to be understood, from the file's or the batch's schema alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::read) enum Meaning {
    Integer,
    Unsigned,
    Number,
    Half,
    Decimal {
        scale: u32,
    },
    Boolean,
    Date,
    /// Units in a second.
    Timestamp(i64),
    Text,
}

impl Meaning {
    pub(in crate::read) fn integer(self, value: i64, bits: u32) -> TypedCell<'static> {
        match self {
            Self::Unsigned if bits == 32 => TypedCell::Integer(i64::from(value as u32)),
            Self::Unsigned => TypedCell::Integer(i64::try_from(value as u64).unwrap_or(i64::MAX)),
            Self::Date => TypedCell::Date(value),
            Self::Timestamp(units) => TypedCell::DateTime(value.div_euclid(units)),
            Self::Decimal { scale } => decimal(i128::from(value), scale),
            _ => TypedCell::Integer(value),
        }
    }

    pub(in crate::read) fn bytes(self, bytes: &[u8]) -> TypedCell<'_> {
        match self {
            Self::Decimal { scale } => match big_endian(bytes) {
                Some(value) => decimal(value, scale),
                None => TypedCell::Number(wide_decimal(bytes, scale)),
            },
            Self::Half => match bytes {
                &[low, high] => TypedCell::Number(half(u16::from_le_bytes([low, high]))),
                _ => TypedCell::Missing,
            },
            _ => TypedCell::Text(bytes),
        }
    }
}

/// A decimal as a CSV file would have it read: the number that is nearest to its digits.
fn decimal(value: i128, scale: u32) -> TypedCell<'static> {
    if scale == 0 {
        return TypedCell::Integer(value.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64);
    }
    // Both are exact up to here, so their quotient is rounded once.
    let exact = value.unsigned_abs() <= 1 << 53 && scale <= 22;
    TypedCell::Number(if exact { value as f64 / 10f64.powi(scale as i32) } else { nearest(value, scale) })
}

/// The number that is nearest to a decimal of any length.
fn nearest(digits: impl Display, scale: u32) -> f64 {
    format!("{digits}e-{scale}").parse().unwrap_or(f64::NAN)
}

fn wide_decimal(bytes: &[u8], scale: u32) -> f64 {
    let negative = bytes.first().is_some_and(|&byte| byte >= 0x80);
    let mut wide = [if negative { 0xff } else { 0 }; 32];
    match bytes.len() {
        length @ ..=32 => {
            wide[32 - length..].copy_from_slice(bytes);
            nearest(i256::from_be_bytes(wide), scale)
        }
        _ => wide_big_endian(bytes) / 10f64.powi(scale as i32),
    }
}

/// A two's-complement number of up to 16 bytes.
pub(in crate::read) fn big_endian(bytes: &[u8]) -> Option<i128> {
    if bytes.len() > 16 {
        return None;
    }
    let sign = if bytes.first().is_some_and(|&byte| byte >= 0x80) { -1 } else { 0 };
    Some(bytes.iter().fold(sign, |value, &byte| value << 8 | i128::from(byte)))
}

/// A two's-complement number of any length, rounded at each byte: no program writes such decimals.
fn wide_big_endian(bytes: &[u8]) -> f64 {
    let negative = bytes.first().is_some_and(|&byte| byte >= 0x80);
    let magnitude =
        bytes.iter().fold(0.0, |value, &byte| value * 256.0 + f64::from(if negative { !byte } else { byte }));
    if negative { -magnitude - 1.0 } else { magnitude }
}

pub(in crate::read) fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    }
}

/// A 32-bit number as the decimal that a CSV file would show for it: 0.7 and not 0.699999988079071.
pub(in crate::read) fn single(value: f32) -> f64 {
    if value == value.trunc() || !value.is_finite() {
        return f64::from(value);
    }
    let mut text = [0u8; 32];
    let mut rest = &mut text[..];
    if write!(rest, "{value:e}").is_err() {
        return f64::from(value);
    }
    let unused = rest.len();
    let written = &text[..text.len() - unused];
    std::str::from_utf8(written).ok().and_then(|text| text.parse().ok()).unwrap_or(f64::from(value))
}
