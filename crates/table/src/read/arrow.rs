//! Arrow batches: rows that another program holds in memory. Nothing of them is written to disk
//! but coded rows that do not fit into the memory bound.
//!
//! A value means what it means in a Parquet file that was written from the same batch, so both give
//! the same codes, the same ids and the same digest.

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrowPrimitiveType, RecordBatch};
use arrow_schema::{ArrowError, DataType, SchemaRef, TimeUnit};
use lookalike_schema::Schema;

use super::fitting::Fitting;
use super::input::{BATCHES, ReadWatch};
use super::intake::{Intake, Layout, Terms};
use super::raw_block::{RawBlock, raw_codecs};
use super::typed::stored::{Meaning, Stored};
use super::typed::{self, StoredColumn, Wanted};
use crate::coded::CodedTable;
use crate::digest::Digests;
use crate::error::{TableError, file_error};

/// Rows whose texts are held at a time.
const RECORDS: usize = 4096;
const DAY_MILLIS: i64 = 86_400_000;

/// Reads and codes all batches on these terms. Without any batch, the table has the schema's own
/// columns and no row.
pub(crate) fn read_batches(
    batches: &mut dyn Iterator<Item = Result<RecordBatch, TableError>>,
    schema: &Schema,
    terms: Terms<'_>,
    watch: &dyn ReadWatch,
) -> Result<(CodedTable, Option<Digests>), TableError> {
    let first = batches.next().transpose()?;
    let header = first.as_ref().map(RecordBatch::schema);
    let names = match &header {
        Some(header) => names_of(header),
        None => schema.columns().iter().map(|column| column.name.clone()).collect(),
    };
    let layout = Layout::new(schema, names, terms)?;
    let mut intake = layout.intake();
    let is_flat = |column: usize| header.as_ref().is_none_or(|header| is_flat(header, column));
    let wanted = typed::wanted(&layout, is_flat)?;
    for batch in first.into_iter().map(Ok).chain(batches) {
        let batch = batch?;
        agrees(&batch, header.as_ref())?;
        let columns: Vec<&dyn Array> = wanted.iter().map(|wanted| &**batch.column(wanted.column)).collect();
        let fitting = Fitting::alone(layout.names.len());
        take_batch((&columns, batch.num_rows()), &fitting, &wanted, (&layout, &mut intake), watch)?;
    }
    drop(wanted);
    intake.finish(layout, watch)
}

