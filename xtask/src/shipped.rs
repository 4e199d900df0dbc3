//! The program that users get must not contain the seeded test noise, by construction: no feature path leads there.

use std::path::Path;

use anyhow::{Result, bail};

const TEST_FEATURE: &str = "test-noise";

/// Fails when the default build of the command-line program enables the test noise in any crate.
pub fn check(root: &Path) -> Result<()> {
    let tree = crate::cargo_output(
        root,
        &["tree", "--package", "lookalike-cli", "--edges", "normal,build", "--format", "{p} [{f}]", "--prefix", "none"],
    )?;
    find(&String::from_utf8_lossy(&tree))
}

fn find(tree: &str) -> Result<()> {
    let offender =
        tree.lines().find(|line| line.split_once('[').is_some_and(|(_, features)| features.contains(TEST_FEATURE)));
    match offender {
        Some(line) => bail!("the shipped program enables `{TEST_FEATURE}`: {line}"),
        None if tree.contains("lookalike-privacy") => Ok(()),
        None => {
            bail!("the dependency tree of lookalike-cli does not show lookalike-privacy: is the check looking at it?")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn a_feature_that_reaches_the_program_is_found() {
        assert!(find("lookalike-cli v0.1.0 []\nlookalike-privacy v0.1.0 []\n").is_ok());
        assert!(find("lookalike-cli v0.1.0 []\nlookalike-privacy v0.1.0 [test-noise]\n").is_err());
        assert!(find("something else\n").is_err());
    }
}
