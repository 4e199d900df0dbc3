//! Whether a cell is one that the schema describes. For the steward's check; coding itself never
//! asks.

use super::scan::trim;
use super::{Codec, CodecKind};

impl Codec {
    /// Whether the cell is inside the range or among the words, or is missing and the column has a
    /// code for that. Other cells are coded all the same: clamped, or as `other`, missing or the
    /// first code.
    pub fn covers_text(&self, cell: &[u8]) -> bool {
        self.fits_text(cell).unwrap_or(self.has_missing)
    }

    /// Whether the cell is inside the range or among the words; `None` for a missing cell, which
    /// says nothing about either.
    pub fn fits_text(&self, cell: &[u8]) -> Option<bool> {
        let text = trim(cell);
        let missing = self.rules.means_missing(text);
        let inside = match &self.kind {
            CodecKind::Integer(axis) => self.read_integer(cell).map(|value| axis.contains(value)),
            CodecKind::Number(axis) => self.read_number(cell).map(|value| axis.contains(value)),
            CodecKind::Date(axis, format) | CodecKind::DateTime(axis, format) => {
                format.parse(cell).map(|value| axis.contains(value))
            }
            CodecKind::Category(words) => {
                let listed = |text: &[u8]| {
                    words.values().iter().map(String::as_str).chain(words.other()).any(|word| word.as_bytes() == text)
                };
                Some(words.code(cell).is_some() && (!missing || listed(text)))
            }
            CodecKind::Boolean(words) => Some(words.code(cell).is_some() && !missing),
        };
        let inside = inside.unwrap_or(false);
        (inside || !missing).then_some(inside)
    }
}

#[cfg(test)]
mod tests {
    use crate::{AttrId, Schema};

    fn covered(column: &str, cells: &[&str]) -> Vec<bool> {
        let schema = Schema::parse(&format!("[columns.a]\n{column}"), "test").unwrap();
        cells.iter().map(|cell| schema.codec(AttrId(0)).covers_text(cell.as_bytes())).collect()
    }

    #[test]
    fn cells_inside_and_outside() {
        let integer = "type = 'integer'\nrange = [0, 9]\n";
        assert_eq!(
            covered(integer, &["0", " 9 ", "10", "-1", "x", "", "NA"]),
            [true, true, false, false, false, false, false]
        );
        assert_eq!(covered(&format!("{integer}missing = true"), &["", "NA", "x"]), [true, true, false]);
        assert_eq!(
            covered("type = 'category'\nvalues = ['a', 'NA']\nother = 'rest'", &["a", "NA", "rest", "b", ""]),
            [true, true, true, false, false]
        );
        assert_eq!(covered("type = 'boolean'", &["true", "no", "maybe", ""]), [true, true, false, false]);
        assert_eq!(
            covered("type = 'date'\nrange = ['2020-01-01', '2020-12-31']", &["2020-05-05", "2021-01-01"]),
            [true, false]
        );
        assert_eq!(covered("type = 'number'\nrange = [0, 1]", &["0.5", "1.5", "inf"]), [true, false, false]);
    }
}