/// Codes the rows of a batch into the table. The columns are those wanted that the file has.
pub(super) fn take_batch(
    (columns, rows): (&[&dyn Array], usize),
    fitting: &Fitting,
    wanted: &[Wanted<'_>],
    (layout, intake): (&Layout<'_>, &mut Intake),
    watch: &dyn ReadWatch,
) -> Result<(), TableError> {
    let step = typed::stretch_rows(layout);
    let stored = columns.iter().filter_map(|&column| ArrowColumn::new(column));
    let mut columns = fitting.typed(wanted.iter().map(|wanted| wanted.column), stored);
    for from in (0..rows).step_by(step) {
        if watch.cancelled() {
            return Err(TableError::Cancelled);
        }
        intake.take(&typed::read_piece(layout, wanted, &mut columns, step.min(rows - from))?)?;
    }
    Ok(())
}

/// Calls `each` with blocks of these columns as numbers, one a batch. Steward-only, see
/// `read/raw.rs`.
pub(super) fn for_each_raw_block(
    batches: &mut dyn Iterator<Item = Result<RecordBatch, TableError>>,
    schema: &Schema,
    columns: &[&str],
    watch: &dyn ReadWatch,
    each: &mut dyn FnMut(RawBlock) -> Result<(), TableError>,
) -> Result<(), TableError> {
    let Some(first) = batches.next().transpose()? else { return Ok(()) };
    let header = first.schema();
    let names = names_of(&header);
    let schema = schema.arranged(&names)?;
    let codecs = raw_codecs(&schema, columns);
    let (read, places) = typed::raw_places(&names, columns, |column| is_flat(&header, column))?;
    for batch in std::iter::once(Ok(first)).chain(batches) {
        let batch = batch?;
        if watch.cancelled() {
            return Err(TableError::Cancelled);
        }
        agrees(&batch, Some(&header))?;
        let mut columns: Vec<ArrowColumn<'_>> =
            read.iter().filter_map(|&column| ArrowColumn::new(batch.column(column))).collect();
        each(typed::read_raw(&mut columns, &places, &codecs, batch.num_rows())?)?;
    }
    Ok(())
}

/// The names of the columns. Without any batch there are none.
pub(super) fn header_of(batches: &[RecordBatch]) -> Result<Vec<String>, TableError> {
    batches.first().map(|first| names_of(&first.schema())).ok_or_else(no_batches)
}

/// Calls `each` with every record as text: as a CSV file would show it, or exactly. Cells of nested
/// columns are empty. Without any batch there are no columns.
pub(super) fn for_each_record(
    batches: &mut dyn Iterator<Item = Result<RecordBatch, TableError>>,
    exactly: bool,
    watch: &dyn ReadWatch,
    header: &mut dyn FnMut(&[String]) -> Result<(), TableError>,
    each: &mut dyn FnMut(&[&[u8]]),
) -> Result<(), TableError> {
    let mut first = None;
    for batch in batches {
        let batch = batch?;
        if first.is_none() {
            header(&names_of(&batch.schema()))?;
            first = Some(batch.schema());
        }
        agrees(&batch, first.as_ref())?;
        let width = batch.num_columns();
        let flat: Vec<usize> = (0..width).filter(|&column| is_flat(&batch.schema(), column)).collect();
        let columns: Vec<&dyn Array> = flat.iter().map(|&column| &**batch.column(column)).collect();
        each_record((&columns, batch.num_rows()), &Fitting::alone(width), &flat, exactly, watch, each)?;
    }
    first.map(drop).ok_or_else(no_batches)
}

/// Calls `each` with every record of a batch, in the columns of the table. `flat` are the table's
/// columns that have one value a row, and the columns those of them that the file has.
pub(super) fn each_record(
    (columns, rows): (&[&dyn Array], usize),
    fitting: &Fitting,
    flat: &[usize],
    exactly: bool,
    watch: &dyn ReadWatch,
    each: &mut dyn FnMut(&[&[u8]]),
) -> Result<(), TableError> {
    let stored = columns.iter().filter_map(|&column| ArrowColumn::new(column));
    let mut columns = fitting.typed(flat.iter().copied(), stored);
    for from in (0..rows).step_by(RECORDS) {
        if watch.cancelled() {
            return Err(TableError::Cancelled);
        }
        let next = columns.iter_mut().collect();
        typed::each_record(next, flat, (RECORDS.min(rows - from), fitting.columns()), exactly, each)?;
    }
    Ok(())
}

fn no_batches() -> TableError {
    file_error(BATCHES, "are none, so that there are no columns", "give at least one batch")
}

/// The names of the columns, in order.
pub(super) fn names_of(header: &SchemaRef) -> Vec<String> {
    header.fields().iter().map(|field| field.name().clone()).collect()
}

/// All batches of a table have the columns of the first.
fn agrees(batch: &RecordBatch, header: Option<&SchemaRef>) -> Result<(), TableError> {
    let same = |header: &SchemaRef| {
        let (own, first) = (batch.schema(), header.fields());
        own.fields().len() == first.len()
            && own.fields().iter().zip(first).all(|(a, b)| a.name() == b.name() && a.data_type() == b.data_type())
    };
    match header {
        Some(header) if !same(header) => {
            Err(file_error(BATCHES, "do not all have the same columns", "give every batch the columns of the first"))
        }
        _ => Ok(()),
    }
}

/// Batches of another program, whose words might quote a cell and are not passed on.
pub(crate) fn fetched<'a>(
    batches: &'a mut (dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send),
) -> impl Iterator<Item = Result<RecordBatch, TableError>> + 'a {
    batches.map(|batch| batch.map_err(|_| unreadable()))
}

/// The words of the source might quote a cell, so they are not passed on.
fn unreadable() -> TableError {
    file_error(BATCHES, "could not all be fetched", "read them without lookalike to see what their source says")
}

/// A batch of a stretch that lacks a column, whichever it is.
pub(super) fn missing_column() -> TableError {
    file_error(BATCHES, "lack a column that is needed", "give every batch the same columns")
}

/// Whether a column has one value a row.
pub(super) fn is_flat(header: &SchemaRef, column: usize) -> bool {
    meaning_of(header.field(column).data_type()).is_some()
}

