//! Parquet out: the columns' own types, words in dictionaries, zstd. The footer says nothing but
//! the schema and the library's version.

use std::io::{self, Write};
use std::sync::Arc;

use lookalike_schema::codec::CodecKind;
use lookalike_schema::{CellValue, Codec, Schema};
use parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::{CodeBlock, Content, Rendered, RenderedBlock, RowSink, contents, draw, io_error};
use crate::TableError;

/// Rows are gathered to row groups of at least this many.
const GROUP_ROWS: usize = 1 << 18;

pub(super) struct ParquetSink<'a> {
    columns: Vec<Target<'a>>,
    writer: SerializedFileWriter<Box<dyn Write + Send + Sync + 'a>>,
    /// Blocks of the row group that is being gathered.
    waiting: Vec<Vec<Piece>>,
    waiting_rows: usize,
}

/// One output column.
struct Target<'a> {
    content: Content<'a>,
    form: Form,
    /// Whether cells may be missing.
    optional: bool,
}

/// How a column is stored.
enum Form {
    Integer,
    Number,
    Boolean,
    Date,
    DateTime,
    /// The words of all codes.
    Words(Vec<ByteArray>),
}

/// The cells of one column in one block, with levels (1 present, 0 missing) where the column may
/// have missing cells.
pub(super) struct Piece {
    values: Values,
    levels: Vec<i16>,
}

enum Values {
    Integers(Vec<i64>),
    Numbers(Vec<f64>),
    Booleans(Vec<bool>),
    Dates(Vec<i32>),
    /// Codes of words.
    Words(Vec<u32>),
}

impl<'a> ParquetSink<'a> {
    pub(super) fn new(schema: &'a Schema, out: Box<dyn Write + Send + Sync + 'a>) -> Result<Self, TableError> {
        let mut columns = Vec::new();
        let mut fields = Vec::new();
        for (name, content) in contents(schema) {
            let target = Target::new(content);
            fields.push(Arc::new(target.field(name).map_err(parquet_error)?));
            columns.push(target);
        }
        let root = Type::group_type_builder("schema").with_fields(fields).build().map_err(parquet_error)?;
        let zstd = Compression::ZSTD(ZstdLevel::default());
        let properties = WriterProperties::builder().set_compression(zstd).build();
        let writer = SerializedFileWriter::new(out, Arc::new(root), Arc::new(properties)).map_err(parquet_error)?;
        Ok(Self { columns, writer, waiting: Vec::new(), waiting_rows: 0 })
    }

    fn flush_group(&mut self) -> Result<(), ParquetError> {
        let blocks = std::mem::take(&mut self.waiting);
        self.waiting_rows = 0;
        let mut group = self.writer.next_row_group()?;
        for (k, target) in self.columns.iter().enumerate() {
            write_column(&mut group, target, blocks.iter().map(|block| &block[k]))?;
        }
        group.close().map(|_| ())
    }
}

