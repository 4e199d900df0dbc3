//! Runs other tools in the same run, so that ratios are of the same machine in the same minute.

use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::emit;

/// The script that runs other tools.
pub const SCRIPT: &str = include_str!("../../peers/peers.py");

/// Runs the peers' script with these words and returns its JSON lines. The interpreter is
/// `$PYTHON`, or `python3`.
pub fn run(words: &[String]) -> Result<Vec<Value>> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let output = Command::new(&python)
        .arg("-c")
        .arg(SCRIPT)
        .args(words)
        .output()
        .with_context(|| format!("cannot start {python}; set PYTHON to an interpreter"))?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        bail!(
            "the peers did not run: {}; `{python} -m pip install numpy pandas mbi` in a virtual environment helps",
            reason.lines().last().unwrap_or("no reason given")
        );
    }
    let text = String::from_utf8(output.stdout).context("the peers' output is not text")?;
    text.lines().map(|line| serde_json::from_str(line).context("the peers' output is not JSON lines")).collect()
}

/// Runs the peers and prints their lines with the ratio of their figure of this name to ours.
pub fn compare(words: &[String], figure: &str, ours: f64) -> Result<()> {
    for mut line in run(words)? {
        let theirs = line[figure].as_f64().context("a peer gave no time")?;
        line["ratio_to_ours"] = json!(theirs / ours);
        emit(line);
    }
    Ok(())
}
