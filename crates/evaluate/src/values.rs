//! What codes are worth as numbers.

use lookalike_schema::{Codec, Meaning, Schema};

/// The value of each code of an ordered column: the middle of what it stands for; `None` for the
/// missing code. Dates are days and datetimes seconds since 1970; booleans 0 and 1. Nothing for
/// categories, which have no order.
pub fn code_values(codec: &Codec) -> Option<Vec<Option<f64>>> {
    if !codec.is_ordered() {
        return None;
    }
    let value = |code: u32| match codec.meaning(code) {
        Meaning::Integers(first, last) | Meaning::Dates(first, last) | Meaning::DateTimes(first, last) => {
            Some((first as f64 + last as f64) / 2.0)
        }
        Meaning::Numbers(first, last) => Some(first / 2.0 + last / 2.0),
        Meaning::Word(_) | Meaning::Other(_) => Some(f64::from(code)),
        Meaning::Missing => None,
    };
    Some((0..codec.size()).map(value).collect())
}

/// Whether each modelled column is ordered.
pub fn ordered_columns(schema: &Schema) -> Vec<bool> {
    schema.domain().attributes().map(|attribute| schema.codec(attribute).is_ordered()).collect()
}
