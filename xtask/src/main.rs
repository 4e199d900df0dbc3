//! The project's own chores. `cargo xtask test` is the one test command.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod argument;
mod layers;
mod shipped;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

const USAGE: &str = "usage: cargo xtask test     every check and every test
       cargo xtask layers   only: does a crate import against the table of ARCHITECTURE.md?
       cargo xtask argument [--bless]   only: does docs/privacy-argument.md rest on the code as it is?
       cargo xtask lint     clippy over everything, warnings are errors
       cargo xtask fuzz TARGET|all [--minutes 10] [--seed N]   hostile files for the readers";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test", ref rest @ ..] => test(rest),
        ["layers"] => layers::check(&root()).map(|crates| println!("layers: {crates} crates import along the table")),
        ["argument"] => argument::check(&root()).map(|references| println!("argument: {references} references hold")),
        ["argument", "--bless"] => argument::bless(&root()).map(|told| told.iter().for_each(|line| println!("{line}"))),
        ["lint"] => cargo(&["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]),
        ["fuzz", ref rest @ ..] => cargo(&[&["run", "-q", "-p", "lookalike-fuzz", "--"], rest].concat()),
        _ => Err(anyhow::anyhow!(USAGE)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Cheap checks first, so that a slip is told in seconds, then the tests. Further words go to
/// `cargo test`.
fn test(rest: &[&str]) -> Result<()> {
    let crates = layers::check(&root())?;
    println!("layers: {crates} crates import along the table of ARCHITECTURE.md");
    shipped::check(&root())?;
    println!("shipped: a plain build of the workspace is without the seeded test noise");
    let references = argument::check(&root())?;
    println!("argument: all {references} references of docs/privacy-argument.md hold");
    format_check()?;
    if std::env::var_os("LOOKALIKE_DATA").is_none() {
        println!("data: LOOKALIKE_DATA is not set, so tests on the benchmark tables skip themselves");
    }
    let mut words = vec!["test", "--workspace", "--all-features"];
    words.extend(rest);
    cargo(&words)
}

/// `cargo fmt` is a part of rustup's default profile, not of the minimal one.
fn format_check() -> Result<()> {
    let present =
        Command::new(cargo_program()).args(["fmt", "--version"]).output().is_ok_and(|run| run.status.success());
    if !present {
        println!("format: cargo fmt is not installed, skipped");
        return Ok(());
    }
    cargo(&["fmt", "--all", "--check"]).context("run `cargo fmt --all`")?;
    println!("format: clean");
    Ok(())
}

fn cargo(words: &[&str]) -> Result<()> {
    let status =
        Command::new(cargo_program()).args(words).current_dir(root()).status().context("cannot start cargo")?;
    if !status.success() {
        bail!("cargo {} failed", words.join(" "));
    }
    Ok(())
}

/// The output of a cargo command that must succeed.
fn cargo_output(root: &Path, words: &[&str]) -> Result<Vec<u8>> {
    let run = Command::new(cargo_program()).args(words).current_dir(root).output().context("cannot start cargo")?;
    if !run.status.success() {
        bail!("cargo {} failed: {}", words.join(" "), String::from_utf8_lossy(&run.stderr).trim());
    }
    Ok(run.stdout)
}

fn cargo_program() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}
