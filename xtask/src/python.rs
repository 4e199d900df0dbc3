//! The Python package: its wheel is built in the profile of tests, installed into an environment of
//! its own, and tested there.
//!
//! Two wheels. The one of tests has the seeded noise, so that answers can be replayed; the other is
//! as it is shipped, and must not have it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::environment::{Environment, Python, pythons};

/// The newest Python that the Spark of the tests works with.
const NEWEST_OF_SPARK: (u32, u32) = (3, 13);
/// The oldest Java that it works with.
const OLDEST_JAVA: u32 = 17;
/// What the tests use, and what those on Spark use.
const LOCK: &str = "requirements-test.txt";
const LOCK_OF_SPARK: &str = "requirements-spark.txt";
const PYTEST: [&str; 4] = ["-m", "pytest", "-p", "no:cacheprovider"];
/// Tests on databases, which are skipped without this variable, and those on Spark.
const DATABASES: &str = "LOOKALIKE_SQL";
const ON_DATABASES: [&str; 1] = ["tests/test_sql.py"];
const ON_SPARK: [&str; 3] = ["-c", "spark_tests/pytest.ini", "spark_tests"];
/// Those on Spark that are short enough to be run at every change.
const SHORT: [&str; 2] = ["-m", "short"];
/// The most megabytes that a wheel may have.
const MOST_MEGABYTES: f64 = 20.0;

/// Tests of the package with the newest Python that is there; with `is_all` the oldest as well,
/// those on databases, the short ones on Spark, the wheel as it is shipped, and the notebooks.
pub fn check(root: &Path, is_all: bool) -> Result<String> {
    let found = pythons();
    let Some(newest) = found.first() else {
        return lacking("no Python of 3.10 or later with venv is installed");
    };
    let (folder, tests) = (folder_of(root), tests_of(root));
    let environment = Environment::of(newest, &folder, &tests, LOCK)?;
    let wheel = environment.wheel(root, &folder, true)?;
    environment.install(&wheel)?;
    environment.run(&tests, &["-m", "mypy", "--config-file", "pyproject.toml", "python/lookalike"])?;
    environment.run(&tests, &PYTEST)?;
    let mut told = vec![format!("Python {}: types and tests", newest.words())];
    if is_all {
        if let Some(oldest) = found.last().filter(|oldest| oldest.version < newest.version) {
            let older = Environment::of(oldest, &folder, &tests, LOCK)?;
            older.install(&wheel)?;
            older.run(&tests, &PYTEST)?;
            told.push(format!("Python {}: tests", oldest.words()));
        }
        // Both want the wheel with the noise of tests, which the shipped one takes the place of.
        let start = Instant::now();
        environment.run_with(&tests, &[&PYTEST[..], &ON_DATABASES].concat(), &[(DATABASES, "1")])?;
        told.push(format!("databases ({:.0} seconds)", start.elapsed().as_secs_f64()));
        let start = Instant::now();
        let on_spark = short_on_spark(&found, &folder, &tests, &wheel)?;
        told.push(format!("{on_spark} ({:.0} seconds)", start.elapsed().as_secs_f64()));
        let shipped = environment.wheel(root, &folder, false)?;
        let megabytes = std::fs::metadata(&shipped)?.len() as f64 / 1e6;
        if megabytes > MOST_MEGABYTES {
            bail!("the wheel has {megabytes:.1} MB, and {MOST_MEGABYTES} are promised");
        }
        environment.install(&shipped)?;
        environment.run(&tests, &[&PYTEST[..], &["tests/test_surface.py"]].concat())?;
        environment.run(&tests, &["tools/notebooks.py"])?;
        told.push(format!("the wheel as it is shipped ({megabytes:.1} MB) and the notebooks"));
    }
    Ok(told.join("; "))
}

/// All tests of rows that stay in their database, on four databases.
pub fn check_sql(root: &Path) -> Result<String> {
    let (found, folder, tests) = (pythons(), folder_of(root), tests_of(root));
    let Some(python) = found.first() else { bail!("no Python of 3.10 or later with venv is installed") };
    let environment = Environment::of(python, &folder, &tests, LOCK)?;
    let wheel = environment.wheel(root, &folder, true)?;
    environment.install(&wheel)?;
    environment.run_with(&tests, &[&PYTEST[..], &ON_DATABASES].concat(), &[(DATABASES, "1")])?;
    Ok(format!("Python {}: databases", python.words()))
}

