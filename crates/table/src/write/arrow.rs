//! Synthetic rows as Arrow batches, with the types that the Parquet file has.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::types::*;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, BooleanArray, DictionaryArray, LargeBinaryArray, LargeStringArray,
    NullArray, PrimitiveArray, RecordBatch, StringArray, StringViewArray,
};
use arrow_schema::{ArrowError, DataType, Schema as ArrowSchema, SchemaRef, TimeUnit};
use lookalike_schema::{Schema, StoredKind, StoredLength};

use super::rows::{CodeBlock, ColumnCells, Values, draw, io_error};
use super::typed::{OutputColumn, output_columns};
use crate::arrow_types::{arrow_field, data_type};
use crate::error::TableError;

/// Turns codes into Arrow batches. Column order is the schema's; ignored columns are left out, or
/// without a value where the schema says so.
///
/// Columns have the types that the schema states. Otherwise integers and plain ids are 64-bit
/// integers, numbers doubles, dates `Date32`, datetimes milliseconds without a zone, words text,
/// booleans booleans when their words are `false` and `true`.
pub struct BatchWriter<'a> {
    columns: Vec<OutputColumn<'a>>,
    schema: SchemaRef,
}

impl<'a> BatchWriter<'a> {
    /// A writer of rows with this schema.
    pub fn new(schema: &'a Schema) -> Self {
        let columns = output_columns(schema);
        let schema = Arc::new(arrow_schema(&columns));
        Self { columns, schema }
    }

    /// The columns of every batch.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// The rows of a block. `bits` gives uniform words for places inside bins, as for
    /// [`RowSink::render`](super::RowSink::render).
    pub fn batch(&self, block: &CodeBlock<'_>, bits: &mut dyn FnMut() -> u64) -> Result<RecordBatch, TableError> {
        let words = draw(block, bits);
        let made = self.columns.iter().map(|column| {
            let cells = column.cells(block, &words)?;
            array(column, cells, block.rows).map_err(arrow_error)
        });
        RecordBatch::try_new(self.schema(), made.collect::<Result<_, _>>()?).map_err(arrow_error)
    }
}

