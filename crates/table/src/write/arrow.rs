//! Synthetic rows as Arrow batches, with the types that the Parquet file has.

use std::sync::Arc;

use arrow_array::types::{ArrowPrimitiveType, Date32Type, Float64Type, Int64Type, TimestampMillisecondType};
use arrow_array::{ArrayRef, BooleanArray, PrimitiveArray, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema as ArrowSchema, SchemaRef, TimeUnit};
use lookalike_schema::Schema;

use super::rows::{CodeBlock, ColumnCells, Values, draw, io_error};
use super::typed::{Form, OutputColumn, output_columns};
use crate::error::TableError;

/// Turns codes into Arrow batches. Column order is the schema's; ignored columns are left out, or
/// without a value where the schema says so.
///
/// Integers and plain ids are 64-bit integers, numbers doubles, dates `Date32`, datetimes
/// milliseconds without a zone, words text, booleans booleans when their words are `false` and
/// `true`.
pub struct BatchWriter<'a> {
    columns: Vec<OutputColumn<'a>>,
    schema: SchemaRef,
}

impl<'a> BatchWriter<'a> {
    /// A writer of rows with this schema.
    pub fn new(schema: &'a Schema) -> Self {
        let columns = output_columns(schema);
        let field = |column: &OutputColumn<'_>| Field::new(column.name, data_type(&column.form), column.optional);
        let schema = Arc::new(ArrowSchema::new(columns.iter().map(field).collect::<Vec<_>>()));
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
        let arrays = self.columns.iter().map(|column| array(column, column.cells(block, &words), block.rows));
        RecordBatch::try_new(self.schema(), arrays.collect()).map_err(|error| io_error(std::io::Error::other(error)))
    }
}

fn data_type(form: &Form) -> DataType {
    match form {
        Form::Integer => DataType::Int64,
        Form::Number => DataType::Float64,
        Form::Boolean => DataType::Boolean,
        Form::Date => DataType::Date32,
        Form::DateTime => DataType::Timestamp(TimeUnit::Millisecond, None),
        Form::Words(_) | Form::Text => DataType::Utf8,
    }
}

fn array(column: &OutputColumn<'_>, cells: ColumnCells, rows: usize) -> ArrayRef {
    let ColumnCells { values, levels } = cells;
    match (values, &column.form) {
        (Values::Integers(values), Form::DateTime) => primitive::<TimestampMillisecondType>(values, &levels, rows),
        (Values::Integers(values), _) => primitive::<Int64Type>(values, &levels, rows),
        (Values::Numbers(values), _) => primitive::<Float64Type>(values, &levels, rows),
        (Values::Dates(values), _) => primitive::<Date32Type>(values, &levels, rows),
        (Values::Booleans(values), _) => Arc::new(BooleanArray::from_iter(spread(values, &levels, rows))),
        (Values::Texts(texts), _) => {
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap_or_default();
            Arc::new(StringArray::from_iter(spread(texts, &levels, rows).map(|bytes| bytes.map(text))))
        }
        (Values::Words(codes), Form::Words(words)) => {
            let word = |code: u32| words.get(code as usize).map_or("", String::as_str);
            Arc::new(StringArray::from_iter(spread(codes, &levels, rows).map(|code| code.map(word))))
        }
        (Values::Words(codes), _) => primitive::<Int64Type>(codes.into_iter().map(i64::from).collect(), &levels, rows),
    }
}

fn primitive<T: ArrowPrimitiveType>(values: Vec<T::Native>, levels: &[i16], rows: usize) -> ArrayRef {
    match levels {
        [] => Arc::new(PrimitiveArray::<T>::from_iter_values(values)),
        _ => Arc::new(spread(values, levels, rows).collect::<PrimitiveArray<T>>()),
    }
}

/// The present values at their places, and `None` between them.
fn spread<V>(values: Vec<V>, levels: &[i16], rows: usize) -> impl Iterator<Item = Option<V>> {
    let mut values = values.into_iter();
    (0..rows).map(move |row| match levels.get(row) {
        Some(0) => None,
        _ => values.next(),
    })
}
