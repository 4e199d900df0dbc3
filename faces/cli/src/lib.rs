//! The command line of Lookalike: parse, call, show. Everything that matters happens in the
//! `lookalike` crate.
//!
//! It is a library so that whoever carries the program along, as the Python package does, runs the
//! very same one; the program itself is [`main`] and nothing else.
// A face is the one place that may speak.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod advice;
mod args;
mod called;
mod cli;
mod commands;
mod fail;
mod interrupt;
mod log_file;
mod progress;
mod say;
mod stdout;

use std::ffi::OsString;

use clap::Parser;

use crate::args::SchemaCommand;
use crate::cli::{Cli, Command};
use crate::fail::{Outcome, exit_code};

/// Runs the program with these words, the first of which is the name that it was called by, and
/// gives the exit code. `again` is the command that starts the same program once more, for what has
/// to happen in a process of its own.
///
/// It takes the whole process for itself: standard streams, Ctrl-C and what a panic says.
pub fn main(words: Vec<OsString>, again: Vec<OsString>) -> u8 {
    fail::quiet_panics();
    called::remember(words.first(), again);
    // A panic has said its fixed words; all that is left is the exit code, after everything on the
    // way out was cleaned up.
    std::panic::catch_unwind(|| run(words)).unwrap_or(fail::FAULT)
}

/// Why this very program must not be used, if so.
///
/// Tests build the program beside the seeded noise and run it in the profile that tests are built
/// in. One that is built to be shipped has no use for that noise: it got there by a feature that
/// some other package asked for in the same build.
fn refusal(has_test_noise: bool, is_shipped: bool) -> Option<&'static str> {
    (has_test_noise && is_shipped).then_some(
        "NOT PRIVATE: this program was built with the seeded noise of tests; build it with \
         `cargo build --release -p lookalike-cli`",
    )
}

fn run(words: Vec<OsString>) -> u8 {
    if let Some(words) = refusal(lookalike::HAS_TEST_NOISE, !cfg!(debug_assertions)) {
        fail::complain(words);
        return fail::USER;
    }
    let cli = match Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(error) => return fail::usage(&error),
    };
    let outcome = match cli.command {
        Command::Demo(args) => commands::demo::run(args),
        Command::Schema(SchemaCommand::Draft(args)) => commands::schema::draft(args),
        Command::Schema(SchemaCommand::Import(args)) => commands::book::import(args),
        Command::Schema(SchemaCommand::Reference(args)) => commands::reference::reference(args),
        Command::Schema(SchemaCommand::Review(args)) => commands::review::run(args),
        Command::Schema(SchemaCommand::Check(args)) => commands::schema::check(args),
        Command::Ledger(command) => commands::ledger::run(command),
        Command::Synth(args) => commands::synth::run(*args),
        Command::Sample(args) => commands::sample::run(args),
        Command::Query(args) => commands::query::run(args),
        Command::Evaluate(args) => commands::evaluate::run(*args),
        Command::Verify(args) => commands::verify::run(args),
        Command::Audit(args) => commands::audit::run(args),
        Command::Plan(args) => commands::plan::run(args),
        Command::Methods(args) => commands::methods::run(args),
        Command::Completions(args) => commands::completions::run(args),
        Command::StewardReport(args) => commands::steward::child(args),
    };
    match outcome {
        Ok(Outcome::Done) => fail::SUCCESS,
        Ok(Outcome::Disagrees) => fail::USER,
        Ok(Outcome::Interrupted) => fail::INTERRUPTED,
        Err(error) => exit_code(&error),
    }
}

#[cfg(test)]
mod tests {
    use super::refusal;

    #[test]
    fn a_shipped_program_with_the_noise_of_tests_refuses() {
        assert!(refusal(true, true).is_some_and(|words| words.starts_with("NOT PRIVATE")));
        assert!(refusal(false, true).is_none());
        assert!(refusal(true, false).is_none());
    }
}
