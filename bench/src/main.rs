//! Benchmarks and studies of Lookalike. Nothing here is part of what a release is made with.
//!
//! - [`commands`]: one file a subcommand; most print one JSON line a measurement.
//! - [`measure`]: clocks, memory, and other tools in the same run.
//! - [`run`]: one method on one table, without files; [`coverage`] of its intervals.
//! - [`grid`]: methods compared over tables, epsilons and runs.
//! - [`raw`]: methods compared on raw tables, in raw units.
//! - [`discover`]: releases that discover their schema beside those with a public one.
//! - [`ablation`]: the parts of the default method, each left out alone.
//! - [`reproduce`]: the papers' figures, again; [`baselines`]: what the papers compare with, never
//!   offered to a steward; [`network_score`]: how well parents explain a column, on exact counts.
//! - [`simulate`]: generated tables, public by construction; [`marginal`]: their exact marginals.
//! - [`plot`] makes pictures.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod ablation;
mod baselines;
mod commands;
mod coverage;
mod discover;
mod grid;
mod marginal;
mod measure;
mod network_score;
mod plot;
mod raw;
mod reproduce;
mod run;
mod simulate;
mod text_table;

use std::process::ExitCode;

use clap::Parser;

#[derive(Parser)]
#[command(
    name = "lookalike-bench",
    about = "Measures speed, memory and accuracy of Lookalike, and repeats the papers' figures.",
    after_help = "Most commands print one JSON line a measurement. Timings are noisy: compare ratios of one run.\n\
        Nothing here makes a release: commands look at their tables freely, so give them public ones."
)]
struct Arguments {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    match Arguments::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        // Such as `head`, which has what it wants.
        Err(error) if has_gone(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lookalike-bench: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Whether whoever reads what is printed has gone.
fn has_gone(error: &anyhow::Error) -> bool {
    let broken = |cause: &std::io::Error| cause.kind() == std::io::ErrorKind::BrokenPipe;
    error.downcast_ref::<std::io::Error>().is_some_and(broken)
}
