//! From cells, as text or typed, to codes. Every function here is total.

use super::calendar::{DAY, write_iso_date, write_iso_datetime};
use super::scan::{self, trim};
use super::{Codec, CodecKind, IntegerAxis, NumberAxis, plain};

impl Codec {
    /// The code of a text cell (raw bytes: undecodable ones are bad cells). Total: never fails.
    #[inline]
    pub fn encode_text(&self, cell: &[u8]) -> u32 {
        match &self.kind {
            CodecKind::Integer(axis) => match scan::integer(cell, self.rules.decimal) {
                Some(value) => self.whole(axis, value),
                None => self.unread(cell),
            },
            CodecKind::Number(axis) => match scan::number(cell, self.rules.decimal) {
                Some(value) => self.real(axis, value),
                None => self.unread(cell),
            },
            CodecKind::Category(words) => words.code(cell).unwrap_or(self.fallback.0.1),
            CodecKind::Boolean(words) => words.code(cell).unwrap_or(self.fallback.0.1),
            CodecKind::Date(axis, format) | CodecKind::DateTime(axis, format) => match format.parse(cell) {
                Some(value) => self.whole(axis, value),
                None => self.unread(cell),
            },
        }
    }

    /// The code of an integer.
    #[inline]
    pub fn encode_integer(&self, value: i64) -> u32 {
        match &self.kind {
            CodecKind::Integer(axis) => self.whole(axis, value),
            CodecKind::Number(axis) => self.real(axis, value as f64),
            // Category 3 of a typed file is the word "3", and a day may be the integer 20240331.
            _ => {
                let mut text = Vec::with_capacity(20);
                scan::write_integer(value, &mut text);
                self.encode_text(&text)
            }
        }
    }

    /// The code of a number. A NaN is a missing cell; integer columns round down.
    #[inline]
    pub fn encode_number(&self, value: f64) -> u32 {
        if value.is_nan() {
            return self.encode_missing();
        }
        match &self.kind {
            CodecKind::Number(axis) => self.real(axis, value),
            CodecKind::Integer(axis) => self.whole(axis, scan::floor_to_integer(value)),
            _ => self.encode_text(plain(value).as_bytes()),
        }
    }

    /// The code of a truth value: a boolean's or a category's word, or 0 and 1.
    pub fn encode_boolean(&self, value: bool) -> u32 {
        match &self.kind {
            CodecKind::Boolean(_) => u32::from(value),
            CodecKind::Category(words) => {
                let spellings = if value { ["true", "True", "TRUE", "1"] } else { ["false", "False", "FALSE", "0"] };
                let code = spellings.iter().find_map(|word| words.code(word.as_bytes()));
                code.unwrap_or(self.fallback.0.1)
            }
            _ => self.encode_integer(i64::from(value)),
        }
    }

    /// The code of a date, in days since 1970-01-01.
    #[inline]
    pub fn encode_date(&self, days: i64) -> u32 {
        match &self.kind {
            CodecKind::Date(axis, _) => self.whole(axis, days),
            CodecKind::DateTime(axis, _) => self.whole(axis, days.saturating_mul(DAY)),
            _ => {
                let mut text = Vec::with_capacity(10);
                write_iso_date(days, &mut text);
                self.encode_text(&text)
            }
        }
    }

    /// The code of a moment, in seconds since 1970-01-01T00:00:00.
    #[inline]
    pub fn encode_datetime(&self, seconds: i64) -> u32 {
        match &self.kind {
            CodecKind::Date(axis, _) => self.whole(axis, seconds.div_euclid(DAY)),
            CodecKind::DateTime(axis, _) => self.whole(axis, seconds),
            _ => {
                let mut text = Vec::with_capacity(20);
                write_iso_datetime(seconds, &mut text);
                self.encode_text(&text)
            }
        }
    }

    /// The code of an empty cell: the missing code, else `other`, else the first.
    #[inline]
    pub fn encode_missing(&self) -> u32 {
        self.fallback.0.0
    }

    #[inline]
    fn whole(&self, axis: &IntegerAxis, value: i64) -> u32 {
        let sentinels = &self.sentinels.0.whole;
        if !sentinels.is_empty() && sentinels.contains(&value) { self.encode_missing() } else { axis.bin(value) }
    }

    #[inline]
    fn real(&self, axis: &NumberAxis, value: f64) -> u32 {
        let sentinels = &self.sentinels.0.real;
        if !sentinels.is_empty() && sentinels.contains(&value) { self.encode_missing() } else { axis.bin(value) }
    }

    /// Text that is no value of the column: missing or unreadable.
    #[cold]
    fn unread(&self, cell: &[u8]) -> u32 {
        let cell = trim(cell);
        let missing = cell.is_empty() || self.rules.missing_tokens.iter().any(|token| token.as_bytes() == cell);
        if missing { self.fallback.0.0 } else { self.fallback.0.1 }
    }
}
