//! The program's commands.

use clap::{Parser, Subcommand};

use crate::args::{
    CompletionsArgs, DemoArgs, EvaluateArgs, MethodsArgs, PlanArgs, QueryArgs, SampleArgs, SchemaCommand, StewardArgs,
    SynthArgs, VerifyArgs,
};
use crate::commands::audit::AuditArgs;
use crate::commands::ledger::LedgerCommand;

/// Lookalike turns a private table into a synthetic one that may be published: same columns, same
/// statistics, nobody in it.
#[derive(Parser)]
#[command(
    name = "lookalike",
    version,
    about = "Turns a private table into a synthetic one that may be published:\nsame columns, same statistics, nobody in it.",
    after_help = "First steps:\n  \
        lookalike demo                                   see the whole job on built-in data\n  \
        lookalike schema draft people.csv -o people.toml a first schema\n  \
        lookalike schema review people.toml people.csv   what of it is public knowledge?\n  \
        lookalike synth people.csv --schema people.toml --epsilon 1 --out people-release\n  \
        lookalike verify people-release\n\n\
        Exit codes: 0 done, 1 a fault of ours, 2 a mistake in flags, schema or file, 3 the budget refuses, 130 interrupted."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Do the whole job on a built-in table of invented people
    Demo(DemoArgs),
    /// Draft, review, import or check a schema: the public description of the columns
    #[command(subcommand)]
    Schema(SchemaCommand),
    /// Say what a budget would buy, before anything is spent; reads no rows
    Plan(PlanArgs),
    /// Make a release: synthetic rows, a model, a privacy statement and a report
    Synth(Box<SynthArgs>),
    /// Draw more rows from a released model, free of charge
    Sample(SampleArgs),
    /// Ask a released model for a marginal with error bars, free of charge
    Query(QueryArgs),
    /// Compare a synthetic table with the real one at length (steward-only)
    Evaluate(Box<EvaluateArgs>),
    /// Recompute a release's privacy total and check its files
    Verify(VerifyArgs),
    /// Open, show or close the budget of all releases of a data set
    #[command(subcommand)]
    Ledger(LedgerCommand),
    /// List the methods and their settings
    Methods(MethodsArgs),
    /// Try to break the promise: membership audits of every mechanism and method
    Audit(AuditArgs),
    /// Print a completion script for your shell
    Completions(CompletionsArgs),
    /// Compare a release with the real rows (started by synth, in a process of its own)
    #[command(hide = true)]
    StewardReport(StewardArgs),
}
