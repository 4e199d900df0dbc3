//! Cells as numbers, read as the schema says but neither clamped nor binned.
//!
//! Steward-only: this is how two files are compared that somebody may see. It is no part of a
//! release, and nothing that is released passes through it. Records are those of the coded reader,
//! in its order: row 7 here is row 7 there.

use std::io::Read;

use arrow_array::RecordBatch;
use lookalike_schema::{Codec, Schema};
use rayon::prelude::*;

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
use super::text::tell;
use crate::error::TableError;

/// Records that are split at a time.
const STRIPE: usize = 128;

/// A table whose cells may be looked at as they stand. Steward-only.
pub struct RawFile {
    cells: Cells,
    schema: Schema,
}

enum Cells {
    File(Input, ReadOptions),
    Batches(Vec<RecordBatch>),
}

impl RawFile {
    /// Cells of a file, for the steward's own comparison, outside any release. Loud on purpose.
    pub fn for_steward_only(input: Input, schema: Schema, options: ReadOptions) -> Self {
        Self { cells: Cells::File(input, options), schema }
    }

    /// Cells of Arrow batches, all with the same columns. Loud on purpose, too.
    pub fn batches_for_steward_only(batches: Vec<RecordBatch>, schema: Schema) -> Self {
        Self { cells: Cells::Batches(batches), schema }
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
        let (input, options) = match &self.cells {
            Cells::File(input, options) => (input, options),
            Cells::Batches(batches) => return arrow::for_each_raw_block(batches, &self.schema, columns, watch, each),
        };
        let source = open(input, watch)?;
        let delimiter = options.delimiter.or_else(|| self.schema.delimiter()).or_else(|| input.delimiter());
        match source.body {
            Body::Text(stream) => {
                let multiline = options.multiline || self.schema.multiline();
                let text = Text { name: source.name, stream, progress: &source.progress, delimiter, multiline };
                text.for_each_block(&self.schema, columns, watch, each)
            }
            Body::Parquet(file) => {
                ParquetFile::open(source.name, file)?.for_each_raw_block(&self.schema, columns, watch, each)
            }
        }
    }
}

struct Text<'a> {
    name: String,
    stream: Box<dyn Read + Send + 'a>,
    progress: &'a Progress,
    delimiter: Option<u8>,
    multiline: bool,
}

impl Text<'_> {
    fn for_each_block(
        mut self,
        schema: &Schema,
        columns: &[&str],
        watch: &dyn ReadWatch,
        each: &mut dyn FnMut(RawBlock) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let opened = read_header(&self.name, &mut self.stream, self.delimiter, self.multiline)?;
        let schema = schema.arranged(&opened.names)?;
        let slots = raw_slots(&opened.names, columns);
        let codecs = raw_codecs(&schema, columns);
        // A cell takes eight bytes here, a code one to four.
        let target = target_for(4 * columns.len());
        let mut chunker = Chunker::new(self.name, self.stream, opened.dialect, opened.rest).with_target(target);
        let at_once = 2 * rayon::current_num_threads();
        let mut batch = chunker.batch(at_once)?;
        while !batch.is_empty() {
            if watch.cancelled() {
                return Err(TableError::Cancelled);
            }
            let (ahead, blocks) = rayon::join(
                || chunker.batch(at_once),
                || batch.par_iter().map(|chunk| cells(chunk, opened.dialect, &slots, &codecs)).collect::<Vec<_>>(),
            );
            blocks.into_iter().try_for_each(&mut *each)?;
            let done = std::mem::replace(&mut batch, ahead?);
            done.into_iter().for_each(|chunk| chunker.recycle(chunk));
            tell(self.progress, watch);
        }
        Ok(())
    }
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
