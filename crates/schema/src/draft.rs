//! A first schema from data. Steward-only: it looks at rows without paying, and marks every fact it read for review.
// SKELETON

use crate::{Schema, SchemaError};

/// Watches text cells and proposes a schema.
pub struct Drafter {}

#[allow(missing_docs, unused_variables)]
impl Drafter {
    pub fn new(header: &[String]) -> Result<Self, SchemaError> {
        todo!()
    }
    /// One record's cells, padded or cut to the header's length by the caller.
    pub fn observe(&mut self, cells: &[&[u8]]) {
        todo!()
    }
    /// The drafted schema.
    pub fn finish(self) -> Result<Schema, SchemaError> {
        todo!()
    }
}