/// All tests on Spark, which takes Java and minutes to kill executors in. The environment is its
/// own: it is large, and nothing else needs it.
pub fn check_on_spark(root: &Path) -> Result<String> {
    let (found, folder, tests) = (pythons(), folder_of(root), tests_of(root));
    let python = ready_for_spark(&found).or_else(|word| bail!(word))?;
    let wheel = Environment::of(python, &folder, &tests, LOCK)?.wheel(root, &folder, true)?;
    let environment = Environment::of(python, &folder, &tests, LOCK_OF_SPARK)?;
    environment.install(&wheel)?;
    environment.run(&tests, &[&PYTEST[..], &ON_SPARK].concat())?;
    Ok(format!("Python {}: Spark", python.words()))
}

/// The short ones of them, on a wheel that is there; skipped with a word where something lacks.
fn short_on_spark(found: &[Python], folder: &Path, tests: &Path, wheel: &Path) -> Result<String> {
    let python = match ready_for_spark(found) {
        Ok(python) => python,
        Err(word) => return lacking(&format!("Spark: {word}")),
    };
    let environment = match Environment::of(python, folder, tests, LOCK_OF_SPARK) {
        Ok(environment) => environment,
        Err(error) => return lacking(&format!("Spark: pyspark cannot be installed ({error:#})")),
    };
    environment.install(wheel)?;
    environment.run(tests, &[&PYTEST[..], &SHORT, &ON_SPARK].concat())?;
    Ok(format!("Python {}: Spark, in short", python.words()))
}

/// The newest Python that Spark knows, where Java is there, too; or a word on what is not.
fn ready_for_spark(found: &[Python]) -> Result<&Python, String> {
    let home = std::env::var_os("JAVA_HOME").map(|home| PathBuf::from(home).join("bin").join("java"));
    let run = Command::new(home.unwrap_or_else(|| "java".into())).arg("-version").output();
    // Java tells its version where others tell their errors.
    let told = run.map(|run| String::from_utf8_lossy(&run.stderr).into_owned());
    match told.ok().as_deref().and_then(version_of_java) {
        None => return Err(format!("Java is not installed, and {OLDEST_JAVA} or later is needed")),
        Some(version) if version < OLDEST_JAVA => {
            return Err(format!("Java {version} is installed, and {OLDEST_JAVA} or later is needed"));
        }
        Some(_) => {}
    }
    let known = found.iter().find(|python| python.version <= NEWEST_OF_SPARK);
    known.ok_or_else(|| "no Python that Spark knows is installed".to_owned())
}

/// The first number of `openjdk version "17.0.15" 2025-04-15`; 1 for old ones, such as `1.8.0`.
fn version_of_java(told: &str) -> Option<u32> {
    let quoted = told.split('"').nth(1)?;
    quoted.split(|sign: char| !sign.is_ascii_digit()).next()?.parse().ok()
}

/// What is lacking is told; where nothing may be lacking, it is an error.
fn lacking(what: &str) -> Result<String> {
    if std::env::var_os("LOOKALIKE_CI").is_some() {
        bail!("{what}");
    }
    Ok(format!("{what}, skipped"))
}

/// Where environments and wheels lie.
fn folder_of(root: &Path) -> PathBuf {
    root.join("target").join("python")
}

fn tests_of(root: &Path) -> PathBuf {
    root.join("faces").join("python")
}

#[cfg(test)]
mod tests {
    use super::version_of_java;

    #[test]
    fn the_version_of_java_is_read() {
        assert_eq!(version_of_java("openjdk version \"17.0.15\" 2025-04-15\nOpenJDK"), Some(17));
        assert_eq!(version_of_java("java version \"1.8.0_402\""), Some(1));
        assert_eq!(version_of_java("openjdk version \"24\" 2025-03-18"), Some(24));
        assert_eq!(version_of_java("The operation couldn't be completed."), None);
    }
}
