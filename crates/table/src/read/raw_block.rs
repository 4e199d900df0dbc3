//! Some columns as numbers: what the readers of files and batches give for `raw`.

use std::collections::HashMap;

use lookalike_schema::{Codec, Schema};

use super::split::UNWANTED;

/// Some columns of consecutive rows; a missing cell is a NaN, a word its code. Private cells may be
/// inside: no `Debug`.
pub struct RawBlock {
    /// The number of rows.
    pub rows: usize,
    /// One vector for each column that was asked for, in the order of asking.
    pub columns: Vec<Vec<f64>>,
}

/// For each header column, the place of its cells in a row of the columns that were asked for.
pub(super) fn raw_slots(names: &[String], columns: &[&str]) -> Vec<u32> {
    let places: HashMap<&str, u32> = columns.iter().enumerate().map(|(place, &name)| (name, place as u32)).collect();
    names.iter().map(|name| places.get(name.as_str()).copied().unwrap_or(UNWANTED)).collect()
}

/// The codecs of these columns; `None` for a column that is not modelled.
pub(super) fn raw_codecs<'s>(schema: &'s Schema, columns: &[&str]) -> Vec<Option<&'s Codec>> {
    columns.iter().map(|name| schema.attribute(name).map(|attribute| schema.written_codec(attribute))).collect()
}
