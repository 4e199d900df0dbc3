//! Every example runs, and three ways of handing over the same rows give the same model.

use lookalike::testing::Recording;
use lookalike::{Budget, Category, Integer, Release, Schema, Synthesizer};
use people::Ended;

#[path = "../arrow_batches.rs"]
mod arrow_batches;
#[path = "../job_file.rs"]
mod job_file;
#[path = "../library.rs"]
mod library;
#[path = "../own_engine.rs"]
mod own_engine;
#[path = "../own_method.rs"]
mod own_method;
#[path = "../parquet_path.rs"]
mod parquet_path;

#[test]
fn every_example_runs() -> Ended<()> {
    library::main()?;
    parquet_path::main()?;
    arrow_batches::main()?;
    job_file::main()?;
    own_engine::main()?;
    own_method::main()
}

/// The schema of the examples, under a budget that no answer is beyond.
fn synthesizer() -> Ended<Synthesizer<'static>> {
    let age = Integer::range(0, 99);
    let schema = Schema::builder().column("age", age).column("sex", Category::of(["F", "M"])).build()?;
    Ok(Synthesizer::new(schema).budget(Budget::new(1.0, 1e-9)?))
}

fn model_of(release: &Release) -> Vec<u8> {
    release.model().expect("a model").to_bytes()
}

#[test]
fn batches_a_path_and_a_reader_give_the_same_model_under_the_same_answers() -> Ended<()> {
    let recording = Recording::default();
    let recorded = library::fit(synthesizer()?.with_test_noise(1).recording_on(&recording))?;
    let from_path = parquet_path::fit(synthesizer()?.with_test_noise(2).replaying(&recording))?;
    let from_reader = arrow_batches::fit(synthesizer()?.with_test_noise(3).replaying(&recording))?;
    assert_eq!(model_of(&recorded), model_of(&from_path));
    assert_eq!(model_of(&recorded), model_of(&from_reader));
    // Other answers give another model: the comparison could fail.
    let other = library::fit(synthesizer()?.with_test_noise(2))?;
    assert_ne!(model_of(&recorded), model_of(&other));
    Ok(())
}

/// With the same noise the exact counts must be equal, too: a source that lost or changed a row
/// would answer otherwise.
#[test]
fn batches_a_path_and_a_reader_are_counted_alike() -> Ended<()> {
    let models = [
        library::fit(synthesizer()?.with_test_noise(1))?,
        parquet_path::fit(synthesizer()?.with_test_noise(1))?,
        arrow_batches::fit(synthesizer()?.with_test_noise(1))?,
    ]
    .map(|release| model_of(&release));
    assert_eq!(models[0], models[1]);
    assert_eq!(models[0], models[2]);
    Ok(())
}

/// What the child below is told: how much memory it may take.
const MEMORY: &str = "LOOKALIKE_TEST_MEMORY";

/// Run by [`batches_are_written_nowhere_unless_they_spill`], in a process without a folder for
/// temporary files.
#[test]
fn child_that_fits_batches() -> Ended<()> {
    let Ok(bytes) = std::env::var(MEMORY) else { return Ok(()) };
    let release = library::fit(synthesizer()?.memory(bytes.parse()?))?;
    assert!(release.rows() > 0);
    Ok(())
}

/// A release in memory touches no disk. Rows beyond the memory allowed must go to a temporary file,
/// and where there is no place for one the run fails: so the first run would have failed, had it
/// written any.
#[test]
#[cfg(unix)]
fn batches_are_written_nowhere_unless_they_spill() -> Ended<()> {
    let fits = |bytes: &str| -> Ended<bool> {
        let mut child = std::process::Command::new(std::env::current_exe()?);
        child.args(["--exact", "child_that_fits_batches"]).env(MEMORY, bytes).env("TMPDIR", "/nonexistent/folder");
        Ok(child.output()?.status.success())
    };
    assert!(fits("1000000000")?, "rows that fit into memory were written");
    assert!(!fits("1")?, "rows that do not fit must be spilled");
    Ok(())
}
