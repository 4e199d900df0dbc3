//! `lookalike ledger open|show|close`: the budget of all releases of a data set.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use lookalike::{DataSet, LedgerSpec, close_in_ledger, data_set_json, open_in_ledger, show_ledger};

use crate::args::ProtectArgs;
use crate::fail::{Ended, Failure, Outcome};
use crate::stdout;

#[derive(Subcommand)]
pub enum LedgerCommand {
    /// Give a data set its budget, once and for ever; makes the ledger when it is not there
    Open(OpenArgs),
    /// Show budgets, what is reserved and left, and the releases (steward-only)
    Show(ShowArgs),
    /// Close a data set: nothing more may be drawn on it
    Close(CloseArgs),
}

/// The ledger where none is named.
const DEFAULT_FILE: &str = "lookalike-ledger.db";

/// Where the ledger lies.
#[derive(Args)]
pub struct FileArgs {
    /// Ledger; its key lies beside it as NAME.key. Both are secret
    #[arg(long, value_name = "FILE", default_value = DEFAULT_FILE)]
    pub file: PathBuf,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    lookalike ledger open people --epsilon 4 --delta 1e-6\n  \
    lookalike ledger open visits --epsilon 4 --unit patient --contribution 5 --file hospital.db\n  \
    lookalike synth people.csv --schema people.toml --epsilon 1 --ledger lookalike-ledger.db --dataset people\n\n\
    What a run reserves is never given back. All of it: docs/ledger.md")]
pub struct OpenArgs {
    /// Name of the data set
    pub name: String,
    /// Epsilon of all releases together
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    pub epsilon: f64,
    /// Delta of all releases together [default: 1e-9]
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    pub delta: Option<f64>,
    /// How costs add up: rho, or epsilon-delta [default: rho; epsilon-delta with --delta 0]
    #[arg(long, value_name = "FILTER")]
    pub filter: Option<String>,
    #[command(flatten)]
    pub protect: ProtectArgs,
    #[command(flatten)]
    pub file: FileArgs,
}

#[derive(Args)]
pub struct ShowArgs {
    /// Name of a data set; all of them when left out
    pub name: Option<String>,
    #[command(flatten)]
    pub file: FileArgs,
}

impl ShowArgs {
    /// The ledger and the data set that are meant: a file in the place of the name is the ledger
    /// itself, where there is none of the default name.
    fn meant(self) -> (FileArgs, Option<String>) {
        match &self.name {
            Some(name) if self.file.file == Path::new(DEFAULT_FILE) && !self.file.file.exists() => {
                let file = PathBuf::from(name);
                if file.is_file() { (FileArgs { file, ..self.file }, None) } else { (self.file, self.name) }
            }
            _ => (self.file, self.name),
        }
    }
}

#[derive(Args)]
pub struct CloseArgs {
    /// Name of the data set
    pub name: String,
    #[command(flatten)]
    pub file: FileArgs,
}

pub fn run(command: LedgerCommand) -> Ended {
    let (sets, file) = match command {
        LedgerCommand::Open(args) => {
            let spec = LedgerSpec {
                name: args.name,
                epsilon: args.epsilon,
                delta: args.delta,
                relation: args.protect.relation,
                unit: args.protect.unit,
                contribution: args.protect.contribution,
                filter: args.filter,
            };
            (vec![open_in_ledger(&args.file.file, &spec)?], args.file)
        }
        LedgerCommand::Show(args) => {
            let (file, name) = args.meant();
            (show_ledger(&file.file, name.as_deref())?, file)
        }
        LedgerCommand::Close(args) => (vec![close_in_ledger(&args.file.file, &args.name)?], args.file),
    };
    if file.json {
        stdout::json(&sets.iter().map(data_set_json).collect())?;
        return Ok(Outcome::Done);
    }
    if sets.is_empty() {
        stdout::line("The ledger has no data sets yet.")?;
    }
    for set in &sets {
        show(set)?;
    }
    Ok(Outcome::Done)
}

/// What a person reads.
fn show(set: &DataSet) -> Result<(), Failure> {
    let terms = set.terms();
    stdout::line(stdout::strong(set.name()))?;
    let (epsilon, delta) = (terms.budget().epsilon.get(), terms.budget().delta.get());
    stdout::line(format!("  budget     epsilon {epsilon} at delta {delta:e}, protects {}", terms.protects()))?;
    stdout::line(format!("  adds up    {}: {} in all", terms.filter().name(), set.total()))?;
    stdout::line(format!("  reserved   {}", set.reserved()))?;
    stdout::line(format!("  left       {}", set.left_in_words()))?;
    match set.closed() {
        Some(when) => stdout::line(format!("  opened     {}, closed {when}", set.opened()))?,
        None => stdout::line(format!("  opened     {}", set.opened()))?,
    }
    for drawn in set.drawn() {
        let (epsilon, delta) = (drawn.budget.epsilon.get(), drawn.budget.delta.get());
        let asked = if drawn.asked == set.name() { String::new() } else { format!(", asked for as {:?}", drawn.asked) };
        stdout::line(format!(
            "  {}  {:<9} {} ({epsilon}, {delta:e}), costs {}, for {}{asked}",
            drawn.at,
            drawn.state.name(),
            drawn.method,
            drawn.cost,
            drawn.folder
        ))?;
    }
    Ok(())
}
