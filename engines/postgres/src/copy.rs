//! Binary COPY: from the server's bytes to batches.
//!
//! Cells mean what they mean in a CSV file of the same table. Dates and moments outside of the
//! years 1 to 9999, and the infinite ones, are no dates of any schema: their cells are missing, as
//! text that is no date.

use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BinaryBuilder, BooleanBuilder, Date32Builder, Float32Builder, Float64Builder, Int16Builder,
    Int32Builder, Int64Builder, TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;

use crate::columns::{Columns, Sent};
use crate::fail::Failure;

/// Rows of a batch, and the bytes of texts at which it ends before.
const BATCH_ROWS: usize = 1 << 16;
const BATCH_BYTES: usize = 1 << 28;
/// What every stream begins with.
const SIGNATURE: &[u8; 11] = b"PGCOPY\n\xff\r\n\0";
/// Days and microseconds from 1970-01-01 to 2000-01-01, where the server begins to count.
const EPOCH_DAYS: i64 = 10_957;
const EPOCH_MICROS: i64 = EPOCH_DAYS * DAY_MICROS;
const DAY_MICROS: i64 = 86_400_000_000;
/// Days of 0001-01-01 and 9999-12-31.
const DAYS: std::ops::RangeInclusive<i64> = -719_162..=2_932_896;

/// A stream of rows, fed piece by piece as it arrives.
pub(crate) struct CopyStream {
    header: SchemaRef,
    columns: Vec<ColumnBuilder>,
    rows: usize,
    bytes: usize,
    /// What came and is no whole row yet.
    rest: Vec<u8>,
    /// Where the fields of a row lie.
    fields: Vec<Option<(usize, usize)>>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Begins,
    Rows,
    Ended,
}

impl CopyStream {
    pub fn new(columns: &Columns) -> Self {
        let builders = columns.sent.iter().map(|&sent| ColumnBuilder::new(sent)).collect();
        let (rows, bytes, rest, fields) = (0, 0, Vec::new(), Vec::new());
        Self { header: columns.header(), columns: builders, rows, bytes, rest, fields, state: State::Begins }
    }

    /// Takes the next bytes in, and calls `each` with every batch that is full.
    pub fn feed(
        &mut self,
        bytes: &[u8],
        each: &mut dyn FnMut(RecordBatch) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        // A server sends row by row, so that mostly nothing is left over.
        if self.rest.is_empty() {
            let done = self.take(bytes, each)?;
            self.rest.extend_from_slice(&bytes[done..]);
        } else {
            let mut rest = std::mem::take(&mut self.rest);
            rest.extend_from_slice(bytes);
            let done = self.take(&rest, each)?;
            rest.drain(..done);
            self.rest = rest;
        }
        Ok(())
    }

    /// The last rows. `Err` when the stream broke off.
    pub fn finish(mut self, each: &mut dyn FnMut(RecordBatch) -> Result<(), Failure>) -> Result<(), Failure> {
        if self.state != State::Ended || !self.rest.is_empty() {
            return Err(Failure::server("the PostgreSQL server did not hand over all rows"));
        }
        each(self.batch()?)
    }

    /// Takes all whole parts of the stream; gives how many bytes they are.
    fn take(
        &mut self,
        bytes: &[u8],
        each: &mut dyn FnMut(RecordBatch) -> Result<(), Failure>,
    ) -> Result<usize, Failure> {
        let mut at = 0;
        if self.state == State::Begins {
            let Some(length) = header_length(bytes)? else { return Ok(0) };
            (at, self.state) = (length, State::Rows);
        }
        while self.state == State::Rows {
            let Some(length) = self.row(&bytes[at..])? else { break };
            at += length;
            if self.rows == BATCH_ROWS || self.bytes >= BATCH_BYTES {
                each(self.batch()?)?;
            }
        }
        Ok(at)
    }

    /// Takes a row; `None` when it is not whole yet.
    fn row(&mut self, bytes: &[u8]) -> Result<Option<usize>, Failure> {
        let Some((count, mut at)) = bytes.first_chunk().map(|&count| (i16::from_be_bytes(count), 2)) else {
            return Ok(None);
        };
        if count == -1 {
            self.state = State::Ended;
            return Ok(Some(2));
        }
        if usize::try_from(count) != Ok(self.columns.len()) {
            return Err(Failure::garbled());
        }
        self.fields.clear();
        for _ in 0..count {
            let Some(&length) = bytes.get(at..).and_then(|rest| rest.first_chunk()) else { return Ok(None) };
            at += 4;
            match i32::from_be_bytes(length) {
                -1 => self.fields.push(None),
                length => {
                    let length = usize::try_from(length).map_err(|_| Failure::garbled())?;
                    self.fields.push(Some((at, at + length)));
                    at += length;
                    if at > bytes.len() {
                        return Ok(None);
                    }
                }
            }
        }
        for (column, field) in self.columns.iter_mut().zip(&self.fields) {
            column.push(field.map(|(from, to)| &bytes[from..to]))?;
        }
        self.rows += 1;
        self.bytes += at;
        Ok(Some(at))
    }

