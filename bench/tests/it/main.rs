//! `lookalike-bench`, as a user runs it.

mod ablate;
mod discover;
mod docs;
mod methods;
mod raw;
mod reproduce;

use std::process::{Command, Output};

/// The program with these words, away from the benchmark tables.
fn bench(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lookalike-bench"));
    command.args(words).env_remove("LOOKALIKE_DATA");
    command
}

/// Standard output of a run that must end well.
fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("text")
}
