//! How a column writes its numbers: what stands around them, thousands, brackets, clock numbers.
//!
//! A pattern is an example with `#` for digits: `$#,###`, `#%`, `(#)`, `# kg`, `#.0`, `hh:mm`.
//! A cell is undressed before it is read, so that a reader of plain numbers does the rest.

use super::cached::Cached;
use super::clock::{ClockUnit, hidden_marks, write_time};
use super::scan::{self, trim};
use crate::error::{Mistake, refuse_if};

/// A way of writing numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberFormat {
    pattern: String,
    decimal: u8,
    dress: Cached<Dress>,
}

/// What a pattern says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dress {
    /// What stands before and behind the digits, such as a currency and a unit.
    pub(crate) before: String,
    pub(crate) behind: String,
    /// The mark between thousands.
    pub(crate) thousands: Option<char>,
    /// Whether negative numbers stand in brackets, and not behind a minus sign.
    pub(crate) brackets: bool,
    pub(crate) fraction: FractionStyle,
    pub(crate) digits: DigitStyle,
}

/// Which decimals are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FractionStyle {
    /// All that the column has: 181.50.
    #[default]
    All,
    /// No zeros at the end but the first one: 181.0, 181.5.
    OneAtLeast,
    /// No zeros at the end: 181, 181.5.
    AsNeeded,
}

/// What the digits are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DigitStyle {
    /// A number.
    #[default]
    Number,
    /// Hours and minutes of a clock as one number: 517 is seventeen minutes past five.
    Clock,
    /// The same in four digits: 0517.
    FullClock,
    /// A time of day with its marks, 5:17 or 05:17:30; whether hours have two digits always.
    Time(ClockUnit, bool),
}

/// The words for clocks, the longer ones first.
const CLOCKS: [(&str, DigitStyle); 6] = [
    ("hh:mm:ss", DigitStyle::Time(ClockUnit::Second, true)),
    ("h:mm:ss", DigitStyle::Time(ClockUnit::Second, false)),
    ("hh:mm", DigitStyle::Time(ClockUnit::Minute, true)),
    ("h:mm", DigitStyle::Time(ClockUnit::Minute, false)),
    ("hhmm", DigitStyle::FullClock),
    ("hmm", DigitStyle::Clock),
];

/// Marks that may stand between thousands. Spaces that do not break are read and written too.
pub(crate) const THOUSANDS: [char; 6] = [',', '.', '\'', ' ', '\u{a0}', '\u{202f}'];

const HELP: &str =
    "write an example with # for the digits: \"$#,###\", \"#%\", \"(#)\", \"#.0\", or \"hmm\" or \"hh:mm\" for a clock";

impl NumberFormat {
    /// Reads a pattern. `decimal` is the decimal mark of the file.
    pub(crate) fn new(pattern: &str, decimal: u8) -> Result<Self, Mistake> {
        let dress = Dress::parse(pattern, char::from(decimal))
            .ok_or_else(|| Mistake::new(format!("the format {pattern:?} is not one of numbers"), HELP))?;
        let around = dress.before.chars().chain(dress.behind.chars());
        let unclear = around.clone().any(|letter| letter.is_ascii_digit() || letter.is_control() || letter == '"');
        refuse_if(unclear, format!("digits or quotes around the number in the format {pattern:?}"), HELP)?;
        Ok(Self { pattern: pattern.to_owned(), decimal, dress: Cached(dress) })
    }

    /// The pattern.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// Whether the numbers are those of a clock: hours and minutes, or seconds too.
    pub fn is_clock(&self) -> bool {
        self.dress.0.digits != DigitStyle::Number
    }

    /// Whether a number may need quotes beside this delimiter.
    pub fn may_need_quotes(&self, delimiter: u8) -> bool {
        let mark = char::from(delimiter);
        let Dress { before, behind, thousands, .. } = &self.dress.0;
        before.contains(mark) || behind.contains(mark) || *thousands == Some(mark)
    }

    /// The whole number in a cell, as [`scan::integer`] reads plain ones.
    pub(crate) fn integer(&self, cell: &[u8]) -> Option<i64> {
        let mut buffer = [0; LONGEST];
        scan::integer(self.dress.0.undress(cell, self.decimal, &mut buffer)?, self.decimal)
    }

