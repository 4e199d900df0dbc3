//! Cells as numbers, read as the schema says but neither clamped nor binned.
//!
//! Steward-only: this is how two files are compared that somebody may see. It is no part of a
//! release, and nothing that is released passes through it. Records are those of the coded reader,
//! in its order: row 7 here is row 7 there.

use lookalike_schema::Schema;

use super::arrow;
use super::input::{Input, ReadOptions, ReadWatch};
use super::parts::Parts;
use super::raw_block::RawBlock;
use super::text_wish::TextWish;
use crate::error::TableError;

/// A table whose cells may be looked at as they stand. Steward-only.
pub struct RawFile {
    input: Input,
    options: ReadOptions,
    schema: Schema,
}

impl RawFile {
    /// Cells of a file, for the steward's own comparison, outside any release. Loud on purpose.
    pub fn for_steward_only(input: Input, schema: Schema, options: ReadOptions) -> Self {
        Self { input, options, schema }
    }

    /// Reads the file once and calls `each` with blocks of these modelled columns, in row order. A
    /// name that the schema does not model gives a column of missing cells.
    ///
    /// `Err` as for [`crate::PrivateTable::read`], or from `each`.
    pub fn for_each_block(
        &self,
        columns: &[&str],
        watch: &dyn ReadWatch,
        each: &mut dyn FnMut(RawBlock) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let Self { input, options, schema } = self;
        if let Some(mut batches) = input.batches(watch)? {
            return arrow::for_each_raw_block(&mut batches, schema, columns, watch, each);
        }
        let parts = Parts::open(input, TextWish::new(options, Some(schema)), watch)?;
        let names = parts.names().to_vec();
        let schema = schema.arranged(&names)?;
        parts.for_each(watch, &mut |part, fitting, watch| {
            part.for_each_raw_block(fitting, (&names, &schema), columns, watch, each)
        })
    }
}
