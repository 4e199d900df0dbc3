//! The program that users get must not contain the seeded test noise, by construction: no feature
//! path leads there.
//!
//! Cargo joins the features that all packages of one build ask for. So a feature that one member of
//! the workspace switches on would reach the program in `cargo build --workspace`, whatever the
//! program's own manifest says. The check therefore looks at the whole workspace at once, as such a
//! build does: whoever joins the workspace later is covered. Development dependencies are left out,
//! as a plain build leaves them out; tests switch the noise on through them, on purpose.

use std::path::Path;

use anyhow::{Result, bail};

use crate::cargo;

/// Features that are for tests and audits alone.
const TEST_FEATURES: [&str; 2] = ["test-noise", "broken"];

/// What must be seen in the tree: the program, and the crate that holds the noise.
const SEEN: [&str; 3] = ["lookalike-cli", "lookalike-python", "lookalike-privacy"];

/// Fails when a plain build of the workspace enables the test noise in any crate.
pub fn check(root: &Path) -> Result<()> {
    let words = ["tree", "--workspace", "--edges", "normal,build", "--target", "all", "--prefix", "none"];
    let tree = cargo::output(root, &[&words[..], &["--format", "{p} [{f}]"]].concat())?;
    find(&String::from_utf8_lossy(&tree))
}

fn find(tree: &str) -> Result<()> {
    let enables = |line: &&str| {
        let features = line.rsplit_once('[').map_or("", |(_, features)| features.trim_end().trim_end_matches("(*)"));
        let mut features = features.trim_end().trim_end_matches(']').split(',').map(str::trim);
        features.any(|feature| TEST_FEATURES.contains(&feature))
    };
    if let Some(line) = tree.lines().find(enables) {
        bail!(
            "a plain build of the workspace would enable the test noise: {}; let only dev-dependencies ask for {}",
            line.trim(),
            TEST_FEATURES.map(|feature| format!("`{feature}`")).join(" or ")
        );
    }
    match SEEN.iter().find(|name| !tree.lines().any(|line| line.split(' ').next() == Some(**name))) {
        Some(name) => bail!("the dependency tree of the workspace does not show {name}: is the check looking at it?"),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{check, find};

    #[test]
    fn a_feature_that_reaches_the_program_is_found() {
        let clean = "lookalike-cli v0.1.0 (/x) []\nlookalike-python v0.1.0 (/x) []\n\
                     lookalike-privacy v0.1.0 (/x) [default,serde]\n";
        assert!(find(clean).is_ok());
        for features in ["test-noise", "default,test-noise", "test-noise,z", "broken"] {
            for mark in ["", " (*)"] {
                let line = format!("lookalike-privacy v0.1.0 (/x) [{features}]{mark}\n");
                assert!(find(&format!("{clean}{line}")).is_err(), "{line}");
            }
        }
        assert!(find(&format!("{clean}other v1.0.0 [not-test-noise]\n")).is_ok());
        assert!(find("something else\n").is_err());
        assert!(find("lookalike-cli v0.1.0 (/x) []\n").is_err());
    }

    /// A workspace of four: the noise, the program, the module, and another member that asks for
    /// something.
    fn workspace(folder: &Path, other: &str) {
        let package = |name: &str, rest: &str| {
            let place = folder.join(name);
            fs::create_dir_all(place.join("src")).unwrap();
            let head = format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
            fs::write(place.join("Cargo.toml"), format!("{head}{rest}\n")).unwrap();
            fs::write(place.join("src/lib.rs"), "").unwrap();
        };
        let noise = "lookalike-privacy = { path = \"../lookalike-privacy\" }";
        package("lookalike-privacy", "[features]\ntest-noise = []");
        package("lookalike-cli", &format!("[dependencies]\n{noise}"));
        package("lookalike-python", &format!("[dependencies]\n{noise}"));
        package("another", other);
        let members = "members = [\"lookalike-privacy\", \"lookalike-cli\", \"lookalike-python\", \"another\"]";
        fs::write(folder.join("Cargo.toml"), format!("[workspace]\nresolver = \"3\"\n{members}\n")).unwrap();
    }

    /// The negative control: cargo itself is asked about workspaces in which another member would
    /// switch the noise on.
    #[test]
    fn another_member_that_asks_for_the_noise_is_found() {
        let with_noise = "lookalike-privacy = { path = \"../lookalike-privacy\", features = [\"test-noise\"] }";
        for (rest, clean) in [
            (String::new(), true),
            (format!("[dev-dependencies]\n{with_noise}"), true),
            (format!("[dependencies]\n{with_noise}"), false),
            (format!("[build-dependencies]\n{with_noise}"), false),
            (format!("[target.'cfg(windows)'.dependencies]\n{with_noise}"), false),
            (
                "[features]\ndefault = [\"x\"]\nx = [\"lookalike-privacy/test-noise\"]\n[dependencies]\nlookalike-privacy = { path = \"../lookalike-privacy\" }"
                    .to_owned(),
                false,
            ),
        ] {
            let folder = tempfile::tempdir().unwrap();
            workspace(folder.path(), &rest);
            assert_eq!(check(folder.path()).is_ok(), clean, "{rest}: {:?}", check(folder.path()));
        }
    }
}