    /// The number in a cell, as [`scan::number`] reads plain ones.
    pub(crate) fn number(&self, cell: &[u8]) -> Option<f64> {
        let mut buffer = [0; LONGEST];
        scan::number(self.dress.0.undress(cell, self.decimal, &mut buffer)?, self.decimal)
    }

    /// Dresses the plain number that `out` holds from `start` on.
    pub(crate) fn dress(&self, start: usize, out: &mut Vec<u8>) {
        let plain = out.split_off(start);
        let dress = &self.dress.0;
        let (negative, digits) = match plain.strip_prefix(b"-") {
            Some(rest) => (true, rest),
            None => (false, &plain[..]),
        };
        let at = digits.iter().position(|&byte| byte == self.decimal).unwrap_or(digits.len());
        let (whole, fraction) = digits.split_at(at);
        // A very large number in powers of ten has nothing to be grouped.
        let is_plain = digits.iter().all(|byte| byte.is_ascii_digit() || *byte == self.decimal);
        if negative {
            out.push(if dress.brackets { b'(' } else { b'-' });
        }
        out.extend_from_slice(dress.before.as_bytes());
        if let DigitStyle::Time(unit, full) = dress.digits {
            return write_time(whole, unit, full, out);
        }
        if dress.digits == DigitStyle::FullClock {
            out.extend(std::iter::repeat_n(b'0', 4usize.saturating_sub(whole.len())));
        }
        match dress.thousands.filter(|_| is_plain) {
            Some(mark) => group(whole, mark, out),
            None => out.extend_from_slice(whole),
        }
        match dress.fraction {
            FractionStyle::All => out.extend_from_slice(fraction),
            _ if !is_plain => out.extend_from_slice(fraction),
            style => {
                let zeros = fraction.iter().rev().take_while(|&&byte| byte == b'0').count();
                let kept = fraction[..fraction.len() - zeros].strip_prefix(&[self.decimal]).unwrap_or_default();
                let kept = if kept.is_empty() && style == FractionStyle::OneAtLeast { b"0" } else { kept };
                if !kept.is_empty() {
                    out.push(self.decimal);
                    out.extend_from_slice(kept);
                }
            }
        }
        out.extend_from_slice(dress.behind.as_bytes());
        if negative && dress.brackets {
            out.push(b')');
        }
    }
}

/// A longer cell is no number in a dress; plain ones may be as long as they like.
const LONGEST: usize = 64;

fn group(whole: &[u8], mark: char, out: &mut Vec<u8>) {
    let mut bytes = [0; 4];
    let mark = mark.encode_utf8(&mut bytes).as_bytes();
    for (place, byte) in whole.iter().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            out.extend_from_slice(mark);
        }
        out.push(*byte);
    }
}

impl Dress {
    fn parse(pattern: &str, decimal: char) -> Option<Self> {
        let inner = pattern.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let (brackets, inner) = (inner.is_some(), inner.unwrap_or(pattern));
        let clock = CLOCKS.into_iter().find_map(|(word, style)| Some((inner.strip_prefix(word)?, style)));
        let (before, mut rest, digits) = match clock {
            Some((rest, style)) => ("", rest, style),
            None => {
                let at = inner.find('#')?;
                (&inner[..at], &inner[at + 1..], DigitStyle::Number)
            }
        };
        let is_group = |mark: &char| *mark != decimal && rest[mark.len_utf8()..].starts_with("###");
        let thousands = rest.chars().next().filter(|mark| THOUSANDS.contains(mark)).filter(is_group);
        if let Some(mark) = thousands {
            rest = &rest[mark.len_utf8() + 3..];
        }
        let styles = [('0', FractionStyle::OneAtLeast), ('#', FractionStyle::AsNeeded)];
        let styled = styles
            .into_iter()
            .find_map(|(digit, style)| Some((rest.strip_prefix(decimal)?.strip_prefix(digit)?, style)));
        let (behind, fraction) = styled.unwrap_or((rest, FractionStyle::All));
        let is_time = matches!(digits, DigitStyle::Time(..));
        let odd = behind.contains('#')
            || digits != DigitStyle::Number && (brackets || !behind.is_empty())
            || is_time && (thousands.is_some() || fraction != FractionStyle::All);
        (!odd).then(|| Self {
            before: before.to_owned(),
            behind: behind.to_owned(),
            thousands,
            brackets,
            fraction,
            digits,
        })
    }

