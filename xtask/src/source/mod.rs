//! The workspace's own source, read as tokens and syntax, so that checks see code and not text.

mod cfg;
mod file;
mod modules;
pub mod tree;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

pub use file::SourceFile;
pub use modules::mark_tests;

/// A package of the workspace.
pub struct Package {
    /// Its folder below the root of the workspace, such as `crates/schema`.
    pub folder: String,
    pub files: Vec<SourceFile>,
}

/// All packages below a folder, sorted by their folders.
pub fn packages(root: &Path) -> Result<Vec<Package>> {
    let mut folders = Vec::new();
    let mut sources = Vec::new();
    walk(root, "", &mut folders, &mut sources)?;
    let mut packages: Vec<Package> = folders.into_iter().map(|folder| Package { folder, files: Vec::new() }).collect();
    for path in sources {
        // The deepest package that holds it.
        let holder = packages.iter_mut().filter(|package| path.starts_with(&format!("{}/", package.folder)));
        let Some(package) = holder.max_by_key(|package| package.folder.len()) else { continue };
        let text = fs::read_to_string(root.join(&path)).with_context(|| format!("cannot read {path}"))?;
        package.files.push(SourceFile::parse(path, text)?);
    }
    for package in &mut packages {
        mark_tests(&mut package.files);
    }
    packages.sort_by(|a, b| a.folder.cmp(&b.folder));
    Ok(packages)
}

/// Collects the folders of packages and the paths of Rust files.
fn walk(root: &Path, below: &str, packages: &mut Vec<String>, sources: &mut Vec<String>) -> Result<()> {
    let entries = fs::read_dir(root.join(below)).with_context(|| format!("cannot read {below}"))?;
    let mut names: Vec<String> = Vec::new();
    for entry in entries {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    for name in names {
        let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
        if root.join(&path).is_dir() {
            if name != "target" && !name.starts_with('.') {
                walk(root, &path, packages, sources)?;
            }
        } else if name == "Cargo.toml" && !below.is_empty() {
            packages.push(below.to_owned());
        } else if name.ends_with(".rs") {
            sources.push(path);
        }
    }
    Ok(())
}
