//! Domain files of mbi: `{"age": 85}`, columns of codes from 0.

use serde_json::{Value, json};

use super::super::code_book::CodeBook;
use super::super::column::BookColumn;
use crate::SchemaError;
use crate::schema::MOST_CODES;

/// Whether everything is a size.
pub(super) fn is_domain(entries: &[(String, Value)]) -> bool {
    !entries.is_empty() && entries.iter().all(|(_, size)| size.is_number())
}

/// Columns of whole numbers, one bin a code and none missing; other columns are skipped, as that
/// tool does.
pub(super) fn read(entries: Vec<(String, Value)>) -> Result<CodeBook, SchemaError> {
    let column = |(name, size): &(String, Value)| {
        let size = size.as_u64().filter(|size| (1..=MOST_CODES).contains(size)).ok_or_else(|| {
            let help = "give the number of codes that the column has";
            SchemaError::column(name, "its size is not a whole number from 1 to 1,000,000", help)
        })?;
        let column = BookColumn::ranged(name, "integer", Some([json!(0), json!(size - 1)]));
        Ok(column.with("bins", json!(size)).with("missing", json!(false)))
    };
    CodeBook::new(entries.iter().map(column).collect::<Result<_, SchemaError>>()?, true)
}
