//! Builds that nobody here runs: the oldest Rust that is promised, and other systems.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::cargo;

/// Systems that people have, beside the one that tests run on.
const SYSTEMS: [&str; 2] = ["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];

/// What is shipped: the program, with every crate below it.
const PROGRAM: &str = "lookalike-cli";

/// Stands in for a C compiler and an archiver: it makes the file that it is asked for, empty. That
/// is enough to check Rust code, which is never linked with it.
const STUB: &str = "#!/bin/sh
last=
for word in \"$@\"; do
  if [ \"$last\" = -o ]; then : > \"$word\"; fi
  case \"$word\" in *.a|*.lib) : > \"$word\" ;; esac
  last=$word
done
";

/// Checks that the oldest Rust that `rust-version` promises compiles everything that is shipped.
pub fn oldest_rust(root: &Path) -> Result<String> {
    let metadata = cargo::metadata(root, &["--no-deps"])?;
    let version =
        metadata["packages"].as_array().into_iter().flatten().find_map(|package| package["rust_version"].as_str());
    let version = version.context("no package says its rust-version")?;
    if !cargo::answers(Path::new("rustup"), &["run", version, "cargo", "--version"]) {
        return Ok(format!("Rust {version} is not installed (`rustup toolchain install {version}`), skipped"));
    }
    let words = ["run", version, "cargo", "check", "--quiet", "-p", PROGRAM, "-p", "lookalike-bench"];
    let mut command = Command::new("rustup");
    command.args(words).current_dir(root).env("CARGO_TARGET_DIR", root.join("target/oldest"));
    // What cargo told this program of its own toolchain is not for the other one.
    for variable in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(variable);
    }
    if !command.status().context("cannot start rustup")?.success() {
        bail!("Rust {version}, which rust-version promises, cannot compile the workspace");
    }
    Ok(format!("Rust {version} compiles what is shipped"))
}

/// Checks the program for other systems, as far as their standard libraries are there.
pub fn other_systems(root: &Path) -> Result<String> {
    let mut told = Vec::new();
    for system in SYSTEMS {
        told.push(if !cfg!(unix) {
            format!("{system} is checked on Unix only, skipped")
        } else if !has_library(system) {
            format!("{system} is not installed (`rustup target add {system}`), skipped")
        } else {
            let stub = stub(root)?.to_string_lossy().into_owned();
            let key = system.replace('-', "_");
            let (compiler, archiver) = (format!("CC_{key}"), format!("AR_{key}"));
            // The headers of macOS are not needed by a compiler that reads none.
            let variables = [(compiler.as_str(), stub.as_str()), (&archiver, &stub), ("SDKROOT", "/")];
            cargo::run(&["check", "--quiet", "--target", system, "-p", PROGRAM], &variables)?;
            format!("{system} compiles")
        });
    }
    Ok(told.join("; "))
}

/// Whether the standard library of a system is installed.
fn has_library(system: &str) -> bool {
    let compiler = std::env::var_os("RUSTC").map_or_else(|| PathBuf::from("rustc"), PathBuf::from);
    let words = ["--print", "target-libdir", "--target", system];
    let Ok(run) = Command::new(compiler).args(words).output() else { return false };
    run.status.success() && Path::new(String::from_utf8_lossy(&run.stdout).trim()).is_dir()
}

/// Writes the stand-in compiler.
fn stub(root: &Path) -> Result<PathBuf> {
    let path = root.join("target/stub-compiler");
    fs::write(&path, STUB).with_context(|| format!("cannot write {}", path.display()))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).context("cannot make the stub a program")?;
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stand_in_makes_what_it_is_asked_for() {
        if !cfg!(unix) {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("target")).unwrap();
        let stub = stub(folder.path()).unwrap();
        for (words, made) in [(&["-c", "a.c", "-o", "a.o"][..], "a.o"), (&["cq", "b.a", "a.o"], "b.a")] {
            let run = Command::new(&stub).args(words).current_dir(folder.path()).status().unwrap();
            assert!(run.success() && folder.path().join(made).is_file(), "{made}");
        }
        assert!(!has_library("no-such-system"));
    }
}
