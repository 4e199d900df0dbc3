//! The one test command. Cheap checks come first, so that a slip is told in seconds.

use anyhow::{Context, Result};

use crate::cargo::{self, root};
use crate::phases::Phases;
use crate::source::{self, Package};
use crate::{argument, circles, dependencies, layers, names, packages, python, shipped, targets};

/// Tests against OpenDP, whose build costs more than it finds day by day: `--all` alone has them.
const COSTLY: &str = "lookalike-oracles";
/// The Python package has tests of its own, on its wheel.
const PYTHON: &str = "lookalike-python";

/// Every check and every test; with `is_all` those as well that take long. Further words go to
/// `cargo test`.
pub fn run(is_all: bool, rest: &[&str]) -> Result<()> {
    let mut phases = Phases::default();
    phases.run("format", format)?;
    phases.run("crate table", layers)?;
    let sources = source::packages(&root())?;
    phases.run("circles", || circles(&sources))?;
    phases.run("names", || names(&sources))?;
    phases.run("argument", argument)?;
    phases.run("shipped", || {
        shipped::check(&root())?;
        Ok("a plain build of the workspace is without the seeded test noise".to_owned())
    })?;
    if is_all {
        slow_checks(&mut phases)?;
    }
    let mut words = vec!["test", "--workspace", "--all-features", "--exclude", PYTHON];
    if !is_all {
        words.extend(["--exclude", COSTLY]);
    }
    words.extend(rest);
    // Words behind `--` are for the tests and not for their build.
    let own = words.iter().position(|word| *word == "--").unwrap_or(words.len());
    phases.run("build of tests", || {
        cargo::run(&[&words[..own], &["--no-run"]].concat(), &[])?;
        Ok("done".to_owned())
    })?;
    if std::env::var_os("LOOKALIKE_DATA").is_none() {
        println!("data: LOOKALIKE_DATA is not set, so tests on the benchmark tables have none");
    }
    phases.run("tests", || {
        cargo::run(&words, &[])?;
        Ok("all passed".to_owned())
    })?;
    phases.run("Python", || python::check(&root(), is_all))
}

/// What is checked before a change is taken in, and not at every step of it.
fn slow_checks(phases: &mut Phases) -> Result<()> {
    phases.run("dependencies", || dependencies::check(&root()))?;
    phases.run("clippy", || lint().map(|()| "no warnings".to_owned()))?;
    phases.run("rustdoc", || {
        let words = ["doc", "--workspace", "--no-deps", "--all-features", "--quiet"];
        cargo::run(&words, &[("RUSTDOCFLAGS", "-D warnings")])?;
        Ok("no warnings".to_owned())
    })?;
    phases.run("oldest Rust", || targets::oldest_rust(&root()))?;
    phases.run("other systems", || targets::other_systems(&root()))?;
    phases.run("packages", || packages::check(&root()))
}

pub fn layers() -> Result<String> {
    let crates = layers::check(&root())?;
    Ok(format!("{crates} crates import along the table of ARCHITECTURE.md"))
}

pub fn circles(sources: &[Package]) -> Result<String> {
    Ok(format!("{} files import each other in no circle", circles::check(sources)?))
}

pub fn names(sources: &[Package]) -> Result<String> {
    Ok(format!("{} public types have names of their own", names::check(sources)?))
}

pub fn argument() -> Result<String> {
    Ok(format!("all {} references of docs/privacy-argument.md hold", argument::check(&root())?))
}

pub fn lint() -> Result<()> {
    cargo::run(&["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"], &[])
}

/// `cargo fmt` is a part of rustup's default profile, not of the minimal one.
fn format() -> Result<String> {
    if !cargo::answers(&cargo::program(), &["fmt", "--version"]) {
        return Ok("cargo fmt is not installed, skipped".to_owned());
    }
    cargo::run(&["fmt", "--all", "--check"], &[]).context("run `cargo fmt --all`")?;
    Ok("clean".to_owned())
}
