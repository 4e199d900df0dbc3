//! From text to integers and numbers, fast for what is usual and total for what is not.

/// The cell without ASCII white space at its ends.
#[inline]
pub(crate) fn trim(cell: &[u8]) -> &[u8] {
    match cell {
        [first, .., last] if !first.is_ascii_whitespace() && !last.is_ascii_whitespace() => cell,
        _ => cell.trim_ascii(),
    }
}

/// A longer value of a category is cut at a character, before it is counted and when it is coded.
pub(crate) const LONGEST_VALUE: usize = 256;

/// A cell as a value of a category: without white space around it, and cut where it is long.
pub(crate) fn as_value(cell: &[u8]) -> &[u8] {
    let cell = trim(cell);
    if cell.len() <= LONGEST_VALUE {
        return cell;
    }
    // A byte that continues a character is 10xxxxxx.
    let end = (1..=LONGEST_VALUE).rev().find(|&end| cell[end] & 0xc0 != 0x80);
    trim(&cell[..end.unwrap_or(LONGEST_VALUE)])
}

/// An integer: digits with an optional sign, or any number, rounded down. Beyond `i64` it
/// saturates. `None` when the text is no number at all.
#[inline]
pub(crate) fn integer(cell: &[u8], decimal: u8) -> Option<i64> {
    // Nearly every cell is a few digits and nothing else: one loop without a branch on what the
    // digits are.
    if !cell.is_empty() && cell.len() <= 9 {
        let (mut value, mut largest) = (0u32, 0u8);
        for &byte in cell {
            let digit = byte.wrapping_sub(b'0');
            largest = largest.max(digit);
            value = value.wrapping_mul(10).wrapping_add(u32::from(digit));
        }
        if largest <= 9 {
            return Some(i64::from(value));
        }
    }
    any_integer(cell, decimal)
}

fn any_integer(cell: &[u8], decimal: u8) -> Option<i64> {
    let cell = trim(cell);
    let (negative, digits) = split_sign(cell);
    let mut magnitude: u64 = 0;
    let mut at = 0;
    while at < digits.len() {
        let digit = digits[at].wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        // Saturation keeps a forty-digit integer on its side of the range, where it is clamped.
        magnitude = if at < 18 {
            magnitude * 10 + u64::from(digit)
        } else {
            magnitude.saturating_mul(10).saturating_add(u64::from(digit))
        };
        at += 1;
    }
    if at == 0 {
        return number(cell, decimal).map(floor_to_integer);
    }
    let rest = &digits[at..];
    let whole = i64::try_from(magnitude).unwrap_or(i64::MAX);
    match rest {
        [] => Some(if negative { -whole } else { whole }),
        [mark, fraction @ ..] if *mark == decimal && fraction.iter().all(u8::is_ascii_digit) => {
            let below = negative && fraction.iter().any(|&digit| digit != b'0');
            Some(if negative { (-whole).saturating_sub(i64::from(below)) } else { whole })
        }
        _ => number(cell, decimal).map(floor_to_integer),
    }
}

/// The largest integer that is not above the number, saturating.
pub(crate) fn floor_to_integer(value: f64) -> i64 {
    value.floor() as i64
}

/// Powers of ten that a double holds exactly.
pub(crate) const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// A number, infinities included. `None` for a NaN and for text that is no number.
pub(crate) fn number(cell: &[u8], decimal: u8) -> Option<f64> {
    let cell = trim(cell);
    let (negative, digits) = split_sign(cell);
    let mut mantissa: u64 = 0;
    let mut decimals = 0usize;
    let mut seen = 0usize;
    let mut after_mark = false;
    for &byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit <= 9 {
            seen += 1;
            if seen > 18 {
                return slow_number(cell, decimal);
            }
            mantissa = mantissa * 10 + u64::from(digit);
            decimals += usize::from(after_mark);
        } else if byte == decimal && !after_mark {
            after_mark = true;
        } else {
            return slow_number(cell, decimal);
        }
    }
    // Both operands are exact below 2^53 and 10^22, so one division rounds correctly: the same
    // double as the slow way.
    if seen == 0 || mantissa >= 1 << 53 {
        return slow_number(cell, decimal);
    }
    let value = mantissa as f64 / POWERS[decimals];
    Some(if negative { -value } else { value })
}

fn split_sign(cell: &[u8]) -> (bool, &[u8]) {
    match cell {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, cell),
    }
}

#[cold]
fn slow_number(cell: &[u8], decimal: u8) -> Option<f64> {
    let text = std::str::from_utf8(cell).ok()?;
    let value: f64 = if decimal == b'.' {
        text.parse().ok()?
    } else if text.contains('.') {
        return None;
    } else {
        text.replace(decimal as char, ".").parse().ok()?
    };
    (!value.is_nan()).then_some(value)
}

/// Whether a number has hours, up to midnight as 2400, and two digits of minutes: 517 is 5:17.
pub(crate) fn is_clock_number(value: f64) -> bool {
    value.fract() == 0.0 && (0.0..=2400.0).contains(&value) && value % 100.0 < 60.0
}

/// The shortest text that reads back to the same number.
pub(crate) fn plain(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-5..1e16).contains(&size) { format!("{value:e}") } else { format!("{value}") }
}

