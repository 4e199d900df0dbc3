//! Parquet out: the columns' own types, words in dictionaries, zstd. The footer says nothing but
//! the schema and the library's version.

use std::io::{self, Write};
use std::sync::Arc;

use lookalike_schema::Schema;
use parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::rows::{CodeBlock, ColumnCells, Rendered, RenderedBlock, RowSink, Values, draw, io_error};
use super::typed::{Form, OutputColumn, output_columns};
use crate::error::TableError;

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
        let fields = columns.iter().map(|column| field(column).map(Arc::new));
        let fields = fields.collect::<Result<_, _>>().map_err(parquet_error)?;
        let words = columns.iter().map(|column| match &column.form {
            Form::Words(words) => words.iter().map(|word| ByteArray::from(word.as_str())).collect(),
            _ => Vec::new(),
        });
        let words = words.collect();
        let root = Type::group_type_builder("schema").with_fields(fields).build().map_err(parquet_error)?;
        let zstd = Compression::ZSTD(ZstdLevel::default());
        let properties = WriterProperties::builder().set_compression(zstd).build();
        let writer = SerializedFileWriter::new(out, Arc::new(root), Arc::new(properties)).map_err(parquet_error)?;
        Ok(Self { columns, words, writer, waiting: Vec::new(), waiting_rows: 0 })
    }

    fn flush_group(&mut self) -> Result<(), ParquetError> {
        let blocks = std::mem::take(&mut self.waiting);
        self.waiting_rows = 0;
        let mut group = self.writer.next_row_group()?;
        for (k, (column, words)) in self.columns.iter().zip(&self.words).enumerate() {
            write_column(&mut group, column.optional, words, blocks.iter().map(|block| &block[k]))?;
        }
        group.close().map(|_| ())
    }
}

impl RowSink for ParquetSink<'_> {
    fn render(&self, block: &CodeBlock<'_>, bits: &mut dyn FnMut() -> u64) -> Result<RenderedBlock, TableError> {
        let words = draw(block, bits);
        let pieces = self.columns.iter().map(|column| column.cells(block, &words));
        Ok(RenderedBlock(Rendered::Parquet { rows: block.rows, pieces: pieces.collect() }))
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

/// The column as the file's schema has it.
fn field(column: &OutputColumn<'_>) -> parquet::errors::Result<Type> {
    let (physical, logical) = match column.form {
        Form::Integer => (Physical::INT64, None),
        Form::Number => (Physical::DOUBLE, None),
        Form::Boolean => (Physical::BOOLEAN, None),
        Form::Date => (Physical::INT32, Some(LogicalType::Date)),
        Form::DateTime => (Physical::INT64, Some(LogicalType::timestamp(false, TimeUnit::MILLIS))),
        Form::Words(_) | Form::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let repetition = if column.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    Type::primitive_type_builder(column.name, physical).with_logical_type(logical).with_repetition(repetition).build()
}

fn write_column<'p>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    optional: bool,
    words: &[ByteArray],
    pieces: impl Iterator<Item = &'p ColumnCells>,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("fewer columns than the schema has".to_owned()));
    };
    for piece in pieces {
        let levels = optional.then_some(piece.levels.as_slice());
        match &piece.values {
            Values::Integers(values) => put::<Int64Type>(&mut column, values, levels)?,
            Values::Numbers(values) => put::<DoubleType>(&mut column, values, levels)?,
            Values::Booleans(values) => put::<BoolType>(&mut column, values, levels)?,
            Values::Dates(values) => put::<Int32Type>(&mut column, values, levels)?,
            Values::Texts(texts) => {
                let values: Vec<ByteArray> = texts.iter().map(|text| ByteArray::from(text.clone())).collect();
                put::<ByteArrayType>(&mut column, &values, levels)?;
            }
            Values::Words(codes) => {
                // Cheap: the words share their bytes.
                let values: Vec<ByteArray> = codes.iter().map(|&code| words[code as usize].clone()).collect();
                put::<ByteArrayType>(&mut column, &values, levels)?;
            }
        }
    }
    column.close()
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
