//! Writing synthetic rows: CSV, Parquet and Arrow batches, decoded block by block.

mod arrow;
mod csv;
mod parquet;
mod parquet_form;
mod rows;
mod typed;

use std::io::Write;

use lookalike_schema::Schema;

pub use self::arrow::BatchWriter;
pub use self::rows::{CodeBlock, RenderedBlock, RowSink};

use crate::error::TableError;

/// Delimited text with a header, in the dialect that the schema states
/// ([`RowForm`](lookalike_schema::RowForm)): commas, line feeds and quotes where needed, unless it
/// says otherwise.
pub fn csv_sink<'a>(
    schema: &'a Schema,
    out: Box<dyn Write + Send + Sync + 'a>,
) -> Result<Box<dyn RowSink + 'a>, TableError> {
    Ok(Box::new(csv::CsvSink::new(schema, out)?))
}

/// Parquet with the columns' own types, zstd.
///
/// Columns have the types that the schema states. Otherwise integers are stored as 64-bit integers,
/// numbers as doubles, dates and datetimes (to the millisecond) as such, words as text in
/// dictionaries, booleans as booleans when their words are `false` and `true`, ids as 64-bit
/// integers, or as text where they have a pattern. Ignored columns that are kept are text without a
/// value. There is no key-value metadata, but for an Arrow schema where the schema states types.
pub fn parquet_sink<'a>(
    schema: &'a Schema,
    out: Box<dyn Write + Send + Sync + 'a>,
) -> Result<Box<dyn RowSink + 'a>, TableError> {
    Ok(Box::new(parquet::ParquetSink::new(schema, out)?))
}
