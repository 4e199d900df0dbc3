//! Writing synthetic rows: CSV and Parquet, decoded block by block.
// SKELETON: the table owner splits this into files.

use std::io::Write;

use lookalike_schema::Schema;

use crate::TableError;

/// Codes of consecutive rows: one slice a modelled column, and where the block begins (for fresh ids).
pub struct CodeBlock<'a> {
    /// The number of the first row, from 0; ids are 1 more.
    pub first_row: u64,
    /// The number of rows (columns may be none when only ids are written).
    pub rows: usize,
    /// One slice of codes for each modelled column, in attribute order.
    pub columns: &'a [Vec<u32>],
}

/// A block in the output's own form, made in parallel, written in order.
pub struct RenderedBlock {}

/// Writes a table whole. Column order is the schema's; ignored columns are left out.
#[allow(missing_docs, unused_variables)]
pub trait RowSink: Send + Sync {
    /// Turns codes into output form. `bits` gives uniform words for places inside bins, one a cell, column by column.
    fn render(&self, block: &CodeBlock<'_>, bits: &mut dyn FnMut() -> u64) -> Result<RenderedBlock, TableError>;
    fn write(&mut self, block: RenderedBlock) -> Result<(), TableError>;
    fn finish(self: Box<Self>) -> Result<(), TableError>;
}

/// CSV with a header, comma, LF, quotes where needed.
#[allow(unused_variables)]
pub fn csv_sink<'a>(
    schema: &'a Schema,
    out: Box<dyn Write + Send + Sync + 'a>,
) -> Result<Box<dyn RowSink + 'a>, TableError> {
    todo!()
}

/// Parquet with the columns' own types, zstd.
#[allow(unused_variables)]
pub fn parquet_sink<'a>(
    schema: &'a Schema,
    out: Box<dyn Write + Send + Sync + 'a>,
) -> Result<Box<dyn RowSink + 'a>, TableError> {
    todo!()
}
