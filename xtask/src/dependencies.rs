//! What the shipped packages are built from: their licences, and one version of each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::cargo;

/// Members that are never shipped. What they alone depend on is nobody else's.
const NOT_SHIPPED: [&str; 4] = ["xtask", "lookalike-oracles", "lookalike-fuzz", "lookalike-testkit"];

/// Licences that allow to ship a program under ours, as SPDX expressions. A slash is an old way to
/// write `OR`.
const LICENCES: [&str; 22] = [
    "(MIT OR Apache-2.0) AND Unicode-3.0",
    "Apache-2.0",
    "Apache-2.0 AND ISC",
    "Apache-2.0 AND MIT",
    "Apache-2.0 OR BSL-1.0",
    "Apache-2.0 OR BSL-1.0 OR MIT",
    "Apache-2.0 OR ISC OR MIT",
    "Apache-2.0 OR MIT",
    "Apache-2.0 WITH LLVM-exception",
    "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
    "BSD-2-Clause",
    "BSD-2-Clause OR Apache-2.0 OR MIT",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT OR Apache-2.0",
    "MIT OR Apache-2.0 OR LGPL-2.1-or-later",
    "MIT/Apache-2.0",
    "Unlicense OR MIT",
    "Zlib",
    "Zlib OR Apache-2.0 OR MIT",
];

/// Crates that are there in two versions, with the reason.
const TWICE: [(&str, &str); 10] = [
    ("base64", "the client of PostgreSQL is behind Parquet"),
    ("const-oid", "certificates and digests are of two years"),
    ("fallible-iterator", "of SQLite's and of PostgreSQL's client"),
    ("getrandom", "ahash, which parquet hashes with, is behind"),
    ("phf", "time zones of the Python package, and the client of PostgreSQL"),
    ("phf_shared", "of both versions of phf"),
    ("r-efi", "of both versions of getrandom, for a system that is not ours"),
    ("syn", "derive macros are moving to version 3 one by one; it is no part of the program"),
    ("wasi", "for a system that is not ours"),
    ("windows-sys", "ring is behind, on Windows alone"),
];

/// Fails on a licence that is not in the list and on a crate in two versions.
pub fn check(root: &Path) -> Result<String> {
    let shipped = shipped(root)?;
    let mut faults = licence_faults(&shipped);
    faults.extend(version_faults(&shipped));
    if faults.is_empty() {
        let (crates, twice) = (shipped.len(), TWICE.len());
        return Ok(format!(
            "{crates} crates under licences of the list, {twice} of them in two versions with a reason"
        ));
    }
    bail!("dependencies:\n  {}", faults.join("\n  "))
}

/// A package that is part of what we ship.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Package {
    name: String,
    version: String,
    licence: String,
}

/// The members that are shipped with everything that their plain builds are made from, on all
/// systems. `cargo metadata` would also tell optional crates that no build takes.
fn shipped(root: &Path) -> Result<BTreeSet<Package>> {
    let mut words = vec!["tree", "--workspace", "--all-features", "--edges", "normal,build", "--target", "all"];
    words.extend(NOT_SHIPPED.iter().flat_map(|member| ["--exclude", member]));
    words.extend(["--prefix", "none", "--format", "{p};{l}"]);
    // Without the network first: it is quicker, and mostly enough.
    let text = cargo::output(root, &[&words[..], &["--offline"]].concat()).or_else(|_| cargo::output(root, &words))?;
    listed(&String::from_utf8_lossy(&text))
}

/// Lines such as `name v1.2.3 (where from);licence (*)`.
fn listed(text: &str) -> Result<BTreeSet<Package>> {
    let package = |line: &str| {
        let (package, licence) = line.trim_end_matches(" (*)").split_once(';')?;
        let mut words = package.split(' ');
        let (name, version) = (words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned());
        Some(Package { name, version, licence: licence.to_owned() })
    };
    let lines = text.lines().filter(|line| !line.is_empty());
    lines.map(|line| package(line).with_context(|| format!("cargo tree says {line:?}"))).collect()
}

fn licence_faults(packages: &BTreeSet<Package>) -> Vec<String> {
    let strange = packages.iter().filter(|package| !LICENCES.contains(&package.licence.as_str()));
    strange.map(|package| format!("{} {}: licence {:?}", package.name, package.version, package.licence)).collect()
}

fn version_faults(packages: &BTreeSet<Package>) -> Vec<String> {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in packages {
        versions.entry(&package.name).or_default().insert(&package.version);
    }
    let mut faults = Vec::new();
    for (name, versions) in versions {
        let is_known = TWICE.iter().any(|(known, _)| *known == name);
        let listed = versions.iter().copied().collect::<Vec<_>>().join(" and ");
        match (versions.len() > 1, is_known) {
            (true, false) => faults.push(format!("{name}: versions {listed}")),
            (false, true) => faults.push(format!("{name}: is there in one version only; take it from the list")),
            _ => {}
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(lines: &str) -> BTreeSet<Package> {
        listed(lines).unwrap()
    }

    #[test]
    fn strange_licences_and_second_versions_are_told() {
        let packages = tree("a v1.0.0;MIT\na v2.0.0;MIT\nb v1.0.0 (/here);GPL-3.0\n\na v1.0.0;MIT (*)\n");
        assert_eq!(packages.len(), 3);
        let twice = version_faults(&packages);
        assert!(twice.contains(&"a: versions 1.0.0 and 2.0.0".to_owned()), "{twice:?}");
        assert_eq!(licence_faults(&packages), ["b 1.0.0: licence \"GPL-3.0\""]);
        assert!(listed("error: something else").is_err());
    }

    #[test]
    fn what_only_tests_and_chores_use_is_not_shipped() {
        let shipped = shipped(&cargo::root()).unwrap();
        let has = |name: &str| shipped.iter().any(|package| package.name == name);
        assert!(has("lookalike-cli") && has("parquet") && has("cc"), "{shipped:?}");
        assert!(!has("xtask") && !has("proptest") && !has("opendp"), "{shipped:?}");
    }
}
