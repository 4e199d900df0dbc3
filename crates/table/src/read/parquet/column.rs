//! The values of one flat column of one row group, a stretch of rows at a time.

use std::sync::{Mutex, PoisonError};

use lookalike_schema::TypedCell;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{ByteArray, DataType, FixedLenByteArray, Int96};
use parquet::file::metadata::RowGroupMetaData;

use super::exact;
use super::file::Positional;
use super::pages::{CheckedPages, Weight};
use super::scalar::{Meaning, single};

/// A column whose pages unpack to more than this is not kept open beside others.
pub(super) const HEAVY: u64 = 1 << 25;
/// Values of a text column that are held at a time take about this much: some encodings repeat what
/// a page holds once.
const TEXTS_AT_ONCE: u64 = 1 << 28;

/// One heavy column at a time.
static HEAVY_TURN: Mutex<()> = Mutex::new(());

/// A column of a row group that is being read.
pub(super) struct Cursor<'a> {
    file: &'a Positional,
    group: &'a RowGroupMetaData,
    leaf: usize,
    /// `None` when it is heavy: then it is opened for every stretch anew, which is slow and takes
    /// no memory in between. A file whose pages are that large is rare, and one with many such
    /// columns would fill any memory.
    reader: Option<ColumnReader>,
    /// Rows that were read.
    done: usize,
    meaning: Meaning,
    /// Values below this level are missing.
    present: i16,
    /// Values to hold at a time.
    at_once: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn open(
        file: &'a Positional,
        group: &'a RowGroupMetaData,
        leaf: usize,
    ) -> parquet::errors::Result<Self> {
        let descriptor = group.column(leaf).column_descr_ptr();
        let weight = Weight::of(file, group.column(leaf))?;
        let (meaning, present) = (Meaning::of(&descriptor), descriptor.max_def_level());
        let at_once = (TEXTS_AT_ONCE / weight.page.max(1)).clamp(1, 4096) as usize;
        let mut cursor = Self { file, group, leaf, reader: None, done: 0, meaning, present, at_once };
        if weight.bytes() <= HEAVY {
            cursor.reader = Some(cursor.reader()?);
        }
        Ok(cursor)
    }

    /// Whether its pages are too large to be kept.
    pub(super) fn is_heavy(&self) -> bool {
        self.reader.is_none()
    }

    fn reader(&self) -> parquet::errors::Result<ColumnReader> {
        let pages = CheckedPages::open(self.file, self.group, self.leaf)?;
        Ok(get_column_reader(self.group.column(self.leaf).column_descr_ptr(), Box::new(pages)))
    }

    /// Calls `each` with the next `rows` values. Returns how many there were.
    pub(super) fn read(&mut self, rows: usize, each: impl FnMut(TypedCell<'_>)) -> parquet::errors::Result<usize> {
        self.with_reader(|cursor, reader| cursor.read_from(reader, rows, each))
    }

    /// Lets `read` read on from where we are. It returns how many values it read.
    fn with_reader(
        &mut self,
        read: impl FnOnce(&Self, &mut ColumnReader) -> parquet::errors::Result<usize>,
    ) -> parquet::errors::Result<usize> {
        let count = match self.reader.take() {
            Some(mut reader) => {
                let count = read(self, &mut reader);
                self.reader = Some(reader);
                count
            }
            None => {
                let _turn = HEAVY_TURN.lock().unwrap_or_else(PoisonError::into_inner);
                let mut reader = self.reader()?;
                skip(&mut reader, self.done)?;
                read(self, &mut reader)
            }
        }?;
        self.done += count;
        Ok(count)
    }

    fn read_from(
        &self,
        reader: &mut ColumnReader,
        rows: usize,
        each: impl FnMut(TypedCell<'_>),
    ) -> parquet::errors::Result<usize> {
        let (meaning, present) = (self.meaning, self.present);
        // Numbers are as large as they are; only texts have to be rationed.
        let (few, all) = (self.at_once, usize::MAX);
        match reader {
            ColumnReader::BoolColumnReader(reader) => {
                drain(reader, present, (rows, all), |&v| TypedCell::Boolean(v), each)
            }
            ColumnReader::Int32ColumnReader(reader) => {
                drain(reader, present, (rows, all), |&v| meaning.integer(i64::from(v), 32), each)
            }
            ColumnReader::Int64ColumnReader(reader) => {
                drain(reader, present, (rows, all), |&v| meaning.integer(v, 64), each)
            }
            ColumnReader::Int96ColumnReader(reader) => {
                drain(reader, present, (rows, all), |v| TypedCell::DateTime(v.to_seconds()), each)
            }
            ColumnReader::FloatColumnReader(reader) => {
                drain(reader, present, (rows, all), |&v| TypedCell::Number(single(v)), each)
            }
            ColumnReader::DoubleColumnReader(reader) => {
                drain(reader, present, (rows, all), |&v| TypedCell::Number(v), each)
            }
            ColumnReader::ByteArrayColumnReader(reader) => {
                drain(reader, present, (rows, few), |v| meaning.bytes(v.data()), each)
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                drain(reader, present, (rows, few), |v| meaning.bytes(v.data()), each)
            }
        }
    }
}

impl Cursor<'_> {
    /// Calls `each` with the next `rows` values and their exact texts, which a missing one lacks.
    /// Returns how many there were.
    pub(super) fn read_exact(
        &mut self,
        rows: usize,
        each: impl FnMut(TypedCell<'_>, Option<&[u8]>),
    ) -> parquet::errors::Result<usize> {
        self.with_reader(|cursor, reader| cursor.exact_from(reader, rows, each))
    }

    fn exact_from(
        &self,
        reader: &mut ColumnReader,
        rows: usize,
        mut each: impl FnMut(TypedCell<'_>, Option<&[u8]>),
    ) -> parquet::errors::Result<usize> {
        let (few, rows) = ((rows, self.at_once), (rows, usize::MAX));
        let (meaning, present) = (self.meaning, self.present);
        let mut text = Vec::new();
        macro_rules! shown {
            ($reader:expr, $rows:expr, $scalar:expr, $write:expr) => {
                drain_with($reader, present, $rows, |value| match value {
                    None => each(TypedCell::Missing, None),
                    Some(value) => {
                        text.clear();
                        $write(value, &mut text);
                        each($scalar(value), Some(&text));
                    }
                })
            };
        }
        type Out = Vec<u8>;
        match reader {
            ColumnReader::BoolColumnReader(reader) => {
                let word = |&value: &bool, out: &mut Out| {
                    out.extend_from_slice(if value { b"true" } else { b"false" });
                };
                shown!(reader, rows, |&value: &bool| TypedCell::Boolean(value), word)
            }
            ColumnReader::Int32ColumnReader(reader) => {
                let write = |&value: &i32, out: &mut Out| exact::integer(meaning, i64::from(value), 32, out);
                shown!(reader, rows, |&value: &i32| meaning.integer(i64::from(value), 32), write)
            }
            ColumnReader::Int64ColumnReader(reader) => {
                let write = |&value: &i64, out: &mut Out| exact::integer(meaning, value, 64, out);
                shown!(reader, rows, |&value: &i64| meaning.integer(value, 64), write)
            }
            ColumnReader::Int96ColumnReader(reader) => {
                shown!(reader, rows, |value: &Int96| TypedCell::DateTime(value.to_seconds()), exact::old_timestamp)
            }
            ColumnReader::FloatColumnReader(reader) => {
                let write = |&value: &f32, out: &mut Out| exact::fraction(value, out);
                shown!(reader, rows, |&value: &f32| TypedCell::Number(single(value)), write)
            }
            ColumnReader::DoubleColumnReader(reader) => {
                let write = |&value: &f64, out: &mut Out| exact::fraction(value, out);
                shown!(reader, rows, |&value: &f64| TypedCell::Number(value), write)
            }
            ColumnReader::ByteArrayColumnReader(reader) => {
                let write = |value: &ByteArray, out: &mut Out| exact::bytes(meaning, value.data(), out);
                drain_with(reader, present, few, |value| match value {
                    None => each(TypedCell::Missing, None),
                    Some(value) => {
                        text.clear();
                        write(value, &mut text);
                        each(meaning.bytes(value.data()), Some(&text));
                    }
                })
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                let write = |value: &FixedLenByteArray, out: &mut Out| exact::bytes(meaning, value.data(), out);
                drain_with(reader, present, few, |value| match value {
                    None => each(TypedCell::Missing, None),
                    Some(value) => {
                        text.clear();
                        write(value, &mut text);
                        each(meaning.bytes(value.data()), Some(&text));
                    }
                })
            }
        }
    }
}

fn drain<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    present: i16,
    rows: (usize, usize),
    convert: impl for<'v> Fn(&'v T::T) -> TypedCell<'v>,
    mut each: impl FnMut(TypedCell<'_>),
) -> parquet::errors::Result<usize> {
    drain_with(reader, present, rows, |value| each(value.map_or(TypedCell::Missing, &convert)))
}

/// Calls `each` with the next `rows` values as they are stored, so many held at once; `None` where
/// there is none.
fn drain_with<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    present: i16,
    (rows, at_once): (usize, usize),
    mut each: impl FnMut(Option<&T::T>),
) -> parquet::errors::Result<usize> {
    let mut values = Vec::new();
    let mut levels = Vec::new();
    let mut done = 0;
    while done < rows {
        values.clear();
        levels.clear();
        let (records, _, _) = reader.read_records((rows - done).min(at_once), Some(&mut levels), None, &mut values)?;
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

/// Passes values that were read before.
fn skip(reader: &mut ColumnReader, rows: usize) -> parquet::errors::Result<usize> {
    match reader {
        ColumnReader::BoolColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::Int32ColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::Int64ColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::Int96ColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::FloatColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::DoubleColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::ByteArrayColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => reader.skip_records(rows),
    }
}
