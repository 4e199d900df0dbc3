//! Parquet out: the columns' own types, words in dictionaries, zstd. The footer says nothing but
//! the schema, where types are stated the same as an Arrow schema, and the library's version.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::types::{ArrowPrimitiveType, Float16Type};
use arrow_buffer::i256;
use arrow_ipc::writer::{DictionaryTracker, IpcDataGenerator, IpcWriteOptions};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use lookalike_schema::{Schema, StoredKind, StoredType, StoredUnit};
use parquet::basic::{Compression, Type as Physical, ZstdLevel};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray, FixedLenByteArrayType, FloatType,
    Int32Type, Int64Type, Int96, Int96Type,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::arrow::arrow_schema;
use super::parquet_form::{field, form_of};
use super::rows::{CodeBlock, ColumnCells, Rendered, RenderedBlock, RowSink, Values, draw, io_error};
use super::typed::{OutputColumn, output_columns};
use crate::error::TableError;
use crate::read::ARROW_SCHEMA;

type Half = <Float16Type as ArrowPrimitiveType>::Native;

const DAY_MILLIS: i64 = 86_400_000;
const DAY_NANOS: i64 = 86_400_000_000_000;

/// Rows are gathered to row groups of at least this many.
const GROUP_ROWS: usize = 1 << 18;

pub(super) struct ParquetSink<'a> {
    columns: Vec<OutputColumn<'a>>,
    /// The words of each column, which all of its values share.
    words: Vec<Vec<ByteArray>>,
    writer: SerializedFileWriter<Box<dyn Write + Send + Sync + 'a>>,
    /// Blocks of the row group that is being gathered.
    waiting: Vec<Vec<ColumnCells>>,
    waiting_rows: usize,
}

impl<'a> ParquetSink<'a> {
    pub(super) fn new(schema: &'a Schema, out: Box<dyn Write + Send + Sync + 'a>) -> Result<Self, TableError> {
        let columns = output_columns(schema);
        let is_stated = schema.columns().iter().any(|column| column.stored.is_some());
        let fields = columns.iter().map(|column| field(column).map(Arc::new));
        let fields = fields.collect::<Result<_, _>>().map_err(parquet_error)?;
        let shared = |column: &OutputColumn<'_>| {
            column.words.iter().flatten().map(|word| ByteArray::from(word.as_str())).collect()
        };
        let words = columns.iter().map(shared).collect();
        let root = Type::group_type_builder("schema").with_fields(fields).build().map_err(parquet_error)?;
        let zstd = Compression::ZSTD(ZstdLevel::default());
        let entries = is_stated.then(|| vec![arrow_schema_entry(&columns)]);
        let properties = WriterProperties::builder().set_compression(zstd).set_key_value_metadata(entries).build();
        let writer = SerializedFileWriter::new(out, Arc::new(root), Arc::new(properties)).map_err(parquet_error)?;
        Ok(Self { columns, words, writer, waiting: Vec::new(), waiting_rows: 0 })
    }

    fn flush_group(&mut self) -> Result<(), ParquetError> {
        let blocks = std::mem::take(&mut self.waiting);
        self.waiting_rows = 0;
        let mut group = self.writer.next_row_group()?;
        for (k, (column, words)) in self.columns.iter().zip(&self.words).enumerate() {
            write_column(&mut group, &column.stored, words, blocks.iter().map(|block| &block[k]))?;
        }
        group.close().map(|_| ())
    }
}

impl RowSink for ParquetSink<'_> {
    fn render(&self, block: &CodeBlock<'_>, bits: &mut dyn FnMut() -> u64) -> Result<RenderedBlock, TableError> {
        let words = draw(block, bits);
        let pieces = self.columns.iter().map(|column| column.cells(block, &words)).collect::<Result<_, _>>()?;
        Ok(RenderedBlock(Rendered::Parquet { rows: block.rows, pieces }))
    }

    fn write(&mut self, block: RenderedBlock) -> Result<(), TableError> {
        let Rendered::Parquet { rows, pieces } = block.0 else {
            return Err(io_error(io::Error::other("a block of another format")));
        };
        self.waiting.push(pieces);
        self.waiting_rows += rows;
        if self.waiting_rows >= GROUP_ROWS {
            self.flush_group().map_err(parquet_error)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), TableError> {
        if self.waiting_rows > 0 {
            self.flush_group().map_err(parquet_error)?;
        }
        self.writer.finish().map_err(parquet_error)?;
        self.writer.inner_mut().flush().map_err(io_error)
    }
}