/// The columns as Arrow has them.
pub(super) fn arrow_schema(columns: &[OutputColumn<'_>]) -> ArrowSchema {
    ArrowSchema::new(columns.iter().map(|column| arrow_field(column.name, &column.stored)).collect::<Vec<_>>())
}

fn arrow_error(error: ArrowError) -> TableError {
    io_error(std::io::Error::other(error))
}

fn array(column: &OutputColumn<'_>, cells: ColumnCells, rows: usize) -> Result<ArrayRef, ArrowError> {
    let kind = &column.stored.kind;
    let words = column.words.as_deref().unwrap_or_default();
    match (kind, &cells.values) {
        (StoredKind::Dictionary { values, .. }, Values::Words(_)) => {
            let listed = texts(values, words.iter().map(|word| Some(word.as_bytes())))?;
            pointed(kind, listed, cells, rows)
        }
        (StoredKind::Dictionary { values, .. }, _) => {
            let (codes, distinct) = numbered(cells);
            let count = distinct.len();
            let listed = plain(values, words, ColumnCells { values: distinct, levels: Vec::new() }, count)?;
            pointed(kind, listed, codes, rows)
        }
        _ => plain(kind, words, cells, rows),
    }
}

/// An array of a type that is no dictionary.
fn plain(kind: &StoredKind, words: &[String], cells: ColumnCells, rows: usize) -> Result<ArrayRef, ArrowError> {
    let ColumnCells { values, levels } = cells;
    let levels = levels.as_slice();
    Ok(match values {
        _ if *kind == StoredKind::Null => Arc::new(NullArray::new(rows)),
        Values::Integers(values) => whole(&data_type(kind), values, levels, rows),
        Values::Numbers(values) => match kind {
            StoredKind::Float(16) => primitive::<Float16Type, _>(values, levels, rows, Half::from_f64),
            StoredKind::Float(32) => primitive::<Float32Type, _>(values, levels, rows, |value| value as f32),
            _ => primitive::<Float64Type, _>(values, levels, rows, |value| value),
        },
        Values::Booleans(values) => Arc::new(BooleanArray::from_iter(spread(values, levels, rows))),
        Values::Decimals(values) => {
            let StoredKind::Decimal(bits, digits, scale) = *kind else { return Err(odd()) };
            let scale = scale as i8;
            match bits {
                32 => scaled::<Decimal32Type, _>(values, levels, rows, digits, scale, |v| v.as_i128() as i32)?,
                64 => scaled::<Decimal64Type, _>(values, levels, rows, digits, scale, |v| v.as_i128() as i64)?,
                128 => scaled::<Decimal128Type, _>(values, levels, rows, digits, scale, |v| v.as_i128())?,
                _ => scaled::<Decimal256Type, _>(values, levels, rows, digits, scale, |v| v)?,
            }
        }
        Values::Texts(values) => texts(kind, spread(&values, levels, rows).map(|text| text.map(Vec::as_slice)))?,
        Values::Words(codes) => {
            let word = |code: u32| words.get(code as usize).map_or(&b""[..], |word| word.as_bytes());
            texts(kind, spread(codes, levels, rows).map(|code| code.map(word)))?
        }
    })
}

type Half = <Float16Type as ArrowPrimitiveType>::Native;

fn odd() -> ArrowError {
    ArrowError::InvalidArgumentError("values of another type".to_owned())
}

/// Whole numbers, dates, times and moments.
fn whole(kind: &DataType, values: Vec<i64>, levels: &[i16], rows: usize) -> ArrayRef {
    macro_rules! narrow {
        ($type:ty) => {
            primitive::<$type, _>(values, levels, rows, |value| value as <$type as ArrowPrimitiveType>::Native)
        };
    }
    macro_rules! zoned {
        ($type:ty, $zone:expr) => {{
            let array: PrimitiveArray<$type> = collected(values, levels, rows, |value| value);
            Arc::new(array.with_timezone_opt($zone.clone()))
        }};
    }
    match kind {
        DataType::Int8 => narrow!(Int8Type),
        DataType::Int16 => narrow!(Int16Type),
        DataType::Int32 => narrow!(Int32Type),
        DataType::UInt8 => narrow!(UInt8Type),
        DataType::UInt16 => narrow!(UInt16Type),
        DataType::UInt32 => narrow!(UInt32Type),
        DataType::UInt64 => narrow!(UInt64Type),
        DataType::Date32 => narrow!(Date32Type),
        DataType::Date64 => narrow!(Date64Type),
        DataType::Time32(TimeUnit::Second) => narrow!(Time32SecondType),
        DataType::Time32(_) => narrow!(Time32MillisecondType),
        DataType::Time64(TimeUnit::Microsecond) => narrow!(Time64MicrosecondType),
        DataType::Time64(_) => narrow!(Time64NanosecondType),
        DataType::Timestamp(TimeUnit::Second, zone) => zoned!(TimestampSecondType, zone),
        DataType::Timestamp(TimeUnit::Millisecond, zone) => zoned!(TimestampMillisecondType, zone),
        DataType::Timestamp(TimeUnit::Microsecond, zone) => zoned!(TimestampMicrosecondType, zone),
        DataType::Timestamp(TimeUnit::Nanosecond, zone) => zoned!(TimestampNanosecondType, zone),
        _ => narrow!(Int64Type),
    }
}

fn scaled<T: DecimalType, V>(
    values: Vec<V>,
    levels: &[i16],
    rows: usize,
    digits: u8,
    scale: i8,
    value: impl Fn(V) -> T::Native,
) -> Result<ArrayRef, ArrowError> {
    let array: PrimitiveArray<T> = collected(values, levels, rows, value);
    Ok(Arc::new(array.with_precision_and_scale(digits, scale)?))
}

fn primitive<T: ArrowPrimitiveType, V>(
    values: Vec<V>,
    levels: &[i16],
    rows: usize,
    value: impl Fn(V) -> T::Native,
) -> ArrayRef {
    Arc::new(collected::<T, V>(values, levels, rows, value))
}

fn collected<T: ArrowPrimitiveType, V>(
    values: Vec<V>,
    levels: &[i16],
    rows: usize,
    value: impl Fn(V) -> T::Native,
) -> PrimitiveArray<T> {
    match levels {
        [] => PrimitiveArray::from_iter_values(values.into_iter().map(value)),
        _ => spread(values, levels, rows).map(|one| one.map(&value)).collect(),
    }
}

/// Texts as their type has them.
fn texts<'t>(kind: &StoredKind, texts: impl Iterator<Item = Option<&'t [u8]>>) -> Result<ArrayRef, ArrowError> {
    let word = |text: Option<&'t [u8]>| text.map(|bytes| std::str::from_utf8(bytes).unwrap_or_default());
    Ok(match kind {
        StoredKind::Text(StoredLength::Usual) => Arc::new(StringArray::from_iter(texts.map(word))),
        StoredKind::Text(StoredLength::Large) => Arc::new(LargeStringArray::from_iter(texts.map(word))),
        StoredKind::Text(StoredLength::View) => Arc::new(StringViewArray::from_iter(texts.map(word))),
        StoredKind::Binary(StoredLength::Usual) => Arc::new(BinaryArray::from_iter(texts)),
        StoredKind::Binary(StoredLength::Large) => Arc::new(LargeBinaryArray::from_iter(texts)),
        StoredKind::Binary(StoredLength::View) => Arc::new(BinaryViewArray::from_iter(texts)),
        _ => return Err(odd()),
    })
}

