//! Arrows point one way: a crate may only import what its row of the table in ARCHITECTURE.md
//! allows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::cargo;

/// Crates that are not part of the flow: chores, test-only oracles and fuzzing.
const OUTSIDE: [&str; 3] = ["xtask", "oracles", "fuzz"];

/// A crate's folder, as the table names it, and what it may use.
type Table = BTreeMap<String, Allowed>;

#[derive(Debug, PartialEq)]
enum Allowed {
    Only(BTreeSet<String>),
    Above(BTreeSet<String>),
    AllExceptFaces,
}

/// Checks every crate of the workspace; returns how many were checked.
pub fn check(root: &Path) -> Result<usize> {
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).context("cannot read ARCHITECTURE.md")?;
    let table = parse(&text)?;
    verify(&table, &imports(&cargo::metadata(root, &["--no-deps"])?, root)?)
}

/// For each crate's folder, the folders of the workspace crates it imports (normal and build
/// dependencies; tests may look anywhere).
fn imports(metadata: &Value, root: &Path) -> Result<BTreeMap<String, BTreeSet<String>>> {
    let packages = metadata["packages"].as_array().context("no packages in cargo metadata")?;
    let mut folders = BTreeMap::new();
    for package in packages {
        let manifest = Path::new(package["manifest_path"].as_str().context("no manifest path")?);
        let folder =
            manifest.parent().and_then(|folder| folder.strip_prefix(root).ok()).context("a crate outside the root")?;
        let folder = folder.to_string_lossy().replace('\\', "/");
        let folder = folder.strip_prefix("crates/").unwrap_or(&folder).to_owned();
        folders.insert(package["name"].as_str().context("no name")?.to_owned(), folder);
    }
    let mut imports = BTreeMap::new();
    for package in packages {
        let name = package["name"].as_str().context("no name")?;
        let used = package["dependencies"].as_array().into_iter().flatten();
        let used = used
            .filter(|dependency| dependency["kind"].as_str() != Some("dev"))
            .filter_map(|dependency| folders.get(dependency["name"].as_str()?).cloned())
            .collect();
        imports.insert(folders[name].clone(), used);
    }
    Ok(imports)
}

/// Reads the rows `| `crate` | what | may use |` of the architecture table.
fn parse(text: &str) -> Result<Table> {
    let mut table = Table::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let [name, _, uses] = cells[..] else { continue };
        let Some(name) = name.strip_prefix('`').and_then(|name| name.strip_suffix('`')) else { continue };
        let allowed = match uses {
            "-" => Allowed::Only(BTreeSet::new()),
            "all of the above" => Allowed::Above(table.keys().cloned().collect()),
            "everything except faces" => Allowed::AllExceptFaces,
            list => Allowed::Only(list.split(',').map(|word| word.trim().to_owned()).collect()),
        };
        table.insert(name.to_owned(), allowed);
    }
    if table.len() < 5 {
        bail!("the table of crates in ARCHITECTURE.md was not found");
    }
    Ok(table)
}

fn verify(table: &Table, imports: &BTreeMap<String, BTreeSet<String>>) -> Result<usize> {
    let mut checked = 0;
    for (folder, used) in imports {
        if OUTSIDE.contains(&folder.as_str()) {
            continue;
        }
        let Some(allowed) = table.get(folder) else {
            bail!("crate `{folder}` has no row in the table of ARCHITECTURE.md")
        };
        for other in used {
            let fine = match allowed {
                Allowed::Only(names) | Allowed::Above(names) => names.contains(other),
                Allowed::AllExceptFaces => !other.starts_with("faces/"),
            };
            if !fine {
                bail!("crate `{folder}` imports `{other}`, which its row in ARCHITECTURE.md does not allow");
            }
        }
        checked += 1;
    }
    Ok(checked)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "| crate | what | may use |\n|---|---|---|\n| `a` | x | - |\n| `b` | x | a |\n| `c` | x | a, b |\n\
                        | `d` | x | all of the above |\n| `faces/e` | x | d |\n| `f` | x | everything except faces |\n";

    fn imports(pairs: &[(&str, &[&str])]) -> BTreeMap<String, BTreeSet<String>> {
        pairs.iter().map(|(name, used)| ((*name).into(), used.iter().map(|&word| word.into()).collect())).collect()
    }

    #[test]
    fn imports_along_the_table_pass_and_others_fail() {
        let table = parse(TEXT).expect("a table");
        assert_eq!(
            verify(&table, &imports(&[("a", &[]), ("b", &["a"]), ("d", &["a", "c"]), ("f", &["d"])])).ok(),
            Some(4)
        );
        for (name, used) in [("a", "b"), ("b", "c"), ("d", "faces/e"), ("faces/e", "a"), ("f", "faces/e")] {
            assert!(verify(&table, &imports(&[(name, &[used])])).is_err(), "{name} must not import {used}");
        }
        assert!(verify(&table, &imports(&[("unknown", &[])])).is_err());
        assert!(parse("no table here").is_err());
    }
}
