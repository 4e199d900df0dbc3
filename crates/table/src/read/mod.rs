//! Reading CSV, TSV, Parquet and Arrow, in one file or several.
//!
//! Whether a file is a table is judged from its header line or its stored schema alone. Further on,
//! cells never cause an error: bytes that cannot be decoded are bad cells, ragged records are
//! padded or cut. Only damage to the file as a whole (broken compression, a failing disk) stops a
//! reader, and no message quotes a cell.

mod arrow;
mod canonical;
mod chunks;
mod damage;
mod decoded;
mod difference;
mod encode;
mod files;
mod fitting;
mod header;
mod input;
mod intake;
mod ipc;
mod kept;
mod parquet;
mod part;
mod parts;
mod patient;
mod persons;
mod raw;
mod raw_block;
mod raw_text;
mod records;
mod remote;
mod shapes;
mod source;
mod split;
mod stretch;
mod text;
mod text_wish;
mod typed;
mod watch;

#[cfg(test)]
mod tests;

use lookalike_schema::Schema;

pub use self::damage::expects_damage;
pub use self::files::FileList;
pub use self::input::{HeldBatches, Input, Kept, ReadOptions, ReadWatch, RowSource};
pub use self::parts::HeaderForm;
pub use self::persons::Persons;
pub use self::raw::RawFile;
pub use self::raw_block::RawBlock;
pub use self::remote::{Batches, RemoteInput, RemoteRows, SourceFacts};
pub use self::shapes::{Places, Shapes};

pub(crate) use self::arrow::{fetched, read_batches};
pub(crate) use self::canonical::canonical;
pub(crate) use self::difference::Difference;
pub(crate) use self::intake::Terms;
pub(crate) use self::parquet::stored::ARROW_SCHEMA;
pub(crate) use self::persons::{Bounder, Bounds, PersonKey, TAG_BYTES, Tag, rows_memory};
pub(crate) use self::stretch::StretchTerms;

use self::intake::Layout;
use self::parts::Parts;
use self::text_wish::TextWish;
use self::watch::Unwatched;
use crate::coded::CodedTable;
use crate::digest::Digests;
use crate::error::TableError;

/// The header of the input (file form only).
///
/// `Err` when the input cannot be opened or is not a table.
pub fn header_names(input: &Input, options: &ReadOptions) -> Result<Vec<String>, TableError> {
    match input {
        Input::Batches(held) => arrow::header_of(held.batches()),
        Input::Remote(remote) => remote.rows().header(&Unwatched),
        _ => Ok(Parts::open(input, TextWish::new(options, None), &Unwatched)?.names().to_vec()),
    }
}

/// How rows have to be written that are to look like the input, as its header tells: a fact of no
/// row. It says nothing where the input cannot be read again, or lies on a server.
///
/// `Err` when the input cannot be opened or is not a table.
pub fn header_form(input: &Input, options: &ReadOptions) -> Result<HeaderForm, TableError> {
    match input {
        Input::Batches(held) => {
            return Ok(held.batches().first().map(|first| HeaderForm::of_batches(&first.schema())).unwrap_or_default());
        }
        Input::Remote(_) => return Ok(HeaderForm::default()),
        input if !input.can_be_read_again() => return Ok(HeaderForm::default()),
        _ => {}
    }
    Parts::first_form(input, TextWish::new(options, None), &Unwatched)
}

/// Steward-only: calls `each` with every record's text cells, padded or cut to the header's length
/// (typed cells of Parquet and Arrow as text). For drafts.
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
    mut shapes: Option<&mut Shapes>,
) -> Result<(), TableError> {
    if let Some(mut batches) = input.batches(watch)? {
        return arrow::for_each_record(&mut batches, false, watch, header, each);
    }
    let parts = Parts::open(input, TextWish::new(options, None), watch)?;
    header(parts.names())?;
    parts.for_each(watch, &mut |part, fitting, watch| {
        part.for_each_record(fitting, false, watch, each, shapes.as_deref_mut())
    })
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
        RowSource::Batches(batches) => {
            return arrow::for_each_record(&mut fetched(batches), true, watch, header, each);
        }
        RowSource::Input(input) => input,
    };
    if let Some(mut batches) = input.batches(watch)? {
        return arrow::for_each_record(&mut batches, true, watch, header, each);
    }
    let parts = Parts::open(input, TextWish::new(options, None), watch)?;
    header(parts.names())?;
    parts.for_each(watch, &mut |part, fitting, watch| part.for_each_record(fitting, true, watch, each, None))
}

/// Reads and codes a whole input on these terms.
pub(crate) fn read_table(
    input: &Input,
    schema: &Schema,
    options: &ReadOptions,
    terms: Terms<'_>,
    watch: &dyn ReadWatch,
) -> Result<(CodedTable, Option<Digests>), TableError> {
    if let Some(mut batches) = input.batches(watch)? {
        return read_batches(&mut batches, schema, terms, watch);
    }
    let parts = Parts::open(input, TextWish::new(options, Some(schema)), watch)?;
    let layout = Layout::new(schema, parts.names().to_vec(), terms)?;
    let mut intake = layout.intake();
    parts.for_each(watch, &mut |part, fitting, watch| part.read_into(fitting, (&layout, &mut intake), watch))?;
    intake.finish(layout, watch)
}
