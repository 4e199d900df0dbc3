//! Things that some tests need and that may not be there: the benchmark tables, a browser.
//!
//! On a developer's machine such a test skips itself with a word. Where `CI` or `LOOKALIKE_CI` is
//! set it fails, so that nobody takes a test that never ran for one that passed.

use std::ffi::OsStr;
use std::path::PathBuf;

/// The thing if it is there. Otherwise the test is told to skip itself, or fails in CI.
pub fn or_missing<T>(thing: Option<T>, what: &str) -> Option<T> {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| is_yes(&value));
    if thing.is_none() {
        assert!(!is_set("CI") && !is_set("LOOKALIKE_CI"), "{what}, and a test without it tests nothing");
        eprintln!("skipped: {what}");
    }
    thing
}

fn is_yes(value: &OsStr) -> bool {
    !["", "0", "false"].iter().any(|no| value == *no)
}

/// The folder of the benchmark tables.
pub fn benchmark_tables() -> Option<PathBuf> {
    or_missing(std::env::var_os("LOOKALIKE_DATA").map(PathBuf::from), "LOOKALIKE_DATA is not set")
}

/// A file of the benchmark tables. Where the folder is there, the file must be.
pub fn benchmark_table(name: &str) -> Option<PathBuf> {
    let path = benchmark_tables()?.join(name);
    assert!(path.is_file(), "{} is not there", path.display());
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_word_that_says_yes_makes_a_test_fail() {
        assert!(is_yes(OsStr::new("1")) && is_yes(OsStr::new("true")));
        assert!(!is_yes(OsStr::new("")) && !is_yes(OsStr::new("0")) && !is_yes(OsStr::new("false")));
    }
}