    /// The pattern that says it, with this decimal mark.
    pub(crate) fn pattern(&self, decimal: char) -> String {
        let mut text = match self.digits {
            DigitStyle::Number => format!("{}#", self.before),
            clock => {
                CLOCKS.iter().find(|(_, style)| *style == clock).map_or_else(String::new, |(word, _)| (*word).into())
            }
        };
        if let Some(mark) = self.thousands {
            text.push(mark);
            text.push_str("###");
        }
        match self.fraction {
            FractionStyle::All => {}
            FractionStyle::OneAtLeast => text.extend([decimal, '0']),
            FractionStyle::AsNeeded => text.extend([decimal, '#']),
        }
        text.push_str(&self.behind);
        if self.brackets { format!("({text})") } else { text }
    }

    /// The plain number in a cell: a minus sign for brackets, no marks between thousands, nothing
    /// around it. What the pattern has may be missing in a cell, so that plain numbers are read
    /// too. `None` for a cell with other letters around its digits that is too long to be one.
    pub(crate) fn undress<'a>(&self, cell: &'a [u8], decimal: u8, buffer: &'a mut [u8; LONGEST]) -> Option<&'a [u8]> {
        let cell = trim(cell);
        if !cell.is_empty() && cell.iter().all(|&byte| byte.is_ascii_digit() || byte == decimal) {
            return Some(cell);
        }
        if let DigitStyle::Time(unit, _) = self.digits {
            let digits = hidden_marks(cell, unit)?;
            buffer[..digits.len()].copy_from_slice(&digits);
            return Some(&buffer[..unit.digits()]);
        }
        let inner = cell.strip_prefix(b"(").and_then(|rest| rest.strip_suffix(b")")).filter(|_| self.brackets);
        let mut negative = inner.is_some();
        let mut rest = trim(inner.unwrap_or(cell));
        let signed = |rest: &mut &'a [u8], negative: &mut bool| {
            if let Some(behind) = rest.strip_prefix(b"-").filter(|_| !*negative) {
                (*rest, *negative) = (trim(behind), true);
            }
        };
        signed(&mut rest, &mut negative);
        if !self.before.is_empty() {
            // A space between may be missing.
            let before = [self.before.as_str(), self.before.trim()];
            rest = before.iter().find_map(|before| rest.strip_prefix(before.as_bytes())).map_or(rest, trim);
            signed(&mut rest, &mut negative);
        }
        if !self.behind.is_empty() {
            let behind = [self.behind.as_str(), self.behind.trim()];
            rest = behind.iter().find_map(|behind| rest.strip_suffix(behind.as_bytes())).map_or(rest, trim);
        }
        let mut length = 0;
        let mut push = |byte: u8| {
            *buffer.get_mut(length)? = byte;
            length += 1;
            Some(())
        };
        if negative {
            // Two signs are no number.
            if rest.starts_with(b"-") || rest.starts_with(b"+") {
                return None;
            }
            push(b'-')?;
        }
        let mut behind_mark = false;
        while let [byte, next @ ..] = rest {
            let mark = self.mark_length(rest).filter(|_| !behind_mark);
            match mark {
                // Thousands are three digits each.
                Some(length) if is_thousand(&rest[length..]) => rest = &rest[length..],
                Some(_) => return None,
                None => {
                    behind_mark |= *byte == decimal;
                    push(*byte)?;
                    rest = next;
                }
            }
        }
        Some(&buffer[..length])
    }

    /// The bytes of a mark between thousands that the text begins with.
    fn mark_length(&self, text: &[u8]) -> Option<usize> {
        let wanted = self.thousands?;
        let spaces = [' ', '\u{a0}', '\u{202f}'];
        let same = |mark: &char| *mark == wanted || spaces.contains(mark) && spaces.contains(&wanted);
        THOUSANDS.iter().filter(|mark| same(mark)).find_map(|mark| {
            let mut bytes = [0; 4];
            text.starts_with(mark.encode_utf8(&mut bytes).as_bytes()).then(|| mark.len_utf8())
        })
    }
}

/// Whether exactly three digits follow.
fn is_thousand(text: &[u8]) -> bool {
    text.len() >= 3 && text[..3].iter().all(u8::is_ascii_digit) && !text.get(3).is_some_and(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests;
