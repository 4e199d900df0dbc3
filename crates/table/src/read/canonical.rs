//! One form of a cell for every way in which files write it, so that a table and a copy of it have
//! one digest.
//!
//! - The spaces around a cell are nothing. Empty cells and the usual words for missing ones are one
//!   thing; which words those are does not depend on a schema.
//! - Numbers are their value: `7`, `07`, `+7`, `7.0`, `7.00` and `0.7e1` are one cell, `-0.0` is
//!   `0`.
//! - `True`, `TRUE` and `true` are one word.
//! - A timestamp has a `T`, no zeros at the end of its fraction, and at midnight it is its date.
//! - Anything else is its bytes.
//!
//! Cells that are one thing here may be different in a table. Nothing but the recognition of known
//! rows hangs on it.

/// The cell in its one form; `out` is room for it.
pub(crate) fn canonical<'a>(cell: &'a [u8], out: &'a mut Vec<u8>) -> &'a [u8] {
    // Most cells of most tables are short whole numbers.
    if let [b'0'..=b'9'] | [b'1'..=b'9', b'0'..=b'9'] = cell {
        return cell;
    }
    let cell = cell.trim_ascii();
    let Some(first) = cell.first() else { return cell };
    match first {
        b'0'..=b'9' | b'+' | b'-' | b'.' => {
            let is_plain = cell.len() <= 18 && cell.iter().all(u8::is_ascii_digit);
            if is_plain && (*first != b'0' || cell.len() == 1) {
                return cell;
            }
            out.clear();
            if number(cell, out) || timestamp(cell, out) { out } else { cell }
        }
        b'N' | b'n' if is_missing(cell) => b"",
        b't' | b'T' if cell.eq_ignore_ascii_case(b"true") => b"true",
        b'f' | b'F' if cell.eq_ignore_ascii_case(b"false") => b"false",
        _ => cell,
    }
}

/// The usual words for a missing cell: those that a schema has when it does not say otherwise.
fn is_missing(cell: &[u8]) -> bool {
    matches!(cell, b"NA" | b"N/A" | b"null" | b"NULL") || cell.eq_ignore_ascii_case(b"nan")
}

/// Whole numbers of up to this many digits are written out.
const WRITTEN_OUT: i64 = 18;

/// Writes a decimal number: a whole one of up to 18 digits as it is, any other as its digits and a
/// power of ten. `false` when it is none.
fn number(cell: &[u8], out: &mut Vec<u8>) -> bool {
    let (negative, text) = match cell {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, cell),
    };
    let split = text.iter().position(|byte| matches!(byte, b'e' | b'E')).unwrap_or(text.len());
    let (digits, power) = text.split_at(split);
    let mut power = match power {
        [] => 0,
        [_, power @ ..] => match std::str::from_utf8(power).ok().and_then(|power| power.parse::<i32>().ok()) {
            Some(power) => i64::from(power),
            None => return false,
        },
    };
    if negative {
        out.push(b'-');
    }
    let start = out.len();
    let mut behind_point = false;
    let mut any = false;
    for &byte in digits {
        match byte {
            b'0'..=b'9' => {
                any = true;
                power -= i64::from(behind_point);
                if byte != b'0' || out.len() > start {
                    out.push(byte);
                }
            }
            b'.' if !behind_point => behind_point = true,
            _ => {
                out.clear();
                return false;
            }
        }
    }
    if !any {
        out.clear();
        return false;
    }
    while out.len() > start && out.last() == Some(&b'0') {
        out.pop();
        power += 1;
    }
    if out.len() == start {
        out.clear();
        out.push(b'0');
    } else if power >= 0 && (out.len() - start) as i64 + power <= WRITTEN_OUT {
        out.extend(std::iter::repeat_n(b'0', power as usize));
    } else {
        out.push(b'e');
        out.extend_from_slice(power.to_string().as_bytes());
    }
    true
}

/// Writes a timestamp. `false` when it is none.
fn timestamp(cell: &[u8], out: &mut Vec<u8>) -> bool {
    let Some((date, [b'T' | b' ', time @ ..])) = cell.split_at_checked(10) else { return false };
    let shape = |text: &[u8], marks: &[(usize, u8)]| {
        text.iter().enumerate().all(|(at, byte)| match marks.iter().find(|mark| mark.0 == at) {
            Some((_, mark)) => byte == mark,
            None => byte.is_ascii_digit(),
        })
    };
    let (clock, fraction) = time.split_at_checked(8).unwrap_or((time, b""));
    let is_fraction = match fraction {
        [] => true,
        [b'.', digits @ ..] => digits.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    if clock.len() != 8
        || !is_fraction
        || !shape(date, &[(4, b'-'), (7, b'-')])
        || !shape(clock, &[(2, b':'), (5, b':')])
    {
        return false;
    }
    out.extend_from_slice(date);
    let zeros = fraction.iter().rev().take_while(|&&byte| byte == b'0').count();
    let fraction = &fraction[..fraction.len() - zeros];
    let fraction = if fraction == b"." { b"" } else { fraction };
    if clock != b"00:00:00" || !fraction.is_empty() {
        out.push(b'T');
        out.extend_from_slice(clock);
        out.extend_from_slice(fraction);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::canonical;

    fn form(cell: &str) -> String {
        String::from_utf8(canonical(cell.as_bytes(), &mut Vec::new()).to_vec()).unwrap()
    }

    #[test]
    fn spellings_of_one_thing_have_one_form() {
        let same: &[(&[&str], &str)] = &[
            (&["", " ", "NA", "N/A", "NaN", "nan", " null ", "NULL"], ""),
            (&["7", "07", "+7", "7.0", "7.", "7.00", "0.7e1", "70E-1", " 7 "], "7"),
            (&["0", "-0", "0.0", "-0.00", ".0", "0e9", "000"], "0"),
            (&["1200", "1.2e3", "1.2e+03", "1200.0"], "1200"),
            (&["-2.5", "-2.50", "-25e-1", "-.25e1"], "-25e-1"),
            (&["1e+16", "10000000000000000.0", "10000000000000000"], "10000000000000000"),
            (&["1e18", "1000000000000000000"], "1e18"),
            (&["True", "TRUE", "true"], "true"),
            (&["2024-02-29T12:00:00", "2024-02-29 12:00:00", "2024-02-29 12:00:00.000"], "2024-02-29T12:00:00"),
            (&["2024-02-29", "2024-02-29T00:00:00", "2024-02-29 00:00:00.0"], "2024-02-29"),
            (&["2024-02-29 00:00:00.50"], "2024-02-29T00:00:00.5"),
        ];
        for (spellings, expected) in same {
            for spelling in *spellings {
                assert_eq!(form(spelling), *expected, "{spelling:?}");
            }
        }
    }

    #[test]
    fn everything_else_is_its_bytes() {
        for cell in
            ["a", "-", ".", "+", "1-2", "1.2.3", "1e", "e1", "0x7", "1,5", "Nan b", "7 8", "2024-02-29 noon", "12:30"]
        {
            assert_eq!(form(cell), cell);
        }
    }
}
