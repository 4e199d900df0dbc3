//! The fuzzer's targets under libFuzzer.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::cargo;

/// Counts the branches that an input takes, which stable Rust can do; sanitizers need a nightly
/// compiler, and the readers have no unsafe code for them to look at.
const INSTRUMENTED: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 --cfg fuzzing";

/// Builds the target with instruments and runs it for some minutes.
pub fn with_coverage(root: &Path, target: &str, minutes: &str) -> Result<()> {
    let minutes: f64 = minutes.parse().with_context(|| format!("{minutes:?} is not a number of minutes"))?;
    let found = root.join("target/fuzz-corpus").join(target);
    fs::create_dir_all(&found).with_context(|| format!("cannot make {}", found.display()))?;
    let given = root.join("fuzz/corpus").join(target);
    let (found, given) = (found.to_string_lossy(), given.to_string_lossy());
    let seconds = format!("-max_total_time={:.0}", minutes * 60.0);
    let target_folder = root.join("target/fuzz");
    // Where the target is named, build scripts are built without instruments.
    let here = host()?;
    let words = ["run", "--manifest-path", "fuzz/coverage/Cargo.toml", "--target", &here, "--"];
    // The first folder takes what is found; the second is the corpus, which stays as it is.
    let limits = ["-timeout=60", "-rss_limit_mb=2048"];
    let words = [&words[..], &[&seconds], &limits, &[&found, &given]].concat();
    let variables = [
        ("RUSTFLAGS", INSTRUMENTED),
        ("LOOKALIKE_FUZZ", target),
        ("CARGO_TARGET_DIR", &target_folder.to_string_lossy()),
    ];
    cargo::run(&words, &variables)
}

/// The system that the compiler runs on.
fn host() -> Result<String> {
    let said = Command::new("rustc").arg("-vV").output().context("cannot start rustc")?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc does not say its host")
}
