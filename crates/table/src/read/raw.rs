//! Cells as numbers, read as the schema says but neither clamped nor binned.
//!
//! Steward-only: this is how two files are compared that somebody may see. It is no part of a
//! release, and nothing that is released passes through it. Records are those of the coded reader,
//! in its order: row 7 here is row 7 there.

use std::io::Read;

use lookalike_schema::{Codec, Schema};

use super::arrow;
use super::chunks::{Chunk, Chunker, target_for};
use super::encode::stripe_of;
use super::header::read_header;
use super::input::{Input, ReadOptions, ReadWatch};
use super::parquet::ParquetFile;
use super::raw_block::{RawBlock, raw_codecs, raw_slots};
use super::records::Dialect;
use super::source::{Body, Progress, open};
use super::split::Splitter;
use super::text::for_each_chunk;
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
        let Self { input, options, .. } = self;
        let source = open(input, watch)?;
        let delimiter = options.delimiter.or_else(|| self.schema.delimiter()).or_else(|| input.delimiter());
        match source.body {
            Body::Text(stream) => {
                let how = (delimiter, options.multiline || self.schema.multiline());
                text_blocks((source.name, stream, &source.progress), how, &self.schema, columns, watch, each)
            }
            Body::Parquet(file) => {
                ParquetFile::open(source.name, file)?.for_each_raw_block(&self.schema, columns, watch, each)
            }
            Body::Batches(held) => arrow::for_each_raw_block(held.batches(), &self.schema, columns, watch, each),
        }
    }
}

/// Calls `each` with blocks of a text.
fn text_blocks(
    (name, mut stream, progress): (String, Box<dyn Read + Send + '_>, &Progress),
    (delimiter, multiline): (Option<u8>, bool),
    schema: &Schema,
    columns: &[&str],
    watch: &dyn ReadWatch,
    each: &mut dyn FnMut(RawBlock) -> Result<(), TableError>,
) -> Result<(), TableError> {
    let opened = read_header(&name, &mut stream, delimiter, multiline)?;
    let schema = schema.arranged(&opened.names)?;
    let slots = raw_slots(&opened.names, columns);
    let codecs = raw_codecs(&schema, columns);
    // A cell takes eight bytes here, a code one to four.
    let target = target_for(4 * columns.len());
    let chunker = Chunker::new(name, stream, opened.dialect, opened.rest).with_target(target);
    for_each_chunk(chunker, progress, watch, |chunk| cells(chunk, opened.dialect, &slots, &codecs), each)
}

/// All records of a chunk.
fn cells(chunk: &Chunk, dialect: Dialect, slots: &[u32], codecs: &[Option<&Codec>]) -> RawBlock {
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
        for (place, (column, codec)) in columns.iter_mut().zip(codecs).enumerate() {
            let read = |bytes: &[u8]| codec.and_then(|codec| codec.raw_text(bytes)).unwrap_or(f64::NAN);
            column.extend(cells.chunks_exact(width).map(|row| read(splitter.bytes(row[place]))));
        }
    }
}
