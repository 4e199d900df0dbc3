//! `lookalike audit`: how much of its epsilon does the product really show?

use std::path::PathBuf;

use clap::Args;
use lookalike::Error;
use lookalike_audit::AuditError;
use lookalike_audit::suite::{AuditResult, AuditSettings, AuditSize, ResultsFile, list, markdown, run_on, text};
use serde_json::json;

use crate::fail::{Ended, Failure, Outcome, complain};
use crate::progress::watching;
use crate::stdout::{self, shown};

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    lookalike audit --mechanism marginal-gaussian --epsilon 1\n  \
    lookalike audit --method mst --epsilon 1 --runs 500\n  \
    lookalike audit --full --out audit.jsonl         everything; may be stopped, and gone on with by the same command\n\n\
    Each line: what is claimed, the lower bound that was found, the largest bound that this number of runs could find, and what\n\
    the same audit found on versions that are broken on purpose. A bound above the claim ends with exit code 1.\n\
    No private row is read: the audits make their own tables. What the figures mean: docs/audit.md")]
pub struct AuditArgs {
    /// Only this method, seen through the rows that it releases
    #[arg(long, value_name = "NAME")]
    pub method: Option<String>,
    /// Only this mechanism, seen through the curator's answers
    #[arg(long, value_name = "NAME")]
    pub mechanism: Option<String>,
    /// Claims to audit, with commas between them [default: 1, or 0.5,1,2,4 with --full]
    #[arg(long, value_name = "E,..", value_delimiter = ',', allow_hyphen_values = true)]
    pub epsilon: Vec<f64>,
    /// Test runs on each of the two tables, in place of the size's own
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub runs: Option<usize>,
    /// Few runs, a few minutes for everything (the default)
    #[arg(long, conflicts_with = "full")]
    pub quick: bool,
    /// A million runs a mechanism, two thousand a method: about an hour
    #[arg(long)]
    pub full: bool,
    /// Threads; all cores when left out
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub threads: Option<usize>,
    /// File of results, a line an audit; audits that it has are not run again
    #[arg(long, short, visible_alias = "resume", value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print the results as JSON
    #[arg(long, conflicts_with = "markdown")]
    pub json: bool,
    /// Print the results as a table for a document
    #[arg(long)]
    pub markdown: bool,
    /// Say nothing on the way
    #[arg(long, short)]
    pub quiet: bool,
}

/// Runs the audits and shows what they found.
pub fn run(args: AuditArgs) -> Ended {
    let size = if args.full { AuditSize::Full } else { AuditSize::Quick };
    let epsilons = match (args.epsilon.is_empty(), size) {
        (false, _) => args.epsilon.clone(),
        (true, AuditSize::Full) => AuditSettings::EPSILONS.to_vec(),
        (true, AuditSize::Quick) => vec![1.0],
    };
    let (method, mechanism) = (args.method.clone(), args.mechanism.clone());
    let audits = list(&AuditSettings { method, mechanism, epsilons, size, runs: args.runs }).map_err(failure)?;
    let mut results = match &args.out {
        Some(path) => ResultsFile::open(path).map_err(failure)?,
        None => ResultsFile::new(),
    };
    let rows = watching(args.quiet, |progress, cancel| run_on(args.threads, &audits, &mut results, progress, cancel));
    if let (Err(AuditError::Interrupted), Some(path)) = (&rows, &args.out) {
        complain(&format!("what is finished is in {}; the same command goes on from there", shown(path)));
    }
    show(&rows.map_err(failure)?, &args)
}

fn show(rows: &[AuditResult], args: &AuditArgs) -> Ended {
    if args.json {
        stdout::json(&json!(rows))?;
    } else if args.markdown {
        stdout::text_of(&markdown(rows))?;
    } else {
        stdout::text_of(&text(rows))?;
    }
    match rows.iter().find(|row| row.audit.control.is_none() && row.is_above()) {
        Some(row) => {
            let (name, claimed, found) = (&row.audit.name, row.audit.claimed, row.found.max(row.plain));
            Err(Failure::Fault(format!("{name} claims epsilon {claimed} and shows at least {found:.3}")))
        }
        None => Ok(Outcome::Done),
    }
}

fn failure(error: AuditError) -> Failure {
    match error {
        AuditError::Interrupted => Failure::Job(Error::Interrupted),
        AuditError::Curator(_) | AuditError::Privacy(_) | AuditError::Model(_) => Failure::Fault(error.to_string()),
        other => Failure::Usage(other.to_string()),
    }
}
