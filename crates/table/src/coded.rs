//! Coded columns in row blocks.
// SKELETON: the table owner fills this in.

use lookalike_schema::{Domain, Schema};

use crate::{Input, ReadOptions, ReadWatch, TableError};

/// Private rows as codes. Unprintable by construction: no `Debug`, `Clone` or serialisation.
pub struct PrivateTable {}

/// Rows that may be looked at: synthetic, public, or opened for the steward.
pub struct Table {}

#[allow(missing_docs, unused_variables)]
impl PrivateTable {
    /// Reads and codes the whole input. The table's schema stands in the input's column order.
    pub fn read(
        input: &Input,
        schema: &Schema,
        options: &ReadOptions,
        watch: &dyn ReadWatch,
    ) -> Result<Self, TableError> {
        todo!()
    }
    /// The schema, arranged in the input's column order.
    pub fn schema(&self) -> &Schema {
        todo!()
    }
    /// A table from codes in memory (tests, demo data, other engines): one vector a modelled column, all of one length.
    pub fn from_columns(schema: &Schema, columns: Vec<Vec<u32>>) -> Self {
        todo!()
    }
    /// Opens the rows for the steward's own comparison, outside any release. Loud on purpose.
    pub fn open_for_steward_only(self) -> Table {
        todo!()
    }
}

#[allow(missing_docs, unused_variables)]
impl Table {
    pub fn read(
        input: &Input,
        schema: &Schema,
        options: &ReadOptions,
        watch: &dyn ReadWatch,
    ) -> Result<Self, TableError> {
        todo!()
    }
    pub fn from_columns(schema: &Schema, columns: Vec<Vec<u32>>) -> Self {
        todo!()
    }
    pub fn schema(&self) -> &Schema {
        todo!()
    }
    pub fn domain(&self) -> &Domain {
        todo!()
    }
    pub fn rows(&self) -> u64 {
        todo!()
    }
}