/// Appends an integer in decimal.
pub(crate) fn write_integer(value: i64, out: &mut Vec<u8>) {
    if value < 0 {
        out.push(b'-');
    }
    write_digits(value.unsigned_abs(), 1, out);
}

/// Multiples of the last decimal stay below this, so that value, product and text agree exactly.
pub(crate) const LARGEST_MULTIPLE: f64 = (1u64 << 50) as f64;

/// Appends a number with this many decimals; a very large one in its shortest text.
pub(crate) fn write_fixed(value: f64, decimals: u8, mark: u8, out: &mut Vec<u8>) {
    if value.abs() > LARGEST_MULTIPLE / POWERS[usize::from(decimals)] {
        return write_plain(value, mark, out);
    }
    let multiple = (value * POWERS[usize::from(decimals)]).round() as i64;
    if multiple < 0 {
        out.push(b'-');
    }
    let unit = 10u64.pow(u32::from(decimals));
    write_digits(multiple.unsigned_abs() / unit, 1, out);
    if decimals > 0 {
        out.push(mark);
        write_digits(multiple.unsigned_abs() % unit, usize::from(decimals), out);
    }
}

/// Appends the shortest text of a number, with this decimal mark.
pub(crate) fn write_plain(value: f64, mark: u8, out: &mut Vec<u8>) {
    let from = out.len();
    out.extend_from_slice(plain(value).as_bytes());
    if let Some(point) = out[from..].iter().position(|&byte| byte == b'.') {
        out[from + point] = mark;
    }
}

/// Appends the digits of a number, with leading zeros up to `width`.
pub(crate) fn write_digits(mut value: u64, width: usize, out: &mut Vec<u8>) {
    let mut buffer = [b'0'; 20];
    let mut at = buffer.len();
    while value > 0 {
        at -= 1;
        buffer[at] = b'0' + (value % 10) as u8;
        value /= 10;
    }
    let at = at.min(buffer.len() - width.min(buffer.len()));
    out.extend_from_slice(&buffer[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_in_every_spelling() {
        let read = |text: &str| integer(text.as_bytes(), b'.');
        assert_eq!(read("42"), Some(42));
        assert_eq!(read(" +5\t"), Some(5));
        assert_eq!(read("-7"), Some(-7));
        assert_eq!(read("3.0"), Some(3));
        assert_eq!(read("3.7"), Some(3));
        assert_eq!(read("-3.7"), Some(-4));
        assert_eq!(read("-3.0"), Some(-3));
        assert_eq!(read(".5"), Some(0));
        assert_eq!(read("5."), Some(5));
        assert_eq!(read("1e3"), Some(1000));
        assert_eq!(read("1e999"), Some(i64::MAX));
        assert_eq!(read("-inf"), Some(i64::MIN));
        assert_eq!(read(&"9".repeat(40)), Some(i64::MAX));
        assert_eq!(read(&format!("-{}", "9".repeat(40))), Some(-i64::MAX));
        assert_eq!(read(&format!("-{}.5", "9".repeat(40))), Some(i64::MIN));
        for bad in ["", " ", "-", "+", "abc", "1,000", "1 000", "12a", "0x10", "1_000", "nan", "NaN", "--1", "+-1", "."]
        {
            assert_eq!(read(bad), None, "{bad:?}");
        }
        assert_eq!(integer(b"3,7", b','), Some(3));
        assert_eq!(integer(b"3.7", b','), None);
        assert_eq!(integer(b"\xff\xfe", b'.'), None);
    }

    #[test]
    fn numbers_agree_with_the_standard_parser() {
        for text in [
            "0",
            "1",
            "-1",
            "0.1",
            "123456.789",
            "1e3",
            "-2.5E-3",
            "9007199254740993",
            "0.30000000000000004",
            "1e400",
            "17.",
        ] {
            assert_eq!(number(text.as_bytes(), b'.'), text.parse().ok(), "{text}");
        }
        let long = "3.14159265358979323846264338327950288";
        assert_eq!(number(long.as_bytes(), b'.'), long.parse().ok());
        assert_eq!(number(b"1,5", b','), Some(1.5));
        assert_eq!(number(b"1,5e2", b','), Some(150.0));
        assert_eq!(number(b"1.000,5", b','), None);
        assert_eq!(number(b"nan", b'.'), None);
    }

    #[test]
    fn digits_are_padded() {
        let mut out = Vec::new();
        write_digits(7, 2, &mut out);
        write_digits(0, 1, &mut out);
        write_integer(i64::MIN, &mut out);
        assert_eq!(out, b"070-9223372036854775808");
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_survived(cell in proptest::collection::vec(proptest::num::u8::ANY, 0..40)) {
            let _ = integer(&cell, b'.');
            let _ = number(&cell, b',');
        }

        #[test]
        fn short_decimals_are_exact(mantissa in -9_007_199_254_740_991i64..9_007_199_254_740_991, decimals in 0usize..16) {
            let digits = format!("{:0>width$}", mantissa.unsigned_abs(), width = decimals + 1);
            let (whole, fraction) = digits.split_at(digits.len() - decimals);
            let sign = if mantissa < 0 { "-" } else { "" };
            let text = format!("{sign}{whole}.{fraction}");
            proptest::prop_assert_eq!(number(text.as_bytes(), b'.'), text.parse().ok());
        }
    }
}
