//! The values of one flat column of one row group, a stretch of rows at a time.

use std::sync::Arc;

use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{DataType, Int96};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::serialized_reader::SerializedPageReader;

use super::file::Positional;
use super::scalar::{Meaning, Scalar, single};
use crate::read::persons::{PersonKey, Tag};

/// A column of a row group that is being read.
pub(super) struct Cursor {
    reader: ColumnReader,
    meaning: Meaning,
    /// Values below this level are missing.
    present: i16,
}

impl Cursor {
    pub(super) fn open(file: &Positional, group: &RowGroupMetaData, leaf: usize) -> parquet::errors::Result<Self> {
        let chunk = group.column(leaf);
        let rows = usize::try_from(group.num_rows()).unwrap_or(0);
        let pages = SerializedPageReader::new(Arc::new(file.clone()), chunk, rows, None)?;
        let descriptor = chunk.column_descr_ptr();
        let (meaning, present) = (Meaning::of(&descriptor), descriptor.max_def_level());
        Ok(Self { reader: get_column_reader(descriptor, Box::new(pages)), meaning, present })
    }

    /// Calls `each` with the next `rows` values. Returns how many there were.
    pub(super) fn read(&mut self, rows: usize, each: impl FnMut(Scalar<'_>)) -> parquet::errors::Result<usize> {
        let (meaning, present) = (self.meaning, self.present);
        match &mut self.reader {
            ColumnReader::BoolColumnReader(reader) => drain(reader, present, rows, |&v| Scalar::Boolean(v), each),
            ColumnReader::Int32ColumnReader(reader) => {
                drain(reader, present, rows, |&v| meaning.integer(i64::from(v), 32), each)
            }
            ColumnReader::Int64ColumnReader(reader) => drain(reader, present, rows, |&v| meaning.integer(v, 64), each),
            ColumnReader::Int96ColumnReader(reader) => {
                drain(reader, present, rows, |v| Scalar::DateTime(v.to_seconds()), each)
            }
            ColumnReader::FloatColumnReader(reader) => {
                drain(reader, present, rows, |&v| Scalar::Number(single(v)), each)
            }
            ColumnReader::DoubleColumnReader(reader) => drain(reader, present, rows, |&v| Scalar::Number(v), each),
            ColumnReader::ByteArrayColumnReader(reader) => {
                drain(reader, present, rows, |v| meaning.bytes(v.data()), each)
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                drain(reader, present, rows, |v| meaning.bytes(v.data()), each)
            }
        }
    }
}

impl Cursor {
    /// Appends the tags of the next `rows` ids: of values exactly as they are stored, so that different ids stay different.
    /// Text may mean "missing".
    pub(super) fn read_tags(
        &mut self,
        rows: usize,
        key: &PersonKey,
        tags: &mut Vec<Option<Tag>>,
    ) -> parquet::errors::Result<usize> {
        let (present, is_text) = (self.present, self.meaning == Meaning::Text);
        let of = |bytes: &[u8]| if is_text { key.of_text(bytes) } else { Some(key.of_bytes(bytes)) };
        match &mut self.reader {
            ColumnReader::BoolColumnReader(reader) => drain_with(reader, present, rows, |value| {
                tags.push(value.map(|&value| key.of_bytes(&[u8::from(value)])));
            }),
            ColumnReader::Int32ColumnReader(reader) => drain_with(reader, present, rows, |value| {
                tags.push(value.map(|value| key.of_bytes(&value.to_le_bytes())));
            }),
            ColumnReader::Int64ColumnReader(reader) => drain_with(reader, present, rows, |value| {
                tags.push(value.map(|value| key.of_bytes(&value.to_le_bytes())));
            }),
            ColumnReader::Int96ColumnReader(reader) => drain_with(reader, present, rows, |value| {
                let bytes =
                    |value: &Int96| value.data().iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
                tags.push(value.map(|value| key.of_bytes(&bytes(value))));
            }),
            ColumnReader::FloatColumnReader(reader) => drain_with(reader, present, rows, |value| {
                tags.push(value.map(|value| key.of_bytes(&value.to_le_bytes())));
            }),
            ColumnReader::DoubleColumnReader(reader) => drain_with(reader, present, rows, |value| {
                tags.push(value.map(|value| key.of_bytes(&value.to_le_bytes())));
            }),
            ColumnReader::ByteArrayColumnReader(reader) => drain_with(reader, present, rows, |value| {
                tags.push(value.and_then(|value| of(value.data())));
            }),
            ColumnReader::FixedLenByteArrayColumnReader(reader) => drain_with(reader, present, rows, |value| {
                tags.push(value.and_then(|value| of(value.data())));
            }),
        }
    }
}

fn drain<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    present: i16,
    rows: usize,
    convert: impl for<'v> Fn(&'v T::T) -> Scalar<'v>,
    mut each: impl FnMut(Scalar<'_>),
) -> parquet::errors::Result<usize> {
    drain_with(reader, present, rows, |value| each(value.map_or(Scalar::Missing, &convert)))
}

/// Calls `each` with the next `rows` values as they are stored; `None` where there is none.
fn drain_with<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    present: i16,
    rows: usize,
    mut each: impl FnMut(Option<&T::T>),
) -> parquet::errors::Result<usize> {
    let mut values = Vec::new();
    let mut levels = Vec::new();
    let mut done = 0;
    while done < rows {
        values.clear();
        levels.clear();
        let (records, _, _) = reader.read_records(rows - done, Some(&mut levels), None, &mut values)?;
        if records == 0 {
            break;
        }
        done += records;
        let mut values = values.iter();
        for row in 0..records {
            let missing = present > 0 && levels.get(row).is_none_or(|&level| level < present);
            each(if missing { None } else { values.next() });
        }
    }
    Ok(done)
}
