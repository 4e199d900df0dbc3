//! Numbers with something around them, such as $1,234.50, while rows go by.

use super::numbers::NumberProfile;
use crate::codec::number_format::{Dress, NumberFormat, THOUSANDS};
use crate::codec::scan::trim;

/// What stands before numbers in many files.
const BEFORE: [&str; 18] =
    ["$", "€", "£", "¥", "₹", "₽", "₩", "US$", "A$", "C$", "R$", "CHF", "USD", "EUR", "GBP", "JPY", "INR", "kr"];

/// What stands behind them. Other words may be a part of a code; whoever knows better states the
/// format.
const BEHIND: [&str; 44] = [
    "%", "‰", "€", "$", "£", "¥", "kr", "zł", "Kč", "Ft", "CHF", "USD", "EUR", "GBP", "kg", "g", "mg", "lb", "lbs",
    "oz", "km", "m", "cm", "mm", "mi", "ft", "in", "h", "hr", "hrs", "min", "s", "sec", "ms", "°C", "°F", "l", "ml",
    "kWh", "kW", "W", "km/h", "mph", "years",
];

/// The numbers of a column under one decimal mark, and what stands around them.
pub(crate) struct DressProfile {
    decimal: u8,
    dress: Dress,
    pub(crate) numbers: NumberProfile,
}

impl DressProfile {
    /// After cells that were plain numbers.
    pub(crate) fn new(decimal: u8, numbers: NumberProfile) -> Self {
        Self { decimal, dress: Dress::default(), numbers }
    }

    /// The pattern, where something stands around the numbers.
    pub(crate) fn pattern(&self) -> Option<String> {
        let pattern = self.dress.pattern(char::from(self.decimal));
        let known = self.dress != Dress::default() && NumberFormat::new(&pattern, self.decimal).is_ok();
        known.then_some(pattern)
    }

    pub(crate) fn observe(&mut self, cell: &[u8]) {
        if !self.numbers.alive {
            return;
        }
        let dress = std::str::from_utf8(cell).ok().and_then(|cell| self.widened(cell));
        let mut buffer = [0; 64];
        match dress.as_ref().and_then(|dress| dress.undress(cell, self.decimal, &mut buffer)) {
            Some(plain) => self.numbers.observe(plain),
            None => self.numbers.miss(),
        }
        self.dress = dress.unwrap_or_else(|| self.dress.clone());
    }

    /// What stands around the numbers, with one more cell. `None` where it does not go with the
    /// others, or is unheard of.
    fn widened(&self, cell: &str) -> Option<Dress> {
        let inner = cell.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let unsigned = |text: &'_ str| text.strip_prefix('-').unwrap_or(text).to_owned();
        let text = unsigned(inner.unwrap_or(cell));
        let first = text.find(|letter: char| letter.is_ascii_digit())?;
        let end = text.rfind(|letter: char| letter.is_ascii_digit())? + 1;
        let begins = first.checked_sub(1).filter(|&at| text.as_bytes()[at] == self.decimal).unwrap_or(first);
        let (before, core, behind) = (&text[..begins], &text[begins..end], &text[end..]);
        let before = before.strip_suffix('-').unwrap_or(before);
        let has = |list: &[&str], word: &str| word.is_empty() || list.contains(&word.trim());
        if !has(&BEFORE, before) || !has(&BEHIND, behind) {
            return None;
        }
        let own = |known: &str, seen: &str| match (known.is_empty(), seen.is_empty()) {
            (true, _) => Some(seen.to_owned()),
            (false, true) => Some(known.to_owned()),
            (false, false) => (known == seen).then(|| known.to_owned()),
        };
        let mark = core.chars().find(|letter| THOUSANDS.contains(letter) && *letter != char::from(self.decimal));
        let dress = Dress {
            before: own(&self.dress.before, before)?,
            behind: own(&self.dress.behind, behind)?,
            thousands: self.dress.thousands.or(mark),
            brackets: self.dress.brackets || inner.is_some(),
            ..self.dress.clone()
        };
        // A mark that the column does not have is no mark between thousands.
        (mark.is_none() || mark == dress.thousands).then_some(dress)
    }
}

/// Whether a cell needs more than a reader of plain numbers.
pub(crate) fn is_dressed(cell: &[u8]) -> bool {
    let cell = trim(cell);
    let plain = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+' | b'e' | b'E');
    cell.iter().any(u8::is_ascii_digit) && !cell.iter().all(plain)
}
