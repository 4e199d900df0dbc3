//! Facts that nobody can state in public, and that a release buys: which there are, how cells are
//! read for them, and how what was found becomes a schema.
//!
//! An [`OpenSchema`] says which facts are open. [`CellReader`] is the data by which an engine
//! counts cells before there are codes: each cell has at most one place, by a fixed rule on its own
//! text, so that such a count is a marginal like any other. What is found, and how much noise it
//! takes, is decided elsewhere; nothing here sees rows.

mod dress;
mod found;
mod grids;
mod open;
mod reader;
mod readings;
#[cfg(test)]
mod tests;

use crate::codec::scan;

pub use dress::{DressWord, Fraction, NumberShape};
pub use found::{FoundColumn, FoundText};
pub use grids::{EdgeGrid, MAGNITUDES, Magnitude, MonthGrid};
pub use open::{OpenSchema, Wish};
pub use reader::{CellReader, DateText, NumberText};
pub use readings::{DateWriting, READINGS, Reading, TimeWriting, date_patterns};

/// The most values of a column that are kept, those with the largest noisy counts.
pub const MOST_VALUES: usize = 5000;

/// The word that all values share which were not found.
pub const OTHER: &str = "other";

/// A cell as a value of a category: without white space around it, and cut at a character where it
/// is longer than 256 bytes.
pub fn as_value(cell: &[u8]) -> &[u8] {
    scan::as_value(cell)
}
