//! Whether cargo would take the crates that are meant for others.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::cargo;

/// Packs every member that may be published, without building it again.
pub fn check(root: &Path) -> Result<String> {
    let metadata = cargo::metadata(root, &["--no-deps"])?;
    let members = metadata["packages"].as_array().context("no packages in cargo metadata")?;
    // `publish = false` is an empty list of registries.
    let meant = members.iter().filter(|package| package["publish"].as_array().is_none_or(|list| !list.is_empty()));
    let names: Vec<&str> = meant.clone().filter_map(|package| package["name"].as_str()).collect();
    let bare = meant.filter(|package| package["description"].as_str().is_none_or(str::is_empty));
    let bare: Vec<&str> = bare.filter_map(|package| package["name"].as_str()).collect();
    if names.is_empty() || !bare.is_empty() {
        bail!("{} crates may be published; without a description: {}", names.len(), bare.join(", "));
    }
    let mut words = vec!["package", "--quiet", "--no-verify", "--allow-dirty", "--no-metadata"];
    words.extend(names.iter().flat_map(|name| ["-p", name]));
    cargo::run(&words, &[])?;
    Ok(format!("cargo packs {} crates", names.len()))
}
