//! The exact text of a stored value: what a CSV file of the same table shows for it. Different
//! values have different texts.
//!
//! | stored as | text |
//! |---|---|
//! | boolean | `true`, `false` |
//! | whole numbers, signed or not | all digits |
//! | decimals | all digits, as many behind the point as the scale says |
//! | 16, 32 and 64 bit fractions | the shortest digits that are read back as the same number, as Python writes them: `7.0`, `0.1`, `1e+16`; zero has no sign |
//! | dates | `2024-02-29` |
//! | timestamps | `2024-02-29T12:00:00`, and as much of a fraction as is not zero |
//! | text and bytes | as they are |

use std::fmt::{Display, LowerExp};
use std::io::Write;

use super::stored::{Meaning, Stored, big_endian, half, write_date};

const NANOS: i128 = 1_000_000_000;

/// Decimals of more bytes than this are bytes: turning them into digits would take long, and nobody
/// has such numbers.
const LONGEST_DECIMAL: usize = 128;
/// More zeros than this behind the point are told by a power of ten.
const MOST_ZEROS: usize = 1000;

/// Appends the text of a value, which a missing one lacks.
pub(in crate::read) fn write_exact(value: Stored<'_>, meaning: Meaning, out: &mut Vec<u8>) {
    match value {
        Stored::Missing => {}
        Stored::Boolean(value) => out.extend_from_slice(if value { b"true" } else { b"false" }),
        Stored::Int32(value) => integer(meaning, i64::from(value), 32, out),
        Stored::Int64(value) => integer(meaning, value, 64, out),
        Stored::Single(value) => fraction(value, out),
        Stored::Double(value) => fraction(value, out),
        Stored::Nanos(nanos) => timestamp(nanos, out),
        Stored::Bytes(value) => bytes(meaning, value, out),
    }
}

/// Appends a whole number of that many bits, as the column means it.
fn integer(meaning: Meaning, value: i64, bits: u32, out: &mut Vec<u8>) {
    // Writing to a vector cannot fail.
    let _ = match meaning {
        Meaning::Unsigned if bits == 32 => write!(out, "{}", value as u32),
        Meaning::Unsigned => write!(out, "{}", value as u64),
        Meaning::Date => write_date(value, out),
        Meaning::Timestamp(units) => {
            timestamp(i128::from(value) * (NANOS / i128::from(units)), out);
            Ok(())
        }
        Meaning::Decimal { scale } => {
            decimal(value < 0, value.unsigned_abs().to_string().as_bytes(), scale, out);
            Ok(())
        }
        _ => write!(out, "{value}"),
    };
}

/// Appends what bytes mean.
fn bytes(meaning: Meaning, bytes: &[u8], out: &mut Vec<u8>) {
    match (meaning, bytes) {
        (Meaning::Decimal { scale }, _) => match big_endian(bytes) {
            Some(value) => decimal(value < 0, value.unsigned_abs().to_string().as_bytes(), scale, out),
            None if bytes.len() <= LONGEST_DECIMAL => decimal(is_negative(bytes), &wide_digits(bytes), scale, out),
            None => out.extend_from_slice(bytes),
        },
        (Meaning::Half, &[low, high]) => fraction(half(u16::from_le_bytes([low, high])), out),
        (Meaning::Half, _) => {}
        _ => out.extend_from_slice(bytes),
    }
}

/// Appends a number as Python's `repr` and the tools built on it do.
fn fraction<T: Display + LowerExp + Copy + Into<f64>>(value: T, out: &mut Vec<u8>) {
    let wide: f64 = value.into();
    if wide == 0.0 || !wide.is_finite() {
        let text = if wide == 0.0 {
            "0.0"
        } else if wide.is_nan() {
            "nan"
        } else if wide > 0.0 {
            "inf"
        } else {
            "-inf"
        };
        out.extend_from_slice(text.as_bytes());
        return;
    }
    let text = format!("{value:e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    if (-4..16).contains(&power) {
        let from = out.len();
        let _ = write!(out, "{value}");
        if !out[from..].contains(&b'.') {
            out.extend_from_slice(b".0");
        }
    } else {
        let sign = if power < 0 { '-' } else { '+' };
        let _ = write!(out, "{digits}e{sign}{:02}", power.abs());
    }
}

