//! The library in one page: rows that a program has in memory, a release, more rows from it.
//!
//! `cargo run -p lookalike-examples --example library`
#![allow(clippy::print_stdout)]

use arrow_array::RecordBatch;
use lookalike::{Auto, Budget, Category, EvaluationSettings, Integer, Question, Release, Schema, Seed, Synthesizer};
use people::Ended;

/// The example.
pub fn main() -> Ended<()> {
    let folder = tempfile::tempdir()?;
    // The schema is public knowledge: nothing in it was read from the rows.
    let schema =
        Schema::builder().column("age", Integer::range(0, 99)).column("sex", Category::of(["F", "M"])).build()?;
    let synthesizer = Synthesizer::new(schema).budget(Budget::new(1.0, 1e-9)?).method(Auto::default());
    let release = fit(synthesizer)?;
    println!("{}", release.guarantee());

    // Whatever is made from the release costs nothing more.
    let rows: Vec<RecordBatch> = release.sample(1000, Seed(7))?;
    println!("{} rows in {} batches", rows.iter().map(RecordBatch::num_rows).sum::<usize>(), rows.len());
    let women = release.query(&Question { columns: "sex".to_owned(), condition: Some("age >= 60".to_owned()) })?;
    for cell in women.cells() {
        println!("{}: about {:.0} of 60 and more", cell.values.join(", "), cell.count);
    }

    // The steward may compare with the real rows; nothing of that may be published.
    let compared = release.evaluate(people::batches()?, &EvaluationSettings::default())?;
    for pair in &compared.comparison.pairs {
        println!("a pair of columns is {:.3} from the real one", pair.distance);
    }

    // `fit_to` fits and writes in one step: a release that is paid for is then never lost because
    // its folder cannot be written.
    let written = release.write(folder.path().join("people"))?;
    println!("{} files", written.files().len());
    // Every file is as the statement says.
    assert!(Release::open(written.folder())?.verify().agrees());
    Ok(())
}

/// A release of batches in memory.
pub fn fit(synthesizer: Synthesizer<'_>) -> Ended<Release> {
    Ok(synthesizer.fit(people::batches()?)?)
}
