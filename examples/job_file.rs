//! A job file: the run written down, so that it can be reviewed and repeated.
//!
//! `cargo run -p lookalike-examples --example job_file`
#![allow(clippy::print_stdout)]

use std::fs;

use lookalike::{Cancel, Input, JobSpec, Unwatched, verify};
use people::Ended;

const SCHEMA: &str = r#"
[columns.age]
type = "integer"
range = [0, 99]

[columns.sex]
type = "category"
values = ["F", "M"]
"#;

/// The example.
pub fn main() -> Ended<()> {
    let home = tempfile::tempdir()?;
    let at = |name: &str| home.path().join(name);
    people::write_parquet(&at("people.parquet"))?;
    fs::write(at("people.toml"), SCHEMA)?;
    // As it would stand in a file; the names are those of the flags.
    let text = format!("schema = {:?}\nout = {:?}\nepsilon = 1.0\n\nmethod = \"mst\"\n", at("people.toml"), at("out"));
    let job = JobSpec::parse(&text, "people-job.toml")?.check()?;
    let (release, written) = job.run(Input::Path(at("people.parquet")), &Unwatched, &Cancel::new())?;
    println!("{} in {}", release.guarantee(), written.release_folder().display());
    assert!(verify(written.folder())?.agrees());
    Ok(())
}
