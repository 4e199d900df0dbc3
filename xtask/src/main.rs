//! The project's own chores. `cargo xtask test` is the one test command.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod argument;
mod cargo;
mod circles;
mod dependencies;
mod environment;
mod fuzz;
mod layers;
mod lines;
mod mutants;
mod names;
mod packages;
mod phases;
mod python;
mod shipped;
mod source;
mod targets;
mod test;

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::cargo::root;

const USAGE: &str = "usage: cargo xtask test     the checks below and every test
       cargo xtask test --all   with clippy, rustdoc, the oldest Rust, licences, other systems and packages
       cargo xtask layers   only: does a crate import against the table of ARCHITECTURE.md?
       cargo xtask circles  only: do files of a crate import each other in a circle?
       cargo xtask names    only: has a public type's name one meaning, and can comments be read?
       cargo xtask dependencies   only: are licences and versions of what is shipped as listed?
       cargo xtask argument [--bless]   only: does docs/privacy-argument.md rest on the code as it is?
       cargo xtask lines [--against REVISION]   lines of code of every crate, tests apart
       cargo xtask mutants N|all   puts the slips of xtask/mutants.toml into the source: do the tests catch them?
       cargo xtask python [--all]   only: the tests of the Python package; with --all the oldest Python, databases, Spark and the notebooks too
       cargo xtask python --sql     only: all its tests of rows that stay in their database
       cargo xtask python --spark   only: all its tests on Spark, which need Java
       cargo xtask lint     clippy over everything, warnings are errors
       cargo xtask fuzz TARGET|all [--minutes 10] [--seed N]   hostile files for the readers
       cargo xtask fuzz --coverage TARGET [MINUTES]   the same under libFuzzer";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[&str]) -> Result<()> {
    let told = match *words {
        ["test", "--all", ref rest @ ..] => return test::run(true, rest),
        ["test", ref rest @ ..] => return test::run(false, rest),
        ["layers"] => test::layers()?,
        ["circles"] => test::circles(&source::packages(&root())?)?,
        ["names"] => test::names(&source::packages(&root())?)?,
        ["dependencies"] => dependencies::check(&root())?,
        ["argument"] => test::argument()?,
        ["argument", "--bless"] => argument::bless(&root())?.join("\n"),
        ["lines"] => lines::table(&root(), None)?,
        ["lines", "--against", revision] => lines::table(&root(), Some(revision))?,
        ["mutants", which] => mutants::run(&root(), which)?,
        ["python"] => python::check(&root(), false)?,
        ["python", "--all"] => python::check(&root(), true)?,
        ["python", "--sql"] => python::check_sql(&root())?,
        ["python", "--spark"] => python::check_on_spark(&root())?,
        ["lint"] => return test::lint(),
        ["fuzz", "--coverage", target] => return fuzz::with_coverage(&root(), target, "10"),
        ["fuzz", "--coverage", target, minutes] => return fuzz::with_coverage(&root(), target, minutes),
        ["fuzz", ref rest @ ..] => {
            return cargo::run(&[&["run", "-q", "-p", "lookalike-fuzz", "--"], rest].concat(), &[]);
        }
        _ => bail!(USAGE),
    };
    println!("{told}");
    Ok(())
}
