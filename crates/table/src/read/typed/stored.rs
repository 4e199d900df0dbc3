//! A value as it is stored, what it means, and its code, text or number.

use std::io::Write;

use lookalike_schema::Codec;

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
    pub(in crate::read) fn scalar(self, meaning: Meaning) -> Scalar<'a> {
        match self {
            Self::Missing => Scalar::Missing,
            Self::Boolean(value) => Scalar::Boolean(value),
            Self::Int32(value) => meaning.integer(i64::from(value), 32),
            Self::Int64(value) => meaning.integer(value, 64),
            Self::Single(value) => Scalar::Number(single(value)),
            Self::Double(value) => Scalar::Number(value),
            Self::Nanos(nanos) => Scalar::DateTime(nanos.div_euclid(1_000_000_000) as i64),
            Self::Bytes(bytes) => meaning.bytes(bytes),
        }
    }
}

/// What one value says.
#[derive(Clone, Copy)]
pub(in crate::read) enum Scalar<'a> {
    Missing,
    Integer(i64),
    Number(f64),
    Boolean(bool),
    /// Days since 1970-01-01.
    Date(i64),
    /// Seconds since 1970-01-01T00:00:00.
    DateTime(i64),
    /// Text, or bytes that may be text.
    Text(&'a [u8]),
}

impl Scalar<'_> {
    /// The value's code, certainly below the codec's size.
    pub(in crate::read) fn code(self, codec: &Codec) -> u32 {
        let code = match self {
            Self::Missing => codec.encode_missing(),
            Self::Integer(value) => codec.encode_integer(value),
            Self::Number(value) => codec.encode_number(value),
            Self::Boolean(value) => codec.encode_boolean(value),
            Self::Date(days) => codec.encode_date(days),
            Self::DateTime(seconds) => codec.encode_datetime(seconds),
            Self::Text(bytes) => codec.encode_text(bytes),
        };
        code.min(codec.size() - 1)
    }

    /// The number that the value is, neither clamped nor binned; a NaN when it is missing.
    pub(in crate::read) fn number(self, codec: Option<&Codec>) -> f64 {
        let Some(codec) = codec else { return f64::NAN };
        let number = match self {
            Self::Missing => None,
            Self::Integer(value) => codec.raw_integer(value),
            Self::Number(value) => codec.raw_number(value),
            Self::Boolean(value) => codec.raw_boolean(value),
            Self::Date(days) => codec.raw_date(days),
            Self::DateTime(seconds) => codec.raw_datetime(seconds),
            Self::Text(bytes) => codec.raw_text(bytes),
        };
        number.unwrap_or(f64::NAN)
    }

    /// Appends the value as a CSV file would write it.
    pub(in crate::read) fn write_text(self, out: &mut Vec<u8>) {
        // Writing to a vector cannot fail.
        let _ = match self {
            Self::Missing => Ok(()),
            Self::Integer(value) => write!(out, "{value}"),
            Self::Number(value) => write!(out, "{value}"),
            Self::Boolean(value) => write!(out, "{value}"),
            Self::Date(days) => write_date(days, out),
            Self::DateTime(seconds) => {
                let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
                write_date(days, out)
                    .and_then(|()| write!(out, "T{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60))
            }
            Self::Text(bytes) => out.write_all(bytes),
        };
    }
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
    pub(in crate::read) fn integer(self, value: i64, bits: u32) -> Scalar<'static> {
        match self {
            Self::Unsigned if bits == 32 => Scalar::Integer(i64::from(value as u32)),
            Self::Unsigned => Scalar::Integer(i64::try_from(value as u64).unwrap_or(i64::MAX)),
            Self::Date => Scalar::Date(value),
            Self::Timestamp(units) => Scalar::DateTime(value.div_euclid(units)),
            Self::Decimal { scale } => decimal(i128::from(value), scale),
            _ => Scalar::Integer(value),
        }
    }

    pub(in crate::read) fn bytes(self, bytes: &[u8]) -> Scalar<'_> {
        match self {
            Self::Decimal { scale } => match big_endian(bytes) {
                Some(value) => decimal(value, scale),
                None => Scalar::Number(wide_big_endian(bytes) / 10f64.powi(scale as i32)),
            },
            Self::Half => match bytes {
                &[low, high] => Scalar::Number(half(u16::from_le_bytes([low, high]))),
                _ => Scalar::Missing,
            },
            _ => Scalar::Text(bytes),
        }
    }
}

fn decimal(value: i128, scale: u32) -> Scalar<'static> {
    if scale == 0 {
        return Scalar::Integer(value.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64);
    }
    Scalar::Number(value as f64 / 10f64.powi(scale as i32))
}

/// A two's-complement number of up to 16 bytes.
pub(in crate::read) fn big_endian(bytes: &[u8]) -> Option<i128> {
    if bytes.len() > 16 {
        return None;
    }
    let sign = if bytes.first().is_some_and(|&byte| byte >= 0x80) { -1 } else { 0 };
    Some(bytes.iter().fold(sign, |value, &byte| value << 8 | i128::from(byte)))
}

/// A two's-complement number of any length, rounded.
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
