//! Cells as numbers, read as the schema says but neither clamped nor binned.
//!
//! Steward-only: this is how two files are compared that somebody may see. It is no part of a
//! release, and nothing that is released passes through it. Records are those of the coded reader,
//! in its order: row 7 here is row 7 there.

use lookalike_schema::{Codec, Schema};

use super::chunks::{Chunk, target_for};
use super::encode::stripe_of;
use super::fitting::Fitting;
use super::input::{Input, ReadOptions, ReadWatch};
use super::parts::Parts;
use super::raw_block::{RawBlock, raw_codecs, raw_slots};
use super::records::Dialect;
use super::split::{Splitter, UNWANTED};
use super::text::{TextFile, for_each_chunk};
use super::{arrow, wish};
use crate::error::TableError;

/// Records that are split at a time.
const STRIPE: usize = 128;

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
        if let Input::Batches(held) = input {
            return arrow::for_each_raw_block(held.batches(), schema, columns, watch, each);
        }
        let parts = Parts::open(input, wish(options, Some(schema)), watch)?;
        let names = parts.names().to_vec();
        let schema = schema.arranged(&names)?;
        parts.for_each(watch, &mut |part, fitting, watch| {
            part.for_each_raw_block(fitting, (&names, &schema), columns, watch, each)
        })
    }
}

/// Calls `each` with blocks of a text.
pub(super) fn text_blocks(
    file: TextFile<'_>,
    fitting: &Fitting,
    (names, schema): (&[String], &Schema),
    columns: &[&str],
    watch: &dyn ReadWatch,
    each: &mut dyn FnMut(RawBlock) -> Result<(), TableError>,
) -> Result<(), TableError> {
    let of_table = raw_slots(names, columns);
    let (slots, codecs, dialect) = (fitting.slots(&of_table, UNWANTED), raw_codecs(schema, columns), file.dialect());
    let mut same = vec![None; columns.len()];
    for (column, &slot) in of_table.iter().enumerate() {
        if let (Some(known), Some(cell)) = (same.get_mut(slot as usize), fitting.same(column)) {
            *known = Some(number(codecs[slot as usize], cell));
        }
    }
    // A cell takes eight bytes here, a code one to four.
    let (chunker, progress) = file.chunks();
    let chunker = chunker.with_target(target_for(4 * columns.len()));
    for_each_chunk(chunker, &progress, watch, |chunk| cells(chunk, dialect, &slots, &codecs, &same), each)
}

/// All records of a chunk.
fn cells(chunk: &Chunk, dialect: Dialect, slots: &[u32], codecs: &[Option<&Codec>], same: &[Option<f64>]) -> RawBlock {
    let width = codecs.len();
    let mut splitter = Splitter::new(chunk, dialect, slots, width);
    let mut columns = vec![Vec::new(); width];
    let mut cells = Vec::new();
    let mut rows = 0;
    loop {
        let count = splitter.split(stripe_of(width, STRIPE), &mut cells);
        if count == 0 {
            return RawBlock { rows, columns };
        }
        rows += count;
        for (place, (column, &codec)) in columns.iter_mut().zip(codecs).enumerate() {
            match same[place] {
                Some(number) => column.extend(std::iter::repeat_n(number, count)),
                None => {
                    column.extend(cells.chunks_exact(width).map(|row| number(codec, splitter.bytes(row[place]))));
                }
            }
        }
    }
}

/// The number that a cell is; a NaN when it is missing.
fn number(codec: Option<&Codec>, cell: &[u8]) -> f64 {
    codec.and_then(|codec| codec.raw_text(cell)).unwrap_or(f64::NAN)
}
