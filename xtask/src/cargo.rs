//! Runs cargo.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Runs a cargo command that must succeed, with these variables of the environment.
pub fn run(words: &[&str], variables: &[(&str, &str)]) -> Result<()> {
    let mut command = Command::new(program());
    command.args(words).envs(variables.iter().copied()).current_dir(root());
    if !command.status().context("cannot start cargo")?.success() {
        bail!("cargo {} failed", words.join(" "));
    }
    Ok(())
}

/// The output of a cargo command that must succeed.
pub fn output(root: &Path, words: &[&str]) -> Result<Vec<u8>> {
    let run = Command::new(program()).args(words).current_dir(root).output().context("cannot start cargo")?;
    if !run.status.success() {
        bail!("cargo {} failed: {}", words.join(" "), String::from_utf8_lossy(&run.stderr).trim());
    }
    Ok(run.stdout)
}

/// What `cargo metadata` says, with these further words.
pub fn metadata(root: &Path, words: &[&str]) -> Result<serde_json::Value> {
    let words = [&["metadata", "--format-version", "1"], words].concat();
    // Without the network first: it is quicker, and mostly enough.
    let text = output(root, &[&words[..], &["--offline"]].concat()).or_else(|_| output(root, &words))?;
    serde_json::from_slice(&text).context("cannot read cargo metadata")
}

/// Whether a program is there and answers to these words.
pub fn answers(program: &Path, words: &[&str]) -> bool {
    Command::new(program).args(words).output().is_ok_and(|run| run.status.success())
}

pub fn program() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}
