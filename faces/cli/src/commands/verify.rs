//! `lookalike verify RELEASE`.

use lookalike::{Verdict, verify};
use serde_json::json;

use crate::args::VerifyArgs;
use crate::fail::{Ended, Failure, Outcome};
use crate::stdout;

/// Recomputes and compares; every disagreement is a line.
pub fn run(args: VerifyArgs) -> Ended {
    let verdict = verify(&args.release)?;
    if args.json {
        stdout::json(&as_json(&verdict))?;
    } else {
        show(&verdict, args.quiet)?;
    }
    Ok(if verdict.agrees() { Outcome::Done } else { Outcome::Disagrees })
}

fn as_json(verdict: &Verdict) -> serde_json::Value {
    json!({
        "agrees": verdict.agrees(),
        "guarantee": verdict.guarantee,
        "used": verdict.used,
        "cap": verdict.cap,
        "files": verdict.files,
        "charged_runs": verdict.charged_runs,
        "disagreements": verdict.disagreements,
    })
}

/// What a person reads.
fn show(verdict: &Verdict, quiet: bool) -> Result<(), Failure> {
    for disagreement in &verdict.disagreements {
        stdout::line(format!("disagrees: {disagreement}"))?;
    }
    if quiet {
        return Ok(());
    }
    lines(verdict).into_iter().try_for_each(stdout::line)
}

/// The verdict in a few lines. Also a part of the demo.
pub fn lines(verdict: &Verdict) -> Vec<String> {
    if !verdict.agrees() {
        let advice = "The release does NOT agree with its privacy statement. Do not use it; ask for a fresh copy.";
        return vec![advice.to_owned()];
    }
    let mut lines = vec!["The release agrees with its privacy statement.".to_owned()];
    lines.push(format!("  guarantee  {}", verdict.guarantee));
    if let (Some(used), Some(cap)) = (verdict.used, verdict.cap) {
        let charges = verdict.charges;
        lines.push(format!("  used       epsilon {used:.6} of {cap}, recomputed from {charges} charged queries"));
    }
    lines.push(format!("  files      {} checked: {}", verdict.files.len(), verdict.files.join(", ")));
    if verdict.charged_runs > 1 {
        let runs = verdict.charged_runs;
        lines.push(format!("  note       {runs} runs on this table were charged; the guarantee covers this one alone"));
    }
    lines
}
