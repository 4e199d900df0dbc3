//! What the shipped packages are built from: their licences, and one version of each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::cargo;

/// Members that are never shipped. What they alone depend on is nobody else's.
const NOT_SHIPPED: [&str; 4] = ["xtask", "lookalike-oracles", "lookalike-fuzz", "lookalike-testkit"];

/// Licences that allow to ship a program under ours, as SPDX expressions. A slash is an old way to
/// write `OR`.
const LICENCES: [&str; 13] = [
    "(MIT OR Apache-2.0) AND Unicode-3.0",
    "Apache-2.0",
    "Apache-2.0 OR MIT",
    "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
    "BSD-2-Clause OR Apache-2.0 OR MIT",
    "BSD-3-Clause",
    "MIT",
    "MIT OR Apache-2.0",
    "MIT OR Apache-2.0 OR LGPL-2.1-or-later",
    "MIT/Apache-2.0",
    "Unlicense OR MIT",
    "Zlib",
    "Zlib OR Apache-2.0 OR MIT",
];

/// Crates that are there in two versions, with the reason.
const TWICE: [(&str, &str); 0] = [];

/// Fails on a licence that is not in the list and on a crate in two versions.
pub fn check(root: &Path) -> Result<String> {
    let metadata = cargo::metadata(root, &["--all-features"])?;
    let shipped = shipped(&metadata)?;
    let mut faults = licence_faults(&shipped);
    faults.extend(version_faults(&shipped));
    if faults.is_empty() {
        return Ok(format!("{} crates, each in one version and under a licence of the list", shipped.len()));
    }
    bail!("dependencies:\n  {}", faults.join("\n  "))
}

/// A package that is part of what we ship.
#[derive(Debug, PartialEq)]
struct Package {
    name: String,
    version: String,
    licence: String,
}

/// The members that are shipped with everything that their plain builds are made from, on all
/// systems.
fn shipped(metadata: &Value) -> Result<Vec<Package>> {
    let packages: BTreeMap<&str, &Value> =
        list(&metadata["packages"]).filter_map(|package| Some((package["id"].as_str()?, package))).collect();
    let nodes: BTreeMap<&str, &Value> =
        list(&metadata["resolve"]["nodes"]).filter_map(|node| Some((node["id"].as_str()?, node))).collect();
    let members = list(&metadata["workspace_members"]).filter_map(Value::as_str);
    let is_shipped = |id: &&str| {
        packages
            .get(id)
            .is_some_and(|package| !package["name"].as_str().is_some_and(|name| NOT_SHIPPED.contains(&name)))
    };
    let mut ahead: Vec<&str> = members.filter(is_shipped).collect();
    let mut seen: BTreeSet<&str> = ahead.iter().copied().collect();
    while let Some(id) = ahead.pop() {
        let node = nodes.get(id).with_context(|| format!("cargo metadata has no node {id}"))?;
        let in_plain_build = |used: &&Value| list(&used["dep_kinds"]).any(|kind| kind["kind"].as_str() != Some("dev"));
        let used = list(&node["deps"]).filter(in_plain_build).filter_map(|used| used["pkg"].as_str());
        ahead.extend(used.filter(|id| seen.insert(*id)));
    }
    let word = |package: &Value, field: &str| package[field].as_str().unwrap_or_default().to_owned();
    let describe = |id| {
        packages.get(id).map(|package| Package {
            name: word(package, "name"),
            version: word(package, "version"),
            licence: word(package, "license"),
        })
    };
    Ok(seen.into_iter().filter_map(describe).collect())
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn licence_faults(packages: &[Package]) -> Vec<String> {
    let strange = packages.iter().filter(|package| !LICENCES.contains(&package.licence.as_str()));
    strange.map(|package| format!("{} {}: licence {:?}", package.name, package.version, package.licence)).collect()
}

fn version_faults(packages: &[Package]) -> Vec<String> {
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
    use serde_json::json;

    use super::*;

    fn package(name: &str, version: &str, licence: &str) -> Package {
        Package { name: name.to_owned(), version: version.to_owned(), licence: licence.to_owned() }
    }

    #[test]
    fn strange_licences_and_second_versions_are_told() {
        let packages = [package("a", "1.0.0", "MIT"), package("a", "2.0.0", "MIT"), package("b", "1.0.0", "GPL-3.0")];
        assert_eq!(version_faults(&packages), ["a: versions 1.0.0 and 2.0.0"]);
        assert_eq!(licence_faults(&packages), ["b 1.0.0: licence \"GPL-3.0\""]);
    }

    #[test]
    fn what_only_tests_and_chores_use_is_not_shipped() {
        let node = |id: &str, uses: &[(&str, Option<&str>)]| {
            let deps = uses.iter().map(|(id, kind)| json!({ "pkg": id, "dep_kinds": [{ "kind": kind }] }));
            json!({ "id": id, "deps": deps.collect::<Vec<_>>() })
        };
        let named = |id: &str| json!({ "id": id, "name": id, "version": "1.0.0", "license": "MIT" });
        let packages = ["program", "xtask", "used", "tool", "tests", "chore"].map(named);
        let metadata = json!({
            "packages": packages,
            "workspace_members": ["program", "xtask"],
            "resolve": { "nodes": [
                node("program", &[("used", None), ("tests", Some("dev"))]),
                node("xtask", &[("chore", None)]),
                node("used", &[("tool", Some("build"))]),
                node("tool", &[]),
                node("tests", &[]),
                node("chore", &[]),
            ] },
        });
        let shipped = shipped(&metadata).unwrap();
        assert_eq!(
            shipped.iter().map(|package| package.name.as_str()).collect::<Vec<_>>(),
            ["program", "tool", "used"]
        );
    }
}
