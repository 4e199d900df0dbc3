//! Reading CSV, TSV and Parquet.
//!
//! Whether a file is a table is judged from its header line or Parquet schema alone. Further on,
//! cells never cause an error: bytes that cannot be decoded are bad cells, ragged records are
//! padded or cut. Only damage to the file as a whole (broken compression, a failing disk) stops a
//! reader, and no message quotes a cell.

mod arrow;
mod canonical;
mod chunks;
mod encode;
mod header;
mod input;
mod intake;
mod kept;
mod parquet;
mod patient;
mod persons;
mod raw;
mod raw_block;
mod records;
mod shapes;
mod source;
mod split;
mod text;
mod typed;

#[cfg(test)]
mod tests;

use lookalike_schema::Schema;

pub use self::input::{HeldBatches, Input, Kept, ReadOptions, ReadWatch, RowSource};
pub use self::parquet::expects_damage;
pub use self::persons::Persons;
pub use self::raw::RawFile;
pub use self::raw_block::RawBlock;
pub use self::shapes::{Places, Shapes};

pub(crate) use self::arrow::read_batches;
pub(crate) use self::canonical::canonical;
pub(crate) use self::intake::Terms;
pub(crate) use self::persons::{Bounder, Bounds, PersonKey, Tag, rows_memory};

use self::input::Unwatched;
use self::parquet::ParquetFile;
use self::source::{Body, open};
use crate::coded::CodedTable;
use crate::digest::Digests;
use crate::error::TableError;

/// The header of the input (file form only).
///
/// `Err` when the input cannot be opened or is not a table.
pub fn header_names(input: &Input, options: &ReadOptions) -> Result<Vec<String>, TableError> {
    let source = open(input, &Unwatched)?;
    let delimiter = options.delimiter.or_else(|| input.delimiter());
    match source.body {
        Body::Text(mut stream) => {
            header::read_header(&source.name, &mut stream, delimiter, options.multiline).map(|opened| opened.names)
        }
        Body::Parquet(file) => Ok(ParquetFile::open(source.name, file)?.names()),
        Body::Batches(held) => arrow::header_of(held.batches()),
    }
}

/// Steward-only: calls `each` with every record's text cells, padded or cut to the header's length
/// (typed Parquet cells as text). For drafts.
///
/// `Err` as for [`crate::PrivateTable::read`], or from `header`.
pub fn for_each_record(
    input: &Input,
    options: &ReadOptions,
    watch: &dyn ReadWatch,
    header: &mut dyn FnMut(&[String]) -> Result<(), TableError>,
    each: &mut dyn FnMut(&[&[u8]]),
) -> Result<(), TableError> {
    for_each_record_in_shape(input, options, watch, header, each, None)
}

/// Like [`for_each_record`]; records of a text file that are not what they should be are noted in
/// `shapes`. Steward-only.
///
/// `Err` as for [`for_each_record`].
pub fn for_each_record_in_shape(
    input: &Input,
    options: &ReadOptions,
    watch: &dyn ReadWatch,
    header: &mut dyn FnMut(&[String]) -> Result<(), TableError>,
    each: &mut dyn FnMut(&[&[u8]]),
    shapes: Option<&mut Shapes>,
) -> Result<(), TableError> {
    let source = open(input, watch)?;
    let delimiter = options.delimiter.or_else(|| input.delimiter());
    match source.body {
        Body::Text(stream) => {
            let how = (delimiter, options.multiline);
            text::for_each_record((source.name, stream, &source.progress), how, watch, header, each, shapes)
        }
        Body::Parquet(file) => {
            let file = ParquetFile::open(source.name, file)?;
            header(&file.names())?;
            file.for_each_record(false, watch, each)
        }
        Body::Batches(held) => arrow::for_each_record(&mut held.fetched(), false, watch, header, each),
    }
}

/// Calls `each` with every record's exact texts, in the order of the rows: what cells are before
/// there is a schema. `header` is told the columns first.
pub(crate) fn for_each_exact_record(
    source: RowSource<'_>,
    options: &ReadOptions,
    watch: &dyn ReadWatch,
    header: &mut dyn FnMut(&[String]) -> Result<(), TableError>,
    each: &mut dyn FnMut(&[&[u8]]),
) -> Result<(), TableError> {
    let input = match source {
        RowSource::Batches(batches) => return arrow::for_each_record(batches, true, watch, header, each),
        RowSource::Input(input) => input,
    };
    let source = open(input, watch)?;
    match source.body {
        Body::Text(stream) => {
            let how = (options.delimiter.or_else(|| input.delimiter()), options.multiline);
            text::for_each_record((source.name, stream, &source.progress), how, watch, header, each, None)
        }
        Body::Parquet(file) => {
            let file = ParquetFile::open(source.name, file)?;
            header(&file.names())?;
            file.for_each_record(true, watch, each)
        }
        Body::Batches(held) => arrow::for_each_record(&mut held.fetched(), true, watch, header, each),
    }
}

/// Reads and codes a whole input on these terms.
pub(crate) fn read_table(
    input: &Input,
    schema: &Schema,
    options: &ReadOptions,
    terms: Terms<'_>,
    watch: &dyn ReadWatch,
) -> Result<(CodedTable, Option<Digests>), TableError> {
    let source = open(input, watch)?;
    match source.body {
        Body::Text(stream) => {
            let delimiter = options.delimiter.or_else(|| schema.delimiter()).or_else(|| input.delimiter());
            let how = (delimiter, options.multiline || schema.multiline());
            text::read_table((source.name, stream, &source.progress), how, schema, terms, watch)
        }
        Body::Parquet(file) => ParquetFile::open(source.name, file)?.read_table(schema, terms, watch),
        Body::Batches(held) => read_batches(&mut held.fetched(), schema, terms, watch),
    }
}