fn timestamp(nanos: i128, out: &mut Vec<u8>) {
    let (seconds, rest) = (nanos.div_euclid(NANOS), nanos.rem_euclid(NANOS));
    let (days, time) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Days of a 96-bit timestamp are below 2^33, those of others below 2^64 / 86,400.
    let _ = write_date(days as i64, out);
    let _ = write!(out, "T{:02}:{:02}:{:02}", time / 3600, time / 60 % 60, time % 60);
    if rest > 0 {
        let _ = write!(out, ".{rest:09}");
        while out.last() == Some(&b'0') {
            out.pop();
        }
    }
}

/// A decimal by its sign and digits.
fn decimal(negative: bool, digits: &[u8], scale: u32, out: &mut Vec<u8>) {
    let scale = scale as usize;
    if negative {
        out.push(b'-');
    }
    if scale > digits.len() + MOST_ZEROS {
        out.extend_from_slice(digits);
        let _ = write!(out, "e-{scale}");
        return;
    }
    let whole = digits.len().saturating_sub(scale);
    out.extend_from_slice(if whole == 0 { b"0" } else { &digits[..whole] });
    if scale > 0 {
        out.push(b'.');
        out.extend(std::iter::repeat_n(b'0', scale.saturating_sub(digits.len())));
        out.extend_from_slice(&digits[whole..]);
    }
}

fn is_negative(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|&byte| byte >= 0x80)
}

/// The digits of a two's-complement number of any length, without its sign.
fn wide_digits(bytes: &[u8]) -> Vec<u8> {
    let mut magnitude = bytes.to_vec();
    if is_negative(bytes) {
        let mut carry = true;
        for byte in magnitude.iter_mut().rev() {
            (*byte, carry) = (!*byte).overflowing_add(u8::from(carry));
        }
    }
    let mut digits = Vec::new();
    while magnitude.iter().any(|&byte| byte != 0) {
        let mut rest = 0u32;
        for byte in &mut magnitude {
            let value = rest << 8 | u32::from(*byte);
            (*byte, rest) = ((value / 10) as u8, value % 10);
        }
        digits.push(b'0' + rest as u8);
    }
    if digits.is_empty() {
        digits.push(b'0');
    }
    digits.reverse();
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn fractions_are_written_as_python_does() {
        let cases = [
            (7.0, "7.0"),
            (-0.0, "0.0"),
            (0.1, "0.1"),
            (-2.5e3, "-2500.0"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.5e300, "1.5e+300"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (f64::NAN, "nan"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (value, expected) in cases {
            assert_eq!(text(|out| fraction(value, out)), expected);
        }
        assert_eq!(text(|out| fraction(0.7f32, out)), "0.7");
    }

    #[test]
    fn decimals_and_times_keep_every_digit() {
        let wide = |value: i64| [vec![if value < 0 { 255 } else { 0 }; 12], value.to_be_bytes().to_vec()].concat();
        for (value, expected) in [(0, "0.00"), (7, "0.07"), (-12345, "-123.45"), (i64::MIN, "-92233720368547758.08")] {
            let meaning = Meaning::Decimal { scale: 2 };
            assert_eq!(text(|out| integer(meaning, value, 64, out)), expected);
            assert_eq!(text(|out| bytes(meaning, &value.to_be_bytes(), out)), expected);
            assert_eq!(text(|out| bytes(meaning, &wide(value), out)), expected);
        }
        assert_eq!(text(|out| bytes(Meaning::Decimal { scale: 0 }, &[1; 17], out)).len(), 39);
        // Hostile files: neither gigabytes of zeros nor hours of division.
        assert_eq!(text(|out| bytes(Meaning::Decimal { scale: u32::MAX }, &[1; 2], out)), "257e-4294967295");
        assert_eq!(text(|out| bytes(Meaning::Decimal { scale: 2 }, &[1; 1 << 20], out)).len(), 1 << 20);
        let nanos = Meaning::Timestamp(1_000_000_000);
        assert_eq!(text(|out| integer(nanos, 1_500_000_000, 64, out)), "1970-01-01T00:00:01.5");
        assert_eq!(text(|out| integer(nanos, -1, 64, out)), "1969-12-31T23:59:59.999999999");
        let old = Stored::Nanos(86_401_000_000_001);
        assert_eq!(text(|out| write_exact(old, Meaning::Timestamp(1), out)), "1970-01-02T00:00:01.000000001");
    }
}