/// What the values of a flat column mean; `None` for lists, groups and what no schema describes.
fn meaning_of(kind: &DataType) -> Option<Meaning> {
    Some(match kind {
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => Meaning::Integer,
        DataType::UInt8 | DataType::UInt16 | DataType::UInt32 | DataType::UInt64 => Meaning::Unsigned,
        DataType::Time32(_) | DataType::Time64(_) => Meaning::Integer,
        DataType::Float16 => Meaning::Half,
        DataType::Float32 | DataType::Float64 => Meaning::Number,
        DataType::Boolean => Meaning::Boolean,
        DataType::Date32 | DataType::Date64 => Meaning::Date,
        DataType::Timestamp(unit, _) => Meaning::Timestamp(match unit {
            TimeUnit::Second => 1,
            TimeUnit::Millisecond => 1_000,
            TimeUnit::Microsecond => 1_000_000,
            TimeUnit::Nanosecond => 1_000_000_000,
        }),
        DataType::Decimal32(_, scale)
        | DataType::Decimal64(_, scale)
        | DataType::Decimal128(_, scale)
        | DataType::Decimal256(_, scale) => Meaning::Decimal { scale: u32::try_from(*scale).ok()? },
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Meaning::Text,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => Meaning::Text,
        DataType::Null => Meaning::Text,
        DataType::Dictionary(_, values) => return meaning_of(values),
        _ => return None,
    })
}

/// A column of a batch that is being read.
pub(super) struct ArrowColumn<'a> {
    array: &'a dyn Array,
    meaning: Meaning,
    at: usize,
}

impl<'a> ArrowColumn<'a> {
    pub(super) fn new(array: &'a dyn Array) -> Option<Self> {
        Some(Self { array, meaning: meaning_of(array.data_type())?, at: 0 })
    }
}

impl StoredColumn for ArrowColumn<'_> {
    fn meaning(&self) -> Meaning {
        self.meaning
    }

    fn read(&mut self, rows: usize, mut each: impl FnMut(Stored<'_>)) -> Result<(), TableError> {
        let array = self.array.slice(self.at, rows);
        self.at += rows;
        match array.as_any_dictionary_opt() {
            None => each_value(&array, &mut each),
            Some(dictionary) => {
                // The values are read once, and rows look them up.
                let values = DictionaryValues::new(dictionary.values());
                if values.places.is_empty() {
                    (0..rows).for_each(|_| each(Stored::Missing));
                    return Ok(());
                }
                for (row, key) in dictionary.normalized_keys().into_iter().enumerate() {
                    each(if dictionary.keys().is_null(row) { Stored::Missing } else { values.at(key) });
                }
            }
        }
        Ok(())
    }
}

/// The values of a dictionary, side by side.
#[derive(Default)]
struct DictionaryValues {
    places: Vec<DictionaryValue>,
    bytes: Vec<u8>,
}

enum DictionaryValue {
    /// A value that borrows nothing.
    Plain(Stored<'static>),
    /// A range of the bytes.
    Bytes(usize, usize),
}

impl DictionaryValues {
    fn new(values: &dyn Array) -> Self {
        let mut found = Self::default();
        each_value(values, &mut |value| {
            let place = match value {
                Stored::Bytes(bytes) => {
                    found.bytes.extend_from_slice(bytes);
                    DictionaryValue::Bytes(found.bytes.len() - bytes.len(), found.bytes.len())
                }
                Stored::Missing => DictionaryValue::Plain(Stored::Missing),
                Stored::Boolean(value) => DictionaryValue::Plain(Stored::Boolean(value)),
                Stored::Int32(value) => DictionaryValue::Plain(Stored::Int32(value)),
                Stored::Int64(value) => DictionaryValue::Plain(Stored::Int64(value)),
                Stored::Single(value) => DictionaryValue::Plain(Stored::Single(value)),
                Stored::Double(value) => DictionaryValue::Plain(Stored::Double(value)),
                Stored::Nanos(value) => DictionaryValue::Plain(Stored::Nanos(value)),
            };
            found.places.push(place);
        });
        found
    }

    fn at(&self, key: usize) -> Stored<'_> {
        match self.places[key] {
            DictionaryValue::Plain(value) => value,
            DictionaryValue::Bytes(from, to) => Stored::Bytes(&self.bytes[from..to]),
        }
    }
}

