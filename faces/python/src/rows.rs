//! Rows that go out: Arrow batches behind Arrow's C interface.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int64Type, TimestampMillisecondType};
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{DataType, Field, SchemaRef};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use pyo3_arrow::ffi::{ArrayIterator, to_stream_pycapsule};

/// Rows in memory. Frames take them through `__arrow_c_stream__`.
#[pyclass(module = "lookalike", frozen)]
pub struct Rows {
    batches: Vec<RecordBatch>,
    schema: SchemaRef,
}

impl Rows {
    /// Rows of these batches, all with the columns of the first.
    pub fn new(batches: Vec<RecordBatch>) -> Self {
        let schema = batches.first().map_or_else(|| Arc::new(arrow_schema::Schema::empty()), RecordBatch::schema);
        Self { batches, schema }
    }

    /// The cells of a column from first to last.
    fn column<'py>(&self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for batch in &self.batches {
            append(&list, batch.column(place))?;
        }
        Ok(list)
    }
}

#[pymethods]
impl Rows {
    /// Arrow's C stream interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let field = Field::new_struct("", self.schema.fields().clone(), false);
        let arrays = self.batches.clone().into_iter().map(|batch| Ok(Arc::new(StructArray::from(batch)) as ArrayRef));
        let reader = Box::new(ArrayIterator::new(arrays, Arc::new(field)));
        Ok(to_stream_pycapsule(py, reader, requested_schema)?)
    }

    /// The number of rows.
    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn __repr__(&self) -> String {
        format!("<lookalike.Rows: {} rows, columns {}>", self.__len__(), self.columns().join(", "))
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The columns as lists, for whoever has no library of frames.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for (place, field) in self.schema.fields().iter().enumerate() {
            found.set_item(field.name(), self.column(py, place)?)?;
        }
        Ok(found)
    }
}

fn append(list: &Bound<'_, PyList>, column: &ArrayRef) -> PyResult<()> {
    let py = list.py();
    match column.data_type() {
        DataType::Int64 => column.as_primitive::<Int64Type>().iter().try_for_each(|value| list.append(value)),
        DataType::Float64 => column.as_primitive::<Float64Type>().iter().try_for_each(|value| list.append(value)),
        DataType::Boolean => column.as_boolean().iter().try_for_each(|value| list.append(value)),
        DataType::Utf8 => column.as_string::<i32>().iter().try_for_each(|value| list.append(value)),
        DataType::Date32 => {
            let day = py.import("datetime")?.getattr("date")?.getattr("fromordinal")?;
            // The first of January 1970 is day 719,163 of the calendar.
            column.as_primitive::<Date32Type>().iter().try_for_each(|value| match value {
                Some(days) => list.append(day.call1((i64::from(days) + 719_163,))?),
                None => list.append(py.None()),
            })
        }
        DataType::Timestamp(..) => {
            let module = py.import("datetime")?;
            let start = module.getattr("datetime")?.call1((1970, 1, 1))?;
            let span = module.getattr("timedelta")?;
            column.as_primitive::<TimestampMillisecondType>().iter().try_for_each(|value| match value {
                Some(millis) => list.append(start.add(span.call1((0, 0, 0, millis))?)?),
                None => list.append(py.None()),
            })
        }
        other => Err(PyTypeError::new_err(format!("columns of {other} have no form in plain Python"))),
    }
}
