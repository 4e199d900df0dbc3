//! A cell as it stands in the file: read as the schema says, but neither clamped nor binned. For
//! the steward's comparison of files; coding itself never asks.

use super::scan::{self, trim};
use super::{CellValue, Codec, CodecKind, TypedCell};

impl Codec {
    /// Whether cells are numbers, dates or moments, and not words.
    pub fn is_numeric(&self) -> bool {
        !matches!(self.kind, CodecKind::Category(_) | CodecKind::Boolean(_))
    }

    /// The number that a text cell holds: days since 1970 for a date, seconds for a moment, the
    /// code for a word. `None` when it is missing, not finite, or nothing that the column can hold.
    /// A whole number may have decimals here.
    pub fn raw_text(&self, cell: &[u8]) -> Option<f64> {
        match &self.kind {
            CodecKind::Integer(_) | CodecKind::Number(_) => self.raw_real(self.read_number(cell)?),
            CodecKind::Date(_, format) | CodecKind::DateTime(_, format) => self.raw_whole(format.parse(cell)?),
            CodecKind::Category(words) => self.raw_word(cell, words.code(cell).or(self.other_code())?),
            CodecKind::Boolean(words) => self.raw_word(cell, words.code(cell)?),
        }
    }

    /// The number that a cell of a typed file holds.
    pub fn raw(&self, cell: TypedCell<'_>) -> Option<f64> {
        match (&self.kind, cell) {
            (_, TypedCell::Missing) => None,
            (_, TypedCell::Text(text)) => self.raw_text(text),
            (_, TypedCell::Number(value)) if value.is_nan() => None,
            (CodecKind::Integer(_) | CodecKind::Number(_), TypedCell::Integer(value)) => self.raw_real(value as f64),
            (CodecKind::Integer(_) | CodecKind::Number(_), TypedCell::Number(value)) => self.raw_real(value),
            (CodecKind::Boolean(_), TypedCell::Boolean(value)) => Some(f64::from(u8::from(value))),
            (CodecKind::Category(words), TypedCell::Boolean(value)) => {
                words.truth(value).or(self.other_code()).map(f64::from)
            }
            (CodecKind::Date(_, format) | CodecKind::DateTime(_, format), cell) => match format.own(cell) {
                Some(value) => self.raw_whole(value),
                None => self.raw_text(&cell.text()),
            },
            _ => self.raw_text(&cell.text()),
        }
    }

    /// The number in a cell that is written for a code: what [`raw_text`](Self::raw_text) would
    /// read back.
    pub fn raw_decoded(&self, code: u32, bits: u64) -> Option<f64> {
        match self.decode(code, bits) {
            CellValue::Missing => None,
            CellValue::Integer(value) | CellValue::DateTime(value) => Some(value as f64),
            CellValue::Number(value) => Some(value),
            CellValue::Date(days) => Some(f64::from(days)),
            CellValue::Text(_) => Some(f64::from(code)),
        }
    }

    /// A missing token that reads as a number is missing, as it is in coding. Adding 0.0 turns -0.0
    /// into 0.0.
    fn raw_real(&self, value: f64) -> Option<f64> {
        let sentinels = &self.sentinels.0;
        let told = match self.kind {
            CodecKind::Integer(_) => {
                !sentinels.whole.is_empty() && sentinels.whole.contains(&scan::floor_to_integer(value))
            }
            _ => sentinels.real.contains(&value),
        };
        (value.is_finite() && !told).then_some(value + 0.0)
    }

    fn raw_whole(&self, value: i64) -> Option<f64> {
        (!self.sentinels.0.whole.contains(&value)).then_some(value as f64)
    }

    /// A word's code, unless the cell is a missing token that the column does not list as a word.
    fn raw_word(&self, cell: &[u8], code: u32) -> Option<f64> {
        if Some(code) == self.missing_code() {
            return None;
        }
        // Only cells that got the code of missing ones can be missing: nearly all cells are done
        // here.
        if code != self.fallback.0.0 {
            return Some(f64::from(code));
        }
        let text = trim(cell);
        let is_listed = match self.decode(code, 0) {
            CellValue::Text(word) => word.trim_ascii().as_bytes() == text,
            _ => false,
        };
        (is_listed || !self.rules.means_missing(text)).then_some(f64::from(code))
    }
}

#[cfg(test)]
mod tests {
    use crate::codec::TypedCell;
    use crate::{AttrId, Schema};

    fn schema(column: &str) -> Schema {
        Schema::parse(&format!("missing_tokens = ['NA', '-1', '9999']\n[columns.a]\n{column}"), "test").unwrap()
    }

    fn raw(column: &str, cells: &[&str]) -> Vec<Option<f64>> {
        let schema = schema(column);
        cells.iter().map(|cell| schema.codec(AttrId(0)).raw_text(cell.as_bytes())).collect()
    }