impl RowSink for ParquetSink<'_> {
    fn render(&self, block: &CodeBlock<'_>, bits: &mut dyn FnMut() -> u64) -> Result<RenderedBlock, TableError> {
        let words = draw(block, bits);
        let pieces = self.columns.iter().map(|target| target.render(block, &words));
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

impl<'a> Target<'a> {
    fn new(content: Content<'a>) -> Self {
        let Content::Codes(_, codec) = content else {
            return Self { content, form: Form::Integer, optional: false };
        };
        let form = match codec.kind() {
            CodecKind::Integer(_) => Form::Integer,
            CodecKind::Number(_) => Form::Number,
            CodecKind::Date(..) => Form::Date,
            CodecKind::DateTime(..) => Form::DateTime,
            CodecKind::Boolean(words) if *words.words() == ["false", "true"] => Form::Boolean,
            CodecKind::Boolean(_) | CodecKind::Category(_) => Form::Words(words(codec)),
        };
        Self { content, form, optional: codec.missing_code().is_some() }
    }

    fn field(&self, name: &str) -> parquet::errors::Result<Type> {
        let (physical, logical) = match self.form {
            Form::Integer => (Physical::INT64, None),
            Form::Number => (Physical::DOUBLE, None),
            Form::Boolean => (Physical::BOOLEAN, None),
            Form::Date => (Physical::INT32, Some(LogicalType::Date)),
            // Parquet knows no unit above the millisecond.
            Form::DateTime => (Physical::INT64, Some(LogicalType::timestamp(false, TimeUnit::MILLIS))),
            Form::Words(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let repetition = if self.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        Type::primitive_type_builder(name, physical).with_logical_type(logical).with_repetition(repetition).build()
    }

    fn render(&self, block: &CodeBlock<'_>, words: &[u64]) -> Piece {
        let Content::Codes(attribute, codec) = self.content else {
            let ids = (1..=block.rows as u64).map(|row| (block.first_row + row) as i64);
            return Piece { values: Values::Integers(ids.collect()), levels: Vec::new() };
        };
        let codes = &block.columns[attribute][..block.rows];
        let missing = codec.missing_code();
        let levels = match self.optional {
            true => codes.iter().map(|&code| i16::from(Some(code) != missing)).collect(),
            false => Vec::new(),
        };
        let words = &words[attribute * block.rows..][..block.rows];
        let values = codes.iter().zip(words).filter(|&(&code, _)| Some(code) != missing);
        let decoded = values.clone().map(|(&code, &bits)| codec.decode(code, bits));
        let values = match self.form {
            Form::Integer => Values::Integers(decoded.map(whole).collect()),
            Form::Number => Values::Numbers(decoded.map(real).collect()),
            Form::Boolean => Values::Booleans(values.map(|(&code, _)| code == 1).collect()),
            Form::Date => Values::Dates(decoded.map(|value| whole(value) as i32).collect()),
            Form::DateTime => Values::Integers(decoded.map(|value| whole(value).saturating_mul(1000)).collect()),
            Form::Words(_) => Values::Words(values.map(|(&code, _)| code).collect()),
        };
        Piece { values, levels }
    }
}

fn whole(value: CellValue<'_>) -> i64 {
    match value {
        CellValue::Integer(value) | CellValue::DateTime(value) => value,
        CellValue::Date(days) => i64::from(days),
        CellValue::Missing | CellValue::Number(_) | CellValue::Text(_) => 0,
    }
}

fn real(value: CellValue<'_>) -> f64 {
    match value {
        CellValue::Number(value) => value,
        value => whole(value) as f64,
    }
}

/// The words of all codes that are not missing.
fn words(codec: &Codec) -> Vec<ByteArray> {
    let word = |code| match codec.decode(code, 0) {
        CellValue::Text(word) => ByteArray::from(word),
        _ => ByteArray::from(""),
    };
    (0..codec.present()).map(word).collect()
}

fn write_column<'p>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    target: &Target<'_>,
    pieces: impl Iterator<Item = &'p Piece>,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("fewer columns than the schema has".to_owned()));
    };
    for piece in pieces {
        let levels = target.optional.then_some(piece.levels.as_slice());
        match (&piece.values, &target.form) {
            (Values::Integers(values), _) => put::<Int64Type>(&mut column, values, levels)?,
            (Values::Numbers(values), _) => put::<DoubleType>(&mut column, values, levels)?,
            (Values::Booleans(values), _) => put::<BoolType>(&mut column, values, levels)?,
            (Values::Dates(values), _) => put::<Int32Type>(&mut column, values, levels)?,
            (Values::Words(codes), Form::Words(words)) => {
                // Cheap: the words share their bytes.
                let values: Vec<ByteArray> = codes.iter().map(|&code| words[code as usize].clone()).collect();
                put::<ByteArrayType>(&mut column, &values, levels)?;
            }
            (Values::Words(_), _) => return Err(ParquetError::General("words in a column of another kind".to_owned())),
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