fn write_column<'p>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    stored: &StoredType,
    words: &[ByteArray],
    pieces: impl Iterator<Item = &'p ColumnCells>,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("fewer columns than the schema has".to_owned()));
    };
    let (physical, _, length) = form_of(stored);
    for piece in pieces {
        let levels = stored.nullable.then_some(piece.levels.as_slice());
        match (&piece.values, physical) {
            (Values::Integers(values), Physical::INT64) => {
                let factor = if is_seconds(&stored.kind) { 1000 } else { 1 };
                match factor {
                    1 => put::<Int64Type>(&mut column, values, levels)?,
                    _ => put::<Int64Type>(&mut column, &mapped(values, |value| value * factor), levels)?,
                }
            }
            (Values::Integers(values), Physical::INT96) => {
                put::<Int96Type>(&mut column, &mapped(values, int96), levels)?;
            }
            (Values::Integers(values), _) => {
                let narrow: fn(i64) -> i32 = match stored.kind.plain() {
                    StoredKind::Date(64) => |value| value.div_euclid(DAY_MILLIS) as i32,
                    kind if is_seconds(kind) => |value| (value * 1000) as i32,
                    // The upper half of unsigned numbers is stored as negative ones.
                    _ => |value| value as i32,
                };
                put::<Int32Type>(&mut column, &mapped(values, narrow), levels)?;
            }
            (Values::Numbers(values), Physical::FLOAT) => {
                put::<FloatType>(&mut column, &mapped(values, |value| value as f32), levels)?;
            }
            (Values::Numbers(values), Physical::DOUBLE) => put::<DoubleType>(&mut column, values, levels)?,
            (Values::Numbers(values), _) => {
                let half = |value| fixed(&Half::from_f64(value).to_le_bytes());
                put::<FixedLenByteArrayType>(&mut column, &mapped(values, half), levels)?;
            }
            (Values::Decimals(values), Physical::INT32) => {
                put::<Int32Type>(&mut column, &mapped(values, |value: i256| value.as_i128() as i32), levels)?;
            }
            (Values::Decimals(values), Physical::INT64) => {
                put::<Int64Type>(&mut column, &mapped(values, |value: i256| value.as_i128() as i64), levels)?;
            }
            (Values::Decimals(values), Physical::BYTE_ARRAY) => {
                let bytes = |value: i256| ByteArray::from(value.to_be_bytes()[16..].to_vec());
                put::<ByteArrayType>(&mut column, &mapped(values, bytes), levels)?;
            }
            (Values::Decimals(values), _) => {
                let bytes = |value: i256| fixed(&value.to_be_bytes()[32 - length as usize..]);
                put::<FixedLenByteArrayType>(&mut column, &mapped(values, bytes), levels)?;
            }
            (Values::Booleans(values), _) => put::<BoolType>(&mut column, values, levels)?,
            (Values::Texts(texts), _) => {
                let values: Vec<ByteArray> = texts.iter().map(|text| ByteArray::from(text.clone())).collect();
                put::<ByteArrayType>(&mut column, &values, levels)?;
            }
            (Values::Words(codes), _) => {
                // Cheap: the words share their bytes.
                let values: Vec<ByteArray> = codes.iter().map(|&code| words[code as usize].clone()).collect();
                put::<ByteArrayType>(&mut column, &values, levels)?;
            }
        }
    }
    column.close()
}

fn mapped<V: Copy, T>(values: &[V], value: impl Fn(V) -> T) -> Vec<T> {
    values.iter().map(|&one| value(one)).collect()
}

/// Whether values are whole seconds, which Parquet stores as milliseconds.
fn is_seconds(kind: &StoredKind) -> bool {
    matches!(kind.plain(), StoredKind::Time(StoredUnit::Second) | StoredKind::Timestamp(StoredUnit::Second, _))
}

fn fixed(bytes: &[u8]) -> FixedLenByteArray {
    ByteArray::from(bytes.to_vec()).into()
}

/// Nanoseconds since 1970 as the day of Julius and the nanoseconds of that day.
fn int96(nanos: i64) -> Int96 {
    let (day, rest) = (nanos.div_euclid(DAY_NANOS) + 2_440_588, nanos.rem_euclid(DAY_NANOS) as u64);
    let mut value = Int96::new();
    value.set_data(rest as u32, (rest >> 32) as u32, day as u32);
    value
}

/// The Arrow schema beside the file's own, by which readers of Arrow know what Parquet has no word
/// for: dictionaries, zones, long texts. It holds types and nothing else.
fn arrow_schema_entry(columns: &[OutputColumn<'_>]) -> KeyValue {
    let schema = arrow_schema(columns);
    let message = IpcDataGenerator::default()
        .schema_to_bytes_with_dictionary_tracker(
            &schema,
            &mut DictionaryTracker::new(true),
            &IpcWriteOptions::default(),
        )
        .ipc_message;
    let bytes = [&[0xff; 4][..], &(message.len() as u32).to_le_bytes(), &message].concat();
    KeyValue::new(ARROW_SCHEMA.to_owned(), BASE64_STANDARD.encode(bytes))
}

fn put<T: DataType>(
    column: &mut parquet::file::writer::SerializedColumnWriter<'_>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<(), ParquetError> {
    column.typed::<T>().write_batch(values, levels, None).map(|_| ())
}

fn parquet_error(error: ParquetError) -> TableError {
    io_error(match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(inner) => *inner,
            Err(inner) => io::Error::other(inner),
        },
        error => io::Error::other(error.to_string()),
    })
}
