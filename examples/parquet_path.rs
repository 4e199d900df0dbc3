//! A Parquet file, by its path; the same for CSV.
//!
//! `cargo run -p lookalike-examples --example parquet_path`
#![allow(clippy::print_stdout)]

use lookalike::{Budget, Category, Integer, Release, Schema, Synthesizer};
use people::Ended;

/// The example.
pub fn main() -> Ended<()> {
    let schema =
        Schema::builder().column("age", Integer::range(0, 99)).column("sex", Category::of(["F", "M"])).build()?;
    let release = fit(Synthesizer::new(schema).budget(Budget::new(1.0, 1e-9)?))?;
    println!("{}; used {:.3}", release.guarantee(), release.used());
    Ok(())
}

/// A release of a file.
pub fn fit(synthesizer: Synthesizer<'_>) -> Ended<Release> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("people.parquet");
    people::write_parquet(&path)?;
    Ok(synthesizer.fit(&path)?)
}
