//! Arrow batches as they come from a reader: here Parquet's own. They are coded one after the
//! other and never written anywhere.
//!
//! `cargo run -p lookalike-examples --example arrow_batches`
#![allow(clippy::print_stdout)]

use std::fs::File;

use lookalike::{Aim, Budget, Category, Integer, Release, Schema, Synthesizer};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use people::Ended;

/// The example.
pub fn main() -> Ended<()> {
    let schema =
        Schema::builder().column("age", Integer::range(0, 99)).column("sex", Category::of(["F", "M"])).build()?;
    // A method by its type, with a parameter changed.
    let method = Aim { rounds: Some(20.0), ..Aim::default() };
    let release = fit(Synthesizer::new(schema).budget(Budget::new(1.0, 1e-9)?).method(method))?;
    println!("{}; {} rows", release.guarantee(), release.rows());
    Ok(())
}

/// A release of what a reader reads.
pub fn fit(synthesizer: Synthesizer<'_>) -> Ended<Release> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("people.parquet");
    people::write_parquet(&path)?;
    let batches = ParquetRecordBatchReaderBuilder::try_new(File::open(&path)?)?.with_batch_size(128).build()?;
    Ok(synthesizer.fit(batches)?)
}
