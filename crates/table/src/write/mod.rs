//! Writing synthetic rows: CSV, Parquet and Arrow batches, decoded block by block.

mod arrow;
mod csv;
mod parquet;
mod typed;

use std::io::Write;

use lookalike_schema::{Codec, Role, Schema};

pub use self::arrow::BatchWriter;

use crate::error::TableError;

/// Codes of consecutive rows: one slice a modelled column, and where the block begins (for fresh
/// ids).
pub struct CodeBlock<'a> {
    /// The number of the first row, from 0; ids are 1 more.
    pub first_row: u64,
    /// The number of rows (columns may be none when only ids are written).
    pub rows: usize,
    /// One slice of codes for each modelled column, in attribute order.
    pub columns: &'a [Vec<u32>],
}

/// A block in the output's own form, made in parallel, written in order.
pub struct RenderedBlock(Rendered);

enum Rendered {
    Csv(Vec<u8>),
    Parquet { rows: usize, pieces: Vec<typed::ColumnCells> },
}

/// Writes a table whole. Column order is the schema's; ignored columns are left out.
pub trait RowSink: Send + Sync {
    /// Turns codes into output form. `bits` gives uniform words for places inside bins, one a cell,
    /// column by column: all rows of the first modelled column, then all of the second, and so on,
    /// in every format.
    fn render(&self, block: &CodeBlock<'_>, bits: &mut dyn FnMut() -> u64) -> Result<RenderedBlock, TableError>;
    /// Writes a block behind those before it.
    fn write(&mut self, block: RenderedBlock) -> Result<(), TableError>;
    /// Writes what is left (a footer, buffers) and checks that it arrived.
    fn finish(self: Box<Self>) -> Result<(), TableError>;
}

/// CSV with a header, the schema's delimiter (a comma when it names none), LF, quotes where needed.
///
/// The delimiter is the schema's so that the output can be read with the schema it was made from.
pub fn csv_sink<'a>(
    schema: &'a Schema,
    out: Box<dyn Write + Send + Sync + 'a>,
) -> Result<Box<dyn RowSink + 'a>, TableError> {
    Ok(Box::new(csv::CsvSink::new(schema, out)?))
}

/// Parquet with the columns' own types, zstd.
///
/// Integers are stored as 64-bit integers, numbers as doubles, dates and datetimes (to the
/// millisecond) as such, words as text in dictionaries, booleans as booleans when their words are
/// `false` and `true`, ids as 64-bit integers. There is no key-value metadata.
pub fn parquet_sink<'a>(
    schema: &'a Schema,
    out: Box<dyn Write + Send + Sync + 'a>,
) -> Result<Box<dyn RowSink + 'a>, TableError> {
    Ok(Box::new(parquet::ParquetSink::new(schema, out)?))
}

/// What one output column holds.
#[derive(Clone, Copy)]
enum Content<'a> {
    /// Fresh ids.
    Id,
    /// A modelled column: its attribute's number and its codec.
    Codes(usize, &'a Codec),
}

/// The output's columns, in order: names and contents.
fn contents(schema: &Schema) -> Vec<(&str, Content<'_>)> {
    let mut attribute = 0;
    let mut out = Vec::new();
    for column in schema.columns() {
        match &column.role {
            Role::Ignored => {}
            Role::Id => out.push((column.name.as_str(), Content::Id)),
            Role::Modelled(codec) => {
                out.push((column.name.as_str(), Content::Codes(attribute, codec)));
                attribute += 1;
            }
        }
    }
    out
}

/// The words for all cells of a block, in the order that every format keeps: `rows` for the first
/// column, then for the second.
fn draw(block: &CodeBlock<'_>, bits: &mut dyn FnMut() -> u64) -> Vec<u64> {
    (0..block.rows * block.columns.len()).map(|_| bits()).collect()
}

fn io_error(source: std::io::Error) -> TableError {
    TableError::Io { what: "writing the synthetic rows".to_owned(), source }
}
