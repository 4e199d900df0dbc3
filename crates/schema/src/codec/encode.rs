//! From cells, as text or typed, to codes. Every function here is total.

use super::scan;
use super::{Codec, CodecKind, IntegerAxis, NumberAxis, TypedCell};

impl Codec {
    /// The code of a text cell (raw bytes: undecodable ones are bad cells). Total: never fails.
    #[inline]
    pub fn encode_text(&self, cell: &[u8]) -> u32 {
        match &self.kind {
            CodecKind::Integer(axis) => match self.read_integer(cell) {
                Some(value) => self.whole(axis, value),
                None => self.unread(cell),
            },
            CodecKind::Number(axis) => match self.read_number(cell) {
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

    /// The code of a cell of a typed file. A NaN is a missing cell; integer columns round down. A
    /// truth value is a boolean's or a category's word, or 0 and 1.
    #[inline]
    pub fn encode(&self, cell: TypedCell<'_>) -> u32 {
        match (&self.kind, cell) {
            (_, TypedCell::Missing) => self.encode_missing(),
            (_, TypedCell::Text(text)) => self.encode_text(text),
            (_, TypedCell::Number(value)) if value.is_nan() => self.encode_missing(),
            (CodecKind::Integer(axis), TypedCell::Integer(value)) => self.whole(axis, value),
            (CodecKind::Integer(axis), TypedCell::Number(value)) => self.whole(axis, scan::floor_to_integer(value)),
            (CodecKind::Number(axis), TypedCell::Integer(value)) => self.real(axis, value as f64),
            (CodecKind::Number(axis), TypedCell::Number(value)) => self.real(axis, value),
            (CodecKind::Boolean(_), TypedCell::Boolean(value)) => u32::from(value),
            (CodecKind::Category(words), TypedCell::Boolean(value)) => words.truth(value).unwrap_or(self.fallback.0.1),
            (CodecKind::Date(axis, format) | CodecKind::DateTime(axis, format), cell) => match format.own(cell) {
                Some(value) => self.whole(axis, value),
                None => self.encode_text(&cell.text()),
            },
            _ => self.encode_text(&cell.text()),
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
        if self.rules.means_missing(cell) { self.fallback.0.0 } else { self.fallback.0.1 }
    }
}
