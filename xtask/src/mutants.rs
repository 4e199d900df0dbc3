//! Mutants: realistic slips, put into the source one by one, that the tests must catch.
//!
//! `xtask/mutants.toml` lists them. A mutant counts as caught when the crate still compiles and a
//! test fails; what does not compile proves nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::cargo;

/// Where the list is.
const LIST: &str = "xtask/mutants.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MutantList {
    mutant: Vec<Mutant>,
}

/// One slip.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutant {
    /// The file, from the root of the workspace.
    file: String,
    /// What stands there, exactly once.
    find: String,
    /// What it becomes.
    becomes: String,
    /// The crate whose tests must fail.
    package: String,
    /// The test that catches it first: others are not run.
    test: String,
    /// What is then broken.
    breaks: String,
}

/// Runs the mutant of this number, or all of them. Fails when one survives.
pub fn run(root: &Path, which: &str) -> Result<String> {
    let list = read(root)?;
    let all = list.iter().zip(1usize..);
    let chosen: Vec<_> = match which {
        "all" => all.collect(),
        number => {
            let number: usize = number.parse().with_context(|| format!("{number:?} is neither a number nor all"))?;
            all.filter(|(_, own)| *own == number).collect()
        }
    };
    if chosen.is_empty() {
        bail!("{LIST} has mutants 1 to {}", list.len());
    }
    let mut survivors = Vec::new();
    for (mutant, number) in &chosen {
        let is_caught = mutant.is_caught(root).with_context(|| format!("mutant {number}"))?;
        println!("{number:3} {} {}: {}", if is_caught { "caught" } else { "SURVIVED" }, mutant.file, mutant.breaks);
        if !is_caught {
            survivors.push(number.to_string());
        }
    }
    if !survivors.is_empty() {
        bail!("no test caught mutant {}", survivors.join(", "));
    }
    Ok(format!("the tests caught all {} mutants", chosen.len()))
}

fn read(root: &Path) -> Result<Vec<Mutant>> {
    let text = fs::read_to_string(root.join(LIST)).with_context(|| format!("cannot read {LIST}"))?;
    Ok(toml::from_str::<MutantList>(&text).with_context(|| format!("cannot read {LIST}"))?.mutant)
}

impl Mutant {
    /// Puts the slip in, runs the test and takes the slip out again.
    fn is_caught(&self, root: &Path) -> Result<bool> {
        let text = fs::read_to_string(root.join(&self.file)).with_context(|| format!("cannot read {}", self.file))?;
        let mutated = self.applied_to(&text)?;
        let unchanged = ["diff", "--quiet", "HEAD", "--", &self.file];
        if !Command::new("git").args(unchanged).current_dir(root).status().context("cannot start git")?.success() {
            bail!("{} has changes that are not committed", self.file);
        }
        let path = root.join(&self.file);
        fs::write(&path, mutated).with_context(|| format!("cannot write {}", self.file))?;
        let _restored = Restored { path, text };
        let words = ["test", "--quiet", "--package", &self.package, "--all-features", "--lib", "--tests"];
        cargo::output(root, &[&words[..], &["--no-run"]].concat()).context("it does not compile")?;
        let mut tests = Command::new(cargo::program());
        // A failed test of random cases would write the case down beside the source.
        tests.args(words).arg(&self.test).env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "true");
        Ok(!tests.current_dir(root).output().context("cannot start cargo")?.status.success())
    }

    fn applied_to(&self, text: &str) -> Result<String> {
        match text.matches(&self.find).count() {
            1 => Ok(text.replacen(&self.find, &self.becomes, 1)),
            times => bail!("{} has {:?} {times} times, not once", self.file, self.find),
        }
    }
}

/// Writes the text of a file back when it goes.
struct Restored {
    path: PathBuf,
    text: String,
}

impl Drop for Restored {
    fn drop(&mut self) {
        if let Err(error) = fs::write(&self.path, &self.text) {
            eprintln!("{} is still mutated, take it from git: {error}", self.path.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So that a change of the source cannot leave a mutant behind in silence.
    #[test]
    fn every_mutant_of_the_list_can_be_made() {
        for mutant in read(&cargo::root()).unwrap() {
            let text = fs::read_to_string(cargo::root().join(&mutant.file)).unwrap();
            assert_ne!(mutant.applied_to(&text).unwrap(), text, "{}", mutant.file);
        }
    }
}
