//! The kernel as processes of an engine call it: Arrow in, Arrow out.
//!
//! It is inside the door (`lookalike_table::far`): `lookalike.spark` hands it to executors, where
//! it sees rows and exact counts. Its errors are fixed sentences, since engines log what tasks
//! raise.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, Int32Array, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use lookalike::engine::{Coding, CountRequest};
use lookalike::{Error, TableError};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;

use crate::errors::{of_class, raised};
use crate::rows::Rows;
use crate::source::on_the_wall;
use crate::watch::watched;

/// The bytes of blobs that go into one batch; Arrow numbers the bytes of a column with 31 bits.
const BATCH_BYTES: usize = 64 << 20;

/// Codes, bounds and counts rows where they are.
#[pyclass(module = "lookalike", frozen)]
pub struct Kernel(lookalike::engine::Kernel);

#[pymethods]
impl Kernel {
    #[new]
    fn new(py: Python<'_>, coding: &[u8]) -> PyResult<Self> {
        let made = Coding::from_bytes(coding).and_then(lookalike::engine::Kernel::new);
        made.map(Self).map_err(|error| raised(py, &error.into()))
    }

    /// The columns that are modelled, and that of persons.
    #[getter]
    fn needed(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.0.needed().map_err(|error| raised(py, &error.into()))
    }

    /// How many codes each modelled column has.
    #[getter]
    fn sizes(&self) -> Vec<u32> {
        self.0.sizes().to_vec()
    }

    /// Whether the rows of persons are bounded.
    #[getter]
    fn bounds_persons(&self) -> bool {
        self.0.bounds_persons()
    }

    /// Rows as blobs: columns `bucket` and `blob`.
    fn code(&self, py: Python<'_>, rows: &Bound<'_, PyAny>, buckets: u32) -> PyResult<Rows> {
        let batches = batches_of(py, rows)?;
        watched(py, None, move |_, _| {
            let blobs = self.0.code(&batches, buckets)?;
            blob_batches(blobs.into_iter().map(|(bucket, blob)| (bucket as i32, blob)))
        })
        .map(Rows::new)
    }

    /// What is kept of the rows of persons in these blobs: columns `bucket` and `blob`.
    fn bound(&self, py: Python<'_>, blobs: &Bound<'_, PyAny>) -> PyResult<Rows> {
        let batches = batches_of(py, blobs)?;
        watched(py, None, move |_, _| {
            let kept = self.0.bound(&blobs_of(&batches)?)?;
            blob_batches(kept.into_iter().map(|blob| (0, blob)))
        })
        .map(Rows::new)
    }

    /// Counts of the occupied cells: columns `clique`, `cell` and `count`.
    fn count(&self, py: Python<'_>, blobs: &Bound<'_, PyAny>, request: &[u8]) -> PyResult<Rows> {
        let request = CountRequest::from_bytes(request).map_err(|error| raised(py, &error.into()))?;
        let batches = batches_of(py, blobs)?;
        watched(py, None, move |_, _| Ok(vec![self.0.count(&blobs_of(&batches)?, &request)?])).map(Rows::new)
    }
}

/// All batches of an object with Arrow's C interface.
fn batches_of(py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<Vec<RecordBatch>> {
    let reader = given.extract::<AnyRecordBatch>()?.into_reader()?;
    let read: Result<Vec<RecordBatch>, ArrowError> =
        py.detach(|| reader.map(|batch| batch.and_then(on_the_wall)).collect());
    read.map_err(|_| of_class(py, "DataError", "a batch of the engine could not be read as Arrow"))
}

/// The values of the column `blob`.
fn blobs_of(batches: &[RecordBatch]) -> Result<Vec<&[u8]>, Error> {
    let mut blobs = Vec::new();
    for batch in batches {
        let column = batch.column_by_name("blob").filter(|column| column.null_count() == 0);
        let column = column.ok_or_else(other_form)?;
        match column.data_type() {
            DataType::Binary => blobs.extend(column.as_binary::<i32>().iter().flatten()),
            DataType::LargeBinary => blobs.extend(column.as_binary::<i64>().iter().flatten()),
            _ => return Err(other_form()),
        }
    }
    Ok(blobs)
}

/// Blobs with their buckets, in batches of a bounded size: one at least, so that columns are told.
fn blob_batches(blobs: impl Iterator<Item = (i32, Vec<u8>)>) -> Result<Vec<RecordBatch>, Error> {
    let fields = vec![Field::new("bucket", DataType::Int32, false), Field::new("blob", DataType::Binary, false)];
    let header = Arc::new(Schema::new(fields));
    let batch = |blobs: &[(i32, Vec<u8>)]| {
        let buckets: ArrayRef = Arc::new(Int32Array::from_iter_values(blobs.iter().map(|blob| blob.0)));
        let bytes: ArrayRef = Arc::new(BinaryArray::from_iter_values(blobs.iter().map(|blob| &blob.1)));
        RecordBatch::try_new(header.clone(), vec![buckets, bytes])
    };
    let (mut batches, mut waiting, mut bytes) = (Vec::new(), Vec::new(), 0);
    for blob in blobs {
        if bytes + blob.1.len() > BATCH_BYTES {
            batches.push(batch(&waiting).map_err(|_| other_form())?);
            (waiting, bytes) = (Vec::new(), 0);
        }
        bytes += blob.1.len();
        waiting.push(blob);
    }
    batches.push(batch(&waiting).map_err(|_| other_form())?);
    Ok(batches)
}

fn other_form() -> Error {
    TableError::Server { what: "coded rows are not in the form that an engine keeps", help: "run again" }.into()
}
