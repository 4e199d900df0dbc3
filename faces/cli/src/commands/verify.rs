//! `lookalike verify RELEASE`.

use lookalike::{Verdict, verify};
use serde_json::json;

use crate::args::VerifyArgs;
use crate::fail::{Ended, Failure, Outcome};
use crate::say;

/// Recomputes and compares; every disagreement is a line.
pub fn run(args: VerifyArgs) -> Ended {
    let verdict = verify(&args.release)?;
    if args.json {
        say::json(&as_json(&verdict))?;
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

/// What a person reads. Also the end of the demo.
pub fn show(verdict: &Verdict, quiet: bool) -> Result<(), Failure> {
    for disagreement in &verdict.disagreements {
        say::line(format!("disagrees: {disagreement}"))?;
    }
    if quiet {
        return Ok(());
    }
    if !verdict.agrees() {
        return say::line(
            "The release does NOT agree with its privacy statement. Do not use it; ask for a fresh copy.",
        );
    }
    say::line("The release agrees with its privacy statement.")?;
    say::line(format!("  guarantee  {}", verdict.guarantee))?;
    if let (Some(used), Some(cap)) = (verdict.used, verdict.cap) {
        say::line(format!(
            "  recomputed epsilon {used:.6} from {} charged queries; the cap is {cap}",
            verdict.charges
        ))?;
    }
    say::line(format!("  files      {} checked: {}", verdict.files.len(), verdict.files.join(", ")))?;
    if verdict.charged_runs > 1 {
        say::line(format!(
            "  note       {} runs on this table were charged; the guarantee covers this release alone",
            verdict.charged_runs
        ))?;
    }
    Ok(())
}
