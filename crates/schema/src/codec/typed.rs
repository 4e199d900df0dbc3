//! Cells of files that have types.

use super::calendar::{write_iso_date, write_iso_datetime};
use super::scan::{plain, write_integer};

/// One cell of a typed file, as the file holds it. It may be private, so it cannot be printed.
#[derive(Clone, Copy)]
pub enum TypedCell<'a> {
    /// An empty cell.
    Missing,
    /// An integer.
    Integer(i64),
    /// A number. A NaN is a missing cell.
    Number(f64),
    /// A truth value.
    Boolean(bool),
    /// Days since 1970-01-01.
    Date(i64),
    /// Seconds since 1970-01-01T00:00:00.
    DateTime(i64),
    /// Text, or bytes that may be text.
    Text(&'a [u8]),
}

impl TypedCell<'_> {
    /// The text of a cell in a column of another type: category 3 of a typed file is the word "3",
    /// and a day may be the integer 20240331.
    pub(super) fn text(self) -> Vec<u8> {
        let mut text = Vec::with_capacity(20);
        match self {
            Self::Missing => {}
            Self::Integer(value) => write_integer(value, &mut text),
            Self::Number(value) => text.extend_from_slice(plain(value).as_bytes()),
            Self::Boolean(value) => text.push(b'0' + u8::from(value)),
            Self::Date(days) => write_iso_date(days, &mut text),
            Self::DateTime(seconds) => write_iso_datetime(seconds, &mut text),
            Self::Text(bytes) => text.extend_from_slice(bytes),
        }
        text
    }
}