/// Calls `each` with every value of a flat array.
fn each_value(array: &dyn Array, each: &mut impl FnMut(Stored<'_>)) {
    match array.data_type() {
        DataType::Boolean => array.as_boolean().iter().for_each(|v| each(v.map_or(Stored::Missing, Stored::Boolean))),
        DataType::Int8 => each_int32::<Int8Type>(array, each),
        DataType::Int16 => each_int32::<Int16Type>(array, each),
        DataType::Int32 => each_int32::<Int32Type>(array, each),
        DataType::UInt8 => each_int32::<UInt8Type>(array, each),
        DataType::UInt16 => each_int32::<UInt16Type>(array, each),
        DataType::Date32 => each_int32::<Date32Type>(array, each),
        DataType::Time32(TimeUnit::Second) => each_int32::<Time32SecondType>(array, each),
        DataType::Time32(_) => each_int32::<Time32MillisecondType>(array, each),
        DataType::Decimal32(..) => each_int32::<Decimal32Type>(array, each),
        DataType::Int64 => each_int64::<Int64Type>(array, each),
        DataType::Timestamp(TimeUnit::Second, _) => each_int64::<TimestampSecondType>(array, each),
        DataType::Timestamp(TimeUnit::Millisecond, _) => each_int64::<TimestampMillisecondType>(array, each),
        DataType::Timestamp(TimeUnit::Microsecond, _) => each_int64::<TimestampMicrosecondType>(array, each),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => each_int64::<TimestampNanosecondType>(array, each),
        DataType::Time64(TimeUnit::Microsecond) => each_int64::<Time64MicrosecondType>(array, each),
        DataType::Time64(_) => each_int64::<Time64NanosecondType>(array, each),
        DataType::Decimal64(..) => each_int64::<Decimal64Type>(array, each),
        // The meaning tells that these are unsigned.
        DataType::UInt32 => each_primitive::<UInt32Type>(array, |v, each| each(Stored::Int32(v as i32)), each),
        DataType::UInt64 => each_primitive::<UInt64Type>(array, |v, each| each(Stored::Int64(v as i64)), each),
        DataType::Date64 => {
            each_primitive::<Date64Type>(array, |v, each| each(Stored::Int64(v.div_euclid(DAY_MILLIS))), each)
        }
        DataType::Float16 => {
            each_primitive::<Float16Type>(array, |v, each| each(Stored::Bytes(&v.to_bits().to_le_bytes())), each)
        }
        DataType::Float32 => each_primitive::<Float32Type>(array, |v, each| each(Stored::Single(v)), each),
        DataType::Float64 => each_primitive::<Float64Type>(array, |v, each| each(Stored::Double(v)), each),
        DataType::Decimal128(..) => {
            each_primitive::<Decimal128Type>(array, |v, each| each(Stored::Bytes(&v.to_be_bytes())), each)
        }
        DataType::Decimal256(..) => {
            each_primitive::<Decimal256Type>(array, |v, each| each(Stored::Bytes(&v.to_be_bytes())), each)
        }
        DataType::Utf8 => each_text(array.as_string::<i32>().iter(), each),
        DataType::LargeUtf8 => each_text(array.as_string::<i64>().iter(), each),
        DataType::Utf8View => each_text(array.as_string_view().iter(), each),
        DataType::Binary => each_text(array.as_binary::<i32>().iter(), each),
        DataType::LargeBinary => each_text(array.as_binary::<i64>().iter(), each),
        DataType::BinaryView => each_text(array.as_binary_view().iter(), each),
        DataType::FixedSizeBinary(_) => each_text(array.as_fixed_size_binary().iter(), each),
        // What has no meaning is never read.
        _ => (0..array.len()).for_each(|_| each(Stored::Missing)),
    }
}

/// Whole numbers that are stored in 32 bits.
fn each_int32<T: ArrowPrimitiveType<Native: Into<i32>>>(array: &dyn Array, each: &mut impl FnMut(Stored<'_>)) {
    each_primitive::<T>(array, |value, each| each(Stored::Int32(value.into())), each);
}

/// Whole numbers that are stored in 64 bits.
fn each_int64<T: ArrowPrimitiveType<Native = i64>>(array: &dyn Array, each: &mut impl FnMut(Stored<'_>)) {
    each_primitive::<T>(array, |value, each| each(Stored::Int64(value)), each);
}

fn each_primitive<T: ArrowPrimitiveType>(
    array: &dyn Array,
    stored: impl Fn(T::Native, &mut dyn FnMut(Stored<'_>)),
    each: &mut impl FnMut(Stored<'_>),
) {
    for value in array.as_primitive::<T>() {
        match value {
            None => each(Stored::Missing),
            Some(value) => stored(value, each),
        }
    }
}

fn each_text<V: AsRef<[u8]>>(values: impl Iterator<Item = Option<V>>, each: &mut impl FnMut(Stored<'_>)) {
    for value in values {
        match value {
            None => each(Stored::Missing),
            Some(value) => each(Stored::Bytes(value.as_ref())),
        }
    }
}
