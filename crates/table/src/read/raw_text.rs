//! Cells of delimited text as numbers. Steward-only, see `read/raw.rs`.

use lookalike_schema::{Codec, Schema};

use super::chunks::{Chunk, target_for};
use super::encode::stripe_of;
use super::fitting::Fitting;
use super::input::ReadWatch;
use super::raw_block::{RawBlock, raw_codecs, raw_slots};
use super::records::Dialect;
use super::split::{Splitter, UNWANTED};
use super::text::{TextFile, for_each_chunk};
use crate::error::TableError;

/// Records that are split at a time.
const STRIPE: usize = 128;

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