/// Cells as numbers of their first appearances, and those.
fn numbered(cells: ColumnCells) -> (ColumnCells, Values) {
    let ColumnCells { values, levels } = cells;
    let (codes, values) = match values {
        Values::Integers(values) => {
            let (codes, values) = firsts(values, |value| *value);
            (codes, Values::Integers(values))
        }
        Values::Numbers(values) => {
            let (codes, values) = firsts(values, |value| value.to_bits());
            (codes, Values::Numbers(values))
        }
        Values::Decimals(values) => {
            let (codes, values) = firsts(values, |value| *value);
            (codes, Values::Decimals(values))
        }
        Values::Booleans(values) => {
            let (codes, values) = firsts(values, |value| *value);
            (codes, Values::Booleans(values))
        }
        Values::Texts(values) => {
            let (codes, values) = firsts(values, Vec::clone);
            (codes, Values::Texts(values))
        }
        Values::Words(codes) => (codes, Values::Words(Vec::new())),
    };
    (ColumnCells { values: Values::Words(codes), levels }, values)
}

fn firsts<V, K: std::hash::Hash + Eq>(values: Vec<V>, key: impl Fn(&V) -> K) -> (Vec<u32>, Vec<V>) {
    let (mut known, mut kept) = (HashMap::new(), Vec::new());
    let mut number = |value: V| {
        *known.entry(key(&value)).or_insert_with(|| {
            kept.push(value);
            kept.len() as u32 - 1
        })
    };
    let codes = values.into_iter().map(&mut number).collect();
    (codes, kept)
}

/// A dictionary: numbers that point to what is listed.
fn pointed(kind: &StoredKind, listed: ArrayRef, codes: ColumnCells, rows: usize) -> Result<ArrayRef, ArrowError> {
    let (DataType::Dictionary(indices, _), Values::Words(numbers)) = (data_type(kind), codes.values) else {
        return Err(odd());
    };
    let keys = whole(&indices, numbers.into_iter().map(i64::from).collect(), &codes.levels, rows);
    macro_rules! dictionary {
        ($($own:pat => $type:ty),+) => {
            match *indices {
                $($own => Ok(Arc::new(DictionaryArray::<$type>::try_new(downcast::<$type>(&keys)?, listed)?) as ArrayRef),)+
                _ => Err(odd()),
            }
        };
    }
    dictionary!(
        DataType::Int8 => Int8Type,
        DataType::Int16 => Int16Type,
        DataType::Int32 => Int32Type,
        DataType::Int64 => Int64Type,
        DataType::UInt8 => UInt8Type,
        DataType::UInt16 => UInt16Type,
        DataType::UInt32 => UInt32Type,
        DataType::UInt64 => UInt64Type
    )
}

fn downcast<T: ArrowPrimitiveType>(keys: &ArrayRef) -> Result<PrimitiveArray<T>, ArrowError> {
    keys.as_any().downcast_ref::<PrimitiveArray<T>>().cloned().ok_or_else(odd)
}

/// The present values at their places, and `None` between them.
fn spread<V>(values: impl IntoIterator<Item = V>, levels: &[i16], rows: usize) -> impl Iterator<Item = Option<V>> {
    let mut values = values.into_iter();
    (0..rows).map(move |row| match levels.get(row) {
        Some(0) => None,
        _ => values.next(),
    })
}