    #[test]
    fn numbers_are_neither_clamped_nor_binned() {
        let integer = "type = 'integer'\nrange = [0, 100]\nbins = 4\nmissing = true";
        assert_eq!(
            raw(integer, &["7", " 101", "-5", "3.7", "1e3", "-1", "9999", "NA", "", "x", "inf", "nan"]),
            [Some(7.0), Some(101.0), Some(-5.0), Some(3.7), Some(1e3), None, None, None, None, None, None, None]
        );
        let number = "type = 'number'\nrange = [-10, 10]\nbins = 4";
        // -1 lies in this range, so it is a value, as it is in coding.
        assert_eq!(
            raw(number, &["2.5", "-1", "9999", "11", "-0"]),
            [Some(2.5), Some(-1.0), None, Some(11.0), Some(0.0)]
        );
        let comma = Schema::parse("decimal = ','\n[columns.a]\ntype = 'number'\nrange = [0, 9]", "test").unwrap();
        assert_eq!(comma.codec(AttrId(0)).raw_text(b"2,5"), Some(2.5));
        assert_eq!(comma.codec(AttrId(0)).raw_text(b"2.5"), None);
    }

    #[test]
    fn dates_count_days_and_moments_seconds() {
        let date = "type = 'date'\nrange = ['2020-01-01', '2020-12-31']\nformat = '%d/%m/%Y'";
        assert_eq!(raw(date, &["02/01/1970", "01/01/2031", "2020-01-01"]), [Some(1.0), Some(22_280.0), None]);
        let moment = "type = 'datetime'\nrange = ['2020-01-01', '2020-12-31']";
        assert_eq!(raw(moment, &["1970-01-01T00:01", "NA"]), [Some(60.0), None]);
    }

    #[test]
    fn words_are_codes() {
        let listed = "type = 'category'\nvalues = ['b', 'NA', 'a']";
        assert_eq!(raw(listed, &["a", "NA", " b ", "", "c"]), [Some(2.0), Some(1.0), Some(0.0), None, None]);
        let other = "type = 'category'\nvalues = ['b', 'a']\nother = 'rest'\nmissing = true";
        assert_eq!(raw(other, &["a", "rest", "c", "NA", ""]), [Some(1.0), Some(2.0), Some(2.0), None, None]);
        assert_eq!(raw("type = 'boolean'", &["yes", "false", "?", "NA"]), [Some(1.0), Some(0.0), None, None]);
    }

    #[test]
    fn typed_values_read_as_their_text() {
        for column in [
            "type = 'integer'\nrange = [0, 100]",
            "type = 'number'\nrange = [0, 100]",
            "type = 'category'\nvalues = ['5', '1']",
            "type = 'date'\nrange = ['2020-01-01', '2020-12-31']",
            "type = 'datetime'\nrange = ['2020-01-01', '2020-12-31']",
        ] {
            let schema = schema(column);
            let codec = schema.codec(AttrId(0));
            for value in [5, 1, -1, 9999, 300] {
                assert_eq!(
                    codec.raw(TypedCell::Integer(value)),
                    codec.raw_text(value.to_string().as_bytes()),
                    "{column} {value}"
                );
                assert_eq!(
                    codec.raw(TypedCell::Number(value as f64)),
                    codec.raw(TypedCell::Integer(value)),
                    "{column} {value}"
                );
            }
            assert_eq!(codec.raw(TypedCell::Date(18_300)), codec.raw_text(b"2020-02-08"), "{column}");
            assert_eq!(
                codec.raw(TypedCell::DateTime(18_300 * 86_400)),
                codec.raw_text(b"2020-02-08T00:00:00"),
                "{column}"
            );
            assert_eq!(codec.raw(TypedCell::Boolean(true)), codec.raw_text(b"1"), "{column}");
            assert_eq!(codec.raw(TypedCell::Number(f64::NAN)), None);
        }
    }

    /// What is written for a code is read back as the same number.
    #[test]
    fn decoded_cells_read_back() {
        for column in [
            "type = 'integer'\nrange = [0, 100]\nbins = 3\nmissing = true",
            "type = 'number'\nrange = [0, 1]\nbins = 3",
            "type = 'category'\nvalues = ['b', 'a']\nmissing = true",
            "type = 'boolean'",
            "type = 'date'\nrange = ['2020-01-01', '2020-12-31']\nbins = 3",
            "type = 'datetime'\nrange = ['2020-01-01', '2020-12-31']\nbins = 3",
        ] {
            let schema = schema(column);
            let codec = schema.codec(AttrId(0));
            for code in 0..codec.size() {
                let mut text = Vec::new();
                codec.write_text(&codec.decode(code, u64::MAX / 3), &mut text);
                assert_eq!(codec.raw_decoded(code, u64::MAX / 3), codec.raw_text(&text), "{column} {code}");
            }
        }
    }
}