    fn batch(&mut self) -> Result<RecordBatch, Failure> {
        let columns: Vec<ArrayRef> = self.columns.iter_mut().map(ColumnBuilder::finish).collect();
        (self.rows, self.bytes) = (0, 0);
        RecordBatch::try_new(self.header.clone(), columns).map_err(|_| Failure::garbled())
    }
}

/// The length of what stands before the rows; `None` when it is not whole yet.
fn header_length(bytes: &[u8]) -> Result<Option<usize>, Failure> {
    let start = bytes.len().min(SIGNATURE.len());
    if bytes[..start] != SIGNATURE[..start] {
        return Err(Failure::garbled());
    }
    let Some(&length) = bytes.get(15..).and_then(|rest| rest.first_chunk()) else { return Ok(None) };
    let more = usize::try_from(i32::from_be_bytes(length)).map_err(|_| Failure::garbled())?;
    Ok((bytes.len() - 19 >= more).then_some(19 + more))
}

/// A column of a batch in the making.
enum ColumnBuilder {
    Boolean(BooleanBuilder),
    Int16(Int16Builder),
    Int32(Int32Builder),
    Int64(Int64Builder),
    Single(Float32Builder),
    Double(Float64Builder),
    Date(Date32Builder),
    Timestamp(TimestampMicrosecondBuilder),
    Text(BinaryBuilder),
}

impl ColumnBuilder {
    fn new(sent: Sent) -> Self {
        match sent {
            Sent::Boolean => Self::Boolean(BooleanBuilder::new()),
            Sent::Int16 => Self::Int16(Int16Builder::new()),
            Sent::Int32 => Self::Int32(Int32Builder::new()),
            Sent::Int64 => Self::Int64(Int64Builder::new()),
            Sent::Single => Self::Single(Float32Builder::new()),
            Sent::Double => Self::Double(Float64Builder::new()),
            Sent::Date => Self::Date(Date32Builder::new()),
            Sent::Timestamp => Self::Timestamp(TimestampMicrosecondBuilder::new()),
            Sent::Text => Self::Text(BinaryBuilder::new()),
        }
    }

    /// Appends a cell; `None` is SQL's NULL. `Err` when it has the length of another type.
    fn push(&mut self, cell: Option<&[u8]>) -> Result<(), Failure> {
        match self {
            Self::Boolean(column) => column.append_option(fixed(cell)?.map(|[byte]| byte != 0)),
            Self::Int16(column) => column.append_option(fixed(cell)?.map(i16::from_be_bytes)),
            Self::Int32(column) => column.append_option(fixed(cell)?.map(i32::from_be_bytes)),
            Self::Int64(column) => column.append_option(fixed(cell)?.map(i64::from_be_bytes)),
            Self::Single(column) => column.append_option(fixed(cell)?.map(f32::from_be_bytes)),
            Self::Double(column) => column.append_option(fixed(cell)?.map(f64::from_be_bytes)),
            Self::Date(column) => column.append_option(fixed(cell)?.map(i32::from_be_bytes).and_then(date)),
            Self::Timestamp(column) => column.append_option(fixed(cell)?.map(i64::from_be_bytes).and_then(moment)),
            Self::Text(column) => column.append_option(cell),
        }
        Ok(())
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Boolean(column) => Arc::new(column.finish()),
            Self::Int16(column) => Arc::new(column.finish()),
            Self::Int32(column) => Arc::new(column.finish()),
            Self::Int64(column) => Arc::new(column.finish()),
            Self::Single(column) => Arc::new(column.finish()),
            Self::Double(column) => Arc::new(column.finish()),
            Self::Date(column) => Arc::new(column.finish()),
            Self::Timestamp(column) => Arc::new(column.finish()),
            Self::Text(column) => ArrayBuilder::finish(column),
        }
    }
}

fn fixed<const N: usize>(cell: Option<&[u8]>) -> Result<Option<[u8; N]>, Failure> {
    cell.map(|cell| cell.try_into().map_err(|_| Failure::garbled())).transpose()
}

/// Days since 1970, of a date that a calendar of four digits has.
fn date(days: i32) -> Option<i32> {
    let days = i64::from(days) + EPOCH_DAYS;
    DAYS.contains(&days).then(|| i32::try_from(days).ok()).flatten()
}

/// Microseconds since 1970, of a moment of such a day.
fn moment(micros: i64) -> Option<i64> {
    let micros = micros.checked_add(EPOCH_MICROS)?;
    DAYS.contains(&micros.div_euclid(DAY_MICROS)).then_some(micros)
}

#[cfg(test)]
#[path = "copy_tests.rs"]
mod tests;
