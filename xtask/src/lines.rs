//! Lines of code: neither blank nor comment, tests apart.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::source::{self, Package};

/// Paths that hold what did not exist before, with the reason. Their code is counted apart, so that
/// a ratio says what became of the rest.
const NEW_SURFACE: [(&str, &str); 18] = [
    ("crates/lookalike/src/error/file", "files that do not do, as data and not as words"),
    ("crates/lookalike/src/error/setting", "settings that do not do, as data and not as words"),
    ("crates/lookalike/src/release/open", "a release read back into memory"),
    ("crates/lookalike/src/synthesizer/m", "the library's builder, and methods by type"),
    ("crates/lookalike/src/synthesizer/source", "what can be fitted: batches, paths, tables, engines"),
    ("crates/schema/src/builder", "schemas in code"),
    ("crates/table/src/read/arrow", "Arrow batches in"),
    ("crates/table/src/write/arrow", "Arrow batches out"),
    ("xtask/src/circles", "the check of import circles"),
    ("xtask/src/dependencies", "the check of licences and versions"),
    ("xtask/src/fuzz", "libFuzzer beside the own fuzzer"),
    ("xtask/src/lines", "this count"),
    ("xtask/src/mutants", "the run of mutants"),
    ("xtask/src/names", "the check of names and comments"),
    ("xtask/src/packages", "the check of packages"),
    ("xtask/src/phases", "the seconds of each phase"),
    ("xtask/src/source", "the source as syntax, which circles, names and lines read"),
    ("xtask/src/targets", "builds for the oldest Rust and for other systems"),
];

/// Lines of code of a package, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Lines {
    code: usize,
    tests: usize,
    /// Code under a path of `NEW_SURFACE`.
    new: usize,
}

impl std::ops::AddAssign for Lines {
    fn add_assign(&mut self, other: Self) {
        self.code += other.code;
        self.tests += other.tests;
        self.new += other.new;
    }
}

type Count = BTreeMap<String, Lines>;

/// The table of all packages, beside that of a revision if one is given.
pub fn table(root: &Path, against: Option<&str>) -> Result<String> {
    let now = count(&source::packages(root)?);
    let before = against.map(|revision| count_revision(root, revision)).transpose()?;
    Ok(show(&now, before.as_ref()))
}

fn count(packages: &[Package]) -> Count {
    packages.iter().map(|package| (package.folder.clone(), count_package(package))).collect()
}

fn count_package(package: &Package) -> Lines {
    let mut lines = Lines::default();
    for file in &package.files {
        let tests = file.code_lines.iter().filter(|line| file.is_test_line(**line)).count();
        let code = file.code_lines.len() - tests;
        lines.tests += tests;
        if NEW_SURFACE.iter().any(|(path, _)| file.path.starts_with(path)) {
            lines.new += code;
        } else {
            lines.code += code;
        }
    }
    lines
}

/// The same of a revision, which is unpacked beside the work tree and not checked out.
fn count_revision(root: &Path, revision: &str) -> Result<Count> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let mut archive = Command::new("git")
        .args(["archive", "--format=tar", revision])
        .current_dir(root)
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start git")?;
    let tar = archive.stdout.take().context("git archive has no output")?;
    let unpacked = Command::new("tar").args(["-x", "-f", "-", "-C"]).arg(folder.path()).stdin(tar).status();
    if !archive.wait().context("git archive was lost")?.success() {
        bail!("git has no revision {revision:?}");
    }
    if !unpacked.context("cannot start tar")?.success() {
        bail!("tar could not unpack {revision:?}");
    }
    Ok(count(&source::packages(folder.path())?))
}

fn show(now: &Count, before: Option<&Count>) -> String {
    let mut rows = vec![row(
        "crate",
        ["code", "tests", "new"].map(str::to_owned),
        before.map(|_| ["before", "ratio"].map(str::to_owned)),
    )];
    let sum = |count: &Count| {
        count.values().fold(Lines::default(), |mut sum, lines| {
            sum += *lines;
            sum
        })
    };
    let line = |name: &str, now: Lines, before: Option<Lines>| {
        let against = before.map(|before| {
            let ratio = now.code as f64 / before.code as f64;
            [before.code.to_string(), if before.code == 0 { "-".to_owned() } else { format!("{ratio:.3}") }]
        });
        row(name, [now.code, now.tests, now.new].map(|figure| figure.to_string()), against)
    };
    let mut names: Vec<&String> = now.keys().chain(before.iter().flat_map(|before| before.keys())).collect();
    names.sort();
    names.dedup();
    for name in names {
        let at = |count: &Count| count.get(name).copied().unwrap_or_default();
        rows.push(line(name, at(now), before.map(at)));
    }
    rows.push(line("sum", sum(now), before.map(sum)));
    rows.extend(NEW_SURFACE.iter().map(|(path, reason)| format!("new: {path}: {reason}")));
    rows.join("\n")
}

fn row(name: &str, figures: [String; 3], against: Option<[String; 2]>) -> String {
    let mut text = format!("{name:24}");
    for figure in figures.iter().chain(against.iter().flatten()) {
        text.push_str(&format!("{figure:>8}"));
    }
    text
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
