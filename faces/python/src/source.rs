//! Rows that come in: a path, an iterator of whatever hands over Arrow batches, or an engine.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions::as_datetime_with_timezone;
use arrow_array::timezone::Tz;
use arrow_array::types::{
    ArrowTimestampType, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType,
};
use arrow_array::{Array, ArrayRef, PrimitiveArray, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, Field, Schema, TimeUnit};
use lookalike::{HeldBatches, Input, Source, table_input};
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use pyo3_arrow::input::AnyRecordBatch;

use crate::engine::{PythonRows, Raised};
use crate::errors::{of_class, raised};

/// Rows as Python hands them over.
pub enum Given {
    /// A file.
    File(Input),
    /// An iterator of objects with Arrow's C interface.
    Frames(FrameIterator),
    /// Rows that stay where they are.
    Engine(PythonRows, Raised),
}

impl Given {
    /// A path as `str`, or an iterator of frames.
    pub fn new(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(path) = given.extract::<String>() {
            let input = table_input(path.as_ref()).map_err(|error| raised(given.py(), &error))?;
            return Ok(Self::File(input));
        }
        if let Some((rows, raised)) = PythonRows::of(given)? {
            return Ok(Self::Engine(rows, raised));
        }
        Ok(Self::Frames(FrameIterator { frames: given.try_iter()?.unbind(), now: None }))
    }

    /// As a run takes it.
    pub fn source(self) -> Source<'static> {
        match self {
            Self::File(input) => Source::Input(input),
            Self::Frames(frames) => Source::Batches(Box::new(frames)),
            Self::Engine(rows, _) => Source::Far(Box::new(rows)),
        }
    }

    /// What an engine raises, if the rows are behind one.
    pub fn raised(&self) -> Option<Raised> {
        match self {
            Self::Engine(_, raised) => Some(raised.clone()),
            _ => None,
        }
    }

    /// As something that can be read again and again.
    pub fn input(self, py: Python<'_>) -> PyResult<Input> {
        match self {
            Self::File(input) => Ok(input),
            Self::Engine(..) => Err(of_class(py, "DataError", "the rows stay where they are; a frame is needed here")),
            Self::Frames(frames) => {
                let batches: Result<Vec<RecordBatch>, ArrowError> = py.detach(|| frames.collect());
                let unreadable = || of_class(py, "DataError", "the frame could not be read as Arrow");
                Ok(Input::Batches(HeldBatches::new(batches.map_err(|_| unreadable())?)))
            }
        }
    }

    /// All batches.
    pub fn batches(self, py: Python<'_>) -> PyResult<Vec<RecordBatch>> {
        match self.input(py)? {
            Input::Batches(held) => Ok(held.batches().to_vec()),
            _ => Err(of_class(py, "DataError", "a frame is needed here, not a path")),
        }
    }
}

/// The batches of one frame after the other. Only asking for the next frame needs the interpreter.
pub struct FrameIterator {
    frames: Py<PyIterator>,
    now: Option<Box<dyn RecordBatchReader + Send>>,
}

impl Iterator for FrameIterator {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(batch) = self.now.as_mut().and_then(Iterator::next) {
                return Some(batch.and_then(on_the_wall));
            }
            let next = Python::attach(|py| {
                let frame = self.frames.bind(py).clone().next()?;
                Some(frame.and_then(|frame| frame.extract::<AnyRecordBatch>()?.into_reader()))
            });
            match next? {
                Ok(reader) => self.now = Some(reader),
                Err(error) => return Some(Err(ArrowError::ExternalError(Box::new(error)))),
            }
        }
    }
}

/// Times with a zone as the clock on the wall shows them, as they are read from text too.
pub fn on_the_wall(batch: RecordBatch) -> Result<RecordBatch, ArrowError> {
    let zoned = |field: &Arc<Field>| matches!(field.data_type(), DataType::Timestamp(_, Some(_)));
    if !batch.schema().fields().iter().any(zoned) {
        return Ok(batch);
    }
    let header = batch.schema();
    let mut fields = Vec::new();
    let mut columns = Vec::new();
    for (field, column) in header.fields().iter().zip(batch.columns()) {
        let column = match field.data_type() {
            DataType::Timestamp(TimeUnit::Second, Some(zone)) => shifted::<TimestampSecondType>(column, zone)?,
            DataType::Timestamp(TimeUnit::Millisecond, Some(zone)) => {
                shifted::<TimestampMillisecondType>(column, zone)?
            }
            DataType::Timestamp(TimeUnit::Microsecond, Some(zone)) => {
                shifted::<TimestampMicrosecondType>(column, zone)?
            }
            DataType::Timestamp(TimeUnit::Nanosecond, Some(zone)) => shifted::<TimestampNanosecondType>(column, zone)?,
            _ => Arc::clone(column),
        };
        let ordered = field.dict_is_ordered().unwrap_or(false);
        let plain = Field::new(field.name(), column.data_type().clone(), field.is_nullable());
        fields.push(plain.with_dict_is_ordered(ordered));
        columns.push(column);
    }
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
}

fn shifted<T: ArrowTimestampType>(column: &ArrayRef, zone: &str) -> Result<ArrayRef, ArrowError> {
    let zone: Tz = zone.parse()?;
    let local = |value: i64| T::from_naive_datetime(as_datetime_with_timezone::<T>(value, zone)?.naive_local(), None);
    let values = column.as_primitive::<T>().iter();
    Ok(Arc::new(values.map(|value| value.and_then(local)).collect::<PrimitiveArray<T>>()))
}
