//! One meaning a name, and comments that a newcomer can read.
//!
//! A public type whose name stands in two packages makes every reader ask which one is meant.
//! Comments keep to 100 columns, and name their numbers.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};

use crate::source::tree::ModuleTree;
use crate::source::{Package, SourceFile};

/// Names that every package may have: each has one error, and a short name for its results.
const EVERYWHERE: [&str; 2] = ["Error", "Result"];

/// The widest that a line of a comment may be, in characters.
const WIDEST: usize = 100;

/// A number that has no name.
const UNNAMED: &str = "so many";

/// Fails on a public type's name in two packages, and on comments that are too wide or name no
/// number. Gives the number of names.
pub fn check(packages: &[Package]) -> Result<usize> {
    let names = public_names(packages);
    let mut faults: Vec<String> = Vec::new();
    for (name, places) in &names {
        let holders: BTreeSet<&str> = places.iter().map(|(package, _)| *package).collect();
        if holders.len() > 1 {
            let files: Vec<&str> = places.iter().map(|(_, file)| *file).collect();
            faults.push(format!("{name} is a public type in {}", files.join(" and ")));
        }
    }
    faults.extend(packages.iter().flat_map(|package| &package.files).flat_map(comment_faults));
    if faults.is_empty() {
        return Ok(names.len());
    }
    bail!("names and comments:\n  {}", faults.join("\n  "))
}

/// The public types of all packages: the packages and files that define each name.
fn public_names(packages: &[Package]) -> BTreeMap<String, BTreeSet<(&str, &str)>> {
    let mut names: BTreeMap<String, BTreeSet<(&str, &str)>> = BTreeMap::new();
    for package in packages {
        let tree = ModuleTree::new(&package.files);
        let library = format!("{}/src/lib.rs", package.folder);
        let root = tree.modules.iter().position(|module| package.files[module.file].path == library);
        for (name, file) in root.map(|root| tree.public_types(root)).unwrap_or_default() {
            if !EVERYWHERE.contains(&name.as_str()) && !is_versioned(&name) {
                names.entry(name).or_default().insert((&package.folder, &package.files[file].path));
            }
        }
    }
    names
}

/// Structs of files end in their version, such as `V1`: every kind of file has its own.
fn is_versioned(name: &str) -> bool {
    let digits = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    digits.len() < name.len() && digits.ends_with('V')
}

fn comment_faults(file: &SourceFile) -> Vec<String> {
    let mut faults = Vec::new();
    for (place, line) in file.text.lines().enumerate() {
        let number = place + 1;
        let Some((comment, is_alone)) = comment_of(file, number, line) else { continue };
        // A long address and a row of a table cannot be broken.
        let words = comment.trim_start_matches(['/', '!', ' ']);
        let is_breakable = words.contains(' ') && !words.starts_with('|');
        if is_alone && is_breakable && line.chars().count() > WIDEST {
            faults.push(format!("{}:{number}: a comment wider than {WIDEST} columns", file.path));
        }
        if comment.to_lowercase().contains(UNNAMED) {
            faults.push(format!("{}:{number}: {UNNAMED:?} in a comment; name the number", file.path));
        }
    }
    faults
}

/// The comment that ends a line, and whether it has the line for itself.
fn comment_of<'a>(file: &SourceFile, number: usize, line: &'a str) -> Option<(&'a str, bool)> {
    let end = file.line_ends.get(&number).copied();
    // Columns are characters. A line inside a string has no end of its own.
    let behind = match end {
        Some(end) => line.char_indices().nth(end).map(|(place, _)| &line[place..])?,
        None => line,
    };
    let comment = behind.trim_start();
    comment.starts_with("//").then_some((comment, end.is_none()))
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
