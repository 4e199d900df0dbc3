//! `lookalike completions SHELL`.

use clap::CommandFactory;

use crate::args::CompletionsArgs;
use crate::cli::Cli;
use crate::fail::{Ended, Failure, Outcome};
use crate::stdout;

/// Prints the script. It is made in memory first: the generator panics when a pipe breaks under it.
pub fn run(args: CompletionsArgs) -> Ended {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "lookalike", &mut script);
    let script = String::from_utf8(script).map_err(|_| Failure::Usage("the script is not text".into()))?;
    stdout::text_of(&script)?;
    Ok(Outcome::Done)
}
