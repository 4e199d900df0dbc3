//! Invented people, for the examples.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;

/// What the examples give back when something fails.
pub type Ended<T> = Result<T, Box<dyn std::error::Error>>;

/// A thousand people in two batches. Women are older here, so that there is something to keep.
pub fn batches() -> Ended<Vec<RecordBatch>> {
    [0..600, 600..1000]
        .into_iter()
        .map(|rows: std::ops::Range<i64>| {
            let is_woman = |row: i64| row % 3 != 0;
            let age = rows.clone().map(|row| if is_woman(row) { 40 + row % 60 } else { row % 60 });
            let sex = rows.map(|row| if is_woman(row) { "F" } else { "M" });
            let age = Arc::new(Int64Array::from_iter_values(age));
            let sex = Arc::new(StringArray::from_iter_values(sex));
            Ok(RecordBatch::try_from_iter([("age", age as _), ("sex", sex as _)])?)
        })
        .collect()
}

/// The same people as a Parquet file.
pub fn write_parquet(path: &Path) -> Ended<()> {
    let batches = batches()?;
    let mut writer = ArrowWriter::try_new(File::create(path)?, batches[0].schema(), None)?;
    for batch in &batches {
        writer.write(batch)?;
    }
    writer.close()?;
    Ok(())
}
