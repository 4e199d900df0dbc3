//! Benchmarks: one JSON line a measurement, on standard output.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod accuracy;
mod adaptive;
mod cancel;
mod candidates;
mod counting;
mod coverage;
mod estimation;
mod instances;
mod io;
mod memory;
mod meter;
mod methods;
mod noise;
mod one_run;
mod peers;
mod plan;
mod sampling;
mod speed;
mod trees;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "lookalike-bench", about = "Measures speed, memory and accuracy; one JSON line a measurement.")]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// All 2-way marginals and many wider candidates of a generated table, against the roofline
    /// (and numpy, pandas, mbi with --peers).
    Counting(counting::Counting),
    /// How often the printed 95% intervals of releases hold the truth, by class of cell.
    Coverage(coverage::Coverage),
    /// Reading and coding a generated CSV, with peak memory.
    Io(io::Io),
    /// Nanoseconds a draw of exact noise.
    Noise(noise::Noise),
    /// Total variation distance of a method's synthetic rows on the benchmark tables' marginals:
    /// `methods` in one process.
    Accuracy(accuracy::Accuracy),
    /// Methods compared over tables, epsilons and runs: distances, seconds, memory; --summary sums
    /// up.
    Methods(Box<methods::Methods>),
    /// One run of `methods`.
    #[command(hide = true)]
    OneRun(one_run::OneRun),
    /// What `plan` says against what `synth` then reaches, on the tables that methods are compared
    /// on.
    Plan(plan::Plan),
    /// Writes generated tables as files that `methods` and the program read.
    Tables(methods::Tabulate),
    /// Seconds and memory of a method on a generated table, from coded rows to synthetic ones.
    Speed(speed::Speed),
    /// Fitting a model to a file of noisy marginals (and with mbi with --peers).
    Estimation(estimation::Estimation),
    /// Rows into memory from a tree model fitted to a file of noisy marginals (and with mbi with
    /// --peers).
    Sampling(sampling::Sampling),
    /// One full pass of inference on generated trees, against copying the same memory.
    Inference(trees::Inference),
    /// Seconds from a signal to the end of the shipped program, at random moments of every method.
    Cancel(cancel::Cancel),
    /// Testing candidate cliques on a growing junction tree.
    Trees(trees::Trees),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().what {
        What::Counting(counting) => counting.run(),
        What::Coverage(coverage) => coverage.run(),
        What::Io(io) => io.run(),
        What::Noise(noise) => noise.run(),
        What::Accuracy(accuracy) => accuracy.run(),
        What::Methods(methods) => methods.run(),
        What::OneRun(run) => run.run(),
        What::Plan(plan) => plan.run(),
        What::Tables(tables) => tables.run(),
        What::Speed(speed) => speed.run(),
        What::Estimation(estimation) => estimation.run(),
        What::Sampling(sampling) => sampling.run(),
        What::Inference(inference) => inference.run(),
        What::Cancel(cancel) => cancel.run(),
        What::Trees(trees) => trees.run(),
    };
    match result {
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
