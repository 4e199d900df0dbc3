//! The values of one flat column of one row group, a stretch of rows at a time.

use std::sync::{Mutex, PoisonError};

use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{DataType, Int96};
use parquet::file::metadata::RowGroupMetaData;

use super::damage::{damaged, guarded};
use super::file::Positional;
use super::meaning::meaning_of;
use super::pages::{CheckedPages, Weight};
use crate::error::TableError;
use crate::read::typed::StoredColumn;
use crate::read::typed::stored::{Meaning, Stored};

/// A column whose pages unpack to more than this is not kept open beside others.
pub(super) const HEAVY: u64 = 1 << 25;
/// Values of a text column that are held at a time take about this much: some encodings repeat what
/// a page holds once.
const TEXTS_AT_ONCE: u64 = 1 << 28;

/// One heavy column at a time.
static HEAVY_TURN: Mutex<()> = Mutex::new(());

/// A column of a row group that is being read.
pub(super) struct Cursor<'a> {
    /// The file's name, for messages.
    name: &'a str,
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
        name: &'a str,
        file: &'a Positional,
        group: &'a RowGroupMetaData,
        leaf: usize,
    ) -> parquet::errors::Result<Self> {
        let descriptor = group.column(leaf).column_descr_ptr();
        let weight = Weight::of(file, group.column(leaf))?;
        let (meaning, present) = (meaning_of(&descriptor), descriptor.max_def_level());
        let at_once = (TEXTS_AT_ONCE / weight.page.max(1)).clamp(1, 4096) as usize;
        let mut cursor = Self { name, file, group, leaf, reader: None, done: 0, meaning, present, at_once };
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
        each: impl FnMut(Stored<'_>),
    ) -> parquet::errors::Result<usize> {
        let present = self.present;
        // Numbers are as large as they are; only texts have to be rationed.
        let (few, all) = ((rows, self.at_once), (rows, usize::MAX));
        match reader {
            ColumnReader::BoolColumnReader(reader) => drain(reader, present, all, |&v| Stored::Boolean(v), each),
            ColumnReader::Int32ColumnReader(reader) => drain(reader, present, all, |&v| Stored::Int32(v), each),
            ColumnReader::Int64ColumnReader(reader) => drain(reader, present, all, |&v| Stored::Int64(v), each),
            ColumnReader::Int96ColumnReader(reader) => drain(reader, present, all, nanos, each),
            ColumnReader::FloatColumnReader(reader) => drain(reader, present, all, |&v| Stored::Single(v), each),
            ColumnReader::DoubleColumnReader(reader) => drain(reader, present, all, |&v| Stored::Double(v), each),
            ColumnReader::ByteArrayColumnReader(reader) => {
                drain(reader, present, few, |v| Stored::Bytes(v.data()), each)
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                drain(reader, present, few, |v| Stored::Bytes(v.data()), each)
            }
        }
    }
}

impl StoredColumn for Cursor<'_> {
    fn meaning(&self) -> Meaning {
        self.meaning
    }

    fn read(&mut self, rows: usize, each: impl FnMut(Stored<'_>)) -> Result<(), TableError> {
        let name = self.name;
        let read = || self.with_reader(|cursor, reader| cursor.read_from(reader, rows, each));
        // A file may say that it has more rows than anyone could count to.
        if guarded(name, read)? == rows { Ok(()) } else { Err(damaged(name)) }
    }
}

/// A timestamp of the old kind: nanoseconds of a Julian day.
fn nanos(value: &Int96) -> Stored<'_> {
    let [low, high, day] = value.data() else { return Stored::Missing };
    let nanos = i128::from(u64::from(*high) << 32 | u64::from(*low));
    Stored::Nanos((i128::from(*day as i32) - 2_440_588) * 86_400_000_000_000 + nanos)
}

/// Calls `each` with the next `rows` values, of which `at_once` are held at a time.
fn drain<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    present: i16,
    (rows, at_once): (usize, usize),
    stored: impl for<'v> Fn(&'v T::T) -> Stored<'v>,
    mut each: impl FnMut(Stored<'_>),
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
            let value = if missing { None } else { values.next() };
            each(value.map_or(Stored::Missing, &stored));
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
