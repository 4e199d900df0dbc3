//! The Python package: its wheel is built in the profile of tests, installed into an environment of
//! its own, and tested there.
//!
//! Two wheels. The one of tests has the seeded noise, so that answers can be replayed; the other is
//! as it is shipped, and must not have it.

use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The interpreters that are looked for, the newest first.
const PYTHONS: [&str; 5] = ["python3.13", "python3.12", "python3.11", "python3.10", "python3"];
/// The oldest Python that the package promises.
const OLDEST: (u32, u32) = (3, 10);
/// The newest Python that the Spark of the tests works with.
const NEWEST_OF_SPARK: (u32, u32) = (3, 13);
/// What the tests use, and what those on Spark use.
const LOCK: &str = "requirements-test.txt";
const LOCK_OF_SPARK: &str = "requirements-spark.txt";
/// Runs the tests on databases, which are skipped without this word in the environment.
const SQL_TESTS: &str = "import os, sys, pytest; os.environ['LOOKALIKE_SQL'] = '1'; \
                         sys.exit(pytest.main(['-p', 'no:cacheprovider', 'tests/test_sql.py']))";
/// The most megabytes that a wheel may have.
const MOST_MEGABYTES: f64 = 20.0;

/// An interpreter with its version.
#[derive(Clone, Debug)]
struct Python {
    program: PathBuf,
    version: (u32, u32),
}

/// Tests of the package with the newest Python that is there; with `is_all` the oldest as well, the
/// wheel as it is shipped, and the notebooks.
pub fn check(root: &Path, is_all: bool) -> Result<String> {
    let found = pythons();
    let Some(newest) = found.first() else {
        let word = "no Python of 3.10 or later with venv is installed";
        if std::env::var_os("LOOKALIKE_CI").is_some() {
            bail!("{word}");
        }
        return Ok(format!("{word}, skipped"));
    };
    let folder = root.join("target").join("python");
    let tests = root.join("faces").join("python");
    let environment = Environment::of(newest, &folder, &tests, LOCK)?;
    let wheel = environment.wheel(root, &folder, true)?;
    environment.install(&wheel)?;
    environment.run(&tests, &["-m", "mypy", "--config-file", "pyproject.toml", "python/lookalike"])?;
    environment.run(&tests, &["-m", "pytest", "-p", "no:cacheprovider"])?;
    let mut told = vec![format!("Python {}: types and tests", newest.words())];
    if is_all {
        if let Some(oldest) = found.last().filter(|oldest| oldest.version < newest.version) {
            let older = Environment::of(oldest, &folder, &tests, LOCK)?;
            older.install(&wheel)?;
            older.run(&tests, &["-m", "pytest", "-p", "no:cacheprovider"])?;
            told.push(format!("Python {}: tests", oldest.words()));
        }
        let shipped = environment.wheel(root, &folder, false)?;
        let megabytes = std::fs::metadata(&shipped)?.len() as f64 / 1e6;
        if megabytes > MOST_MEGABYTES {
            bail!("the wheel has {megabytes:.1} MB, and {MOST_MEGABYTES} are promised");
        }
        environment.install(&shipped)?;
        environment.run(&tests, &["-m", "pytest", "-p", "no:cacheprovider", "tests/test_surface.py"])?;
        environment.run(&tests, &["tools/notebooks.py"])?;
        told.push(format!("the wheel as it is shipped ({megabytes:.1} MB) and the notebooks"));
    }
    Ok(told.join("; "))
}

/// Tests of rows that stay in their database, on four databases.
pub fn check_sql(root: &Path) -> Result<String> {
    let (found, folder) = (pythons(), root.join("target").join("python"));
    let tests = root.join("faces").join("python");
    let Some(python) = found.first() else { bail!("no Python of 3.10 or later with venv is installed") };
    let environment = Environment::of(python, &folder, &tests, LOCK)?;
    let wheel = environment.wheel(root, &folder, true)?;
    environment.install(&wheel)?;
    environment.run(&tests, &["-c", SQL_TESTS])?;
    Ok(format!("Python {}: databases", python.words()))
}

/// Tests on Spark, which takes Java and minutes to kill executors in. The environment is its own:
/// it is large, and only here it is needed.
pub fn check_on_spark(root: &Path) -> Result<String> {
    let (found, folder) = (pythons(), root.join("target").join("python"));
    let tests = root.join("faces").join("python");
    let is_known = |python: &&Python| python.version <= NEWEST_OF_SPARK;
    let Some(python) = found.iter().find(is_known) else { bail!("no Python that Spark knows is installed") };
    let wheel = Environment::of(python, &folder, &tests, LOCK)?.wheel(root, &folder, true)?;
    let environment = Environment::of(python, &folder, &tests, LOCK_OF_SPARK)?;
    environment.install(&wheel)?;
    environment
        .run(&tests, &["-m", "pytest", "-p", "no:cacheprovider", "-c", "spark_tests/pytest.ini", "spark_tests"])?;
    Ok(format!("Python {}: Spark", python.words()))
}

/// The interpreters that are new enough and can make environments, the newest first.
fn pythons() -> Vec<Python> {
    let mut found: Vec<Python> = Vec::new();
    for name in PYTHONS.iter().map(PathBuf::from).chain(of_pyenv()) {
        let code = "import sys, venv, ensurepip; print(sys.executable, *sys.version_info[:2], sep='\\n')";
        let Ok(run) = Command::new(&name).args(["-c", code]).output() else { continue };
        let text = String::from_utf8_lossy(&run.stdout).into_owned();
        let Some(python) = parsed(&text).filter(|_| run.status.success()) else { continue };
        if python.version >= OLDEST && !found.iter().any(|known| known.version == python.version) {
            found.push(python);
        }
    }
    found.sort_by_key(|python| std::cmp::Reverse(python.version));
    found
}

/// Interpreters that pyenv keeps beside the one that it shows.
fn of_pyenv() -> Vec<PathBuf> {
    let home = std::env::var_os("PYENV_ROOT").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".pyenv")));
    let versions = home.and_then(|home| std::fs::read_dir(home.join("versions")).ok());
    versions.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path().join("bin").join("python3"))).collect()
}

fn parsed(text: &str) -> Option<Python> {
    let mut lines = text.lines();
    let program = PathBuf::from(lines.next()?);
    let mut number = || lines.next()?.trim().parse().ok();
    Some(Python { program, version: (number()?, number()?) })
}

impl Python {
    fn words(&self) -> String {
        format!("{}.{}", self.version.0, self.version.1)
    }
}

/// A virtual environment with what the tests use.
struct Environment {
    python: PathBuf,
}

impl Environment {
    /// The environment of that interpreter and lock file, made when it is not there.
    fn of(python: &Python, folder: &Path, tests: &Path, lock: &str) -> Result<Self> {
        let lock = tests.join(lock);
        let mut hash = DefaultHasher::new();
        std::fs::read(&lock).with_context(|| format!("cannot read {}", lock.display()))?.hash(&mut hash);
        python.program.hash(&mut hash);
        let place = folder.join(format!("{}-{:016x}", python.words(), hash.finish()));
        let inside = place.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
        let environment = Self { python: inside };
        // Made in one go or not at all: the mark is its last file.
        let mark = place.join("complete");
        if !mark.is_file() {
            if place.exists() {
                std::fs::remove_dir_all(&place)?;
            }
            started(&python.program, tests, [OsStr::new("-m"), OsStr::new("venv"), place.as_os_str()])?;
            let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"];
            started(&environment.python, tests, install.iter().map(OsStr::new).chain([lock.as_os_str()]))?;
            std::fs::write(&mark, "")?;
        }
        Ok(environment)
    }

    /// Builds the wheel, of tests or as it is shipped, in the profile and the folder of tests.
    fn wheel(&self, root: &Path, folder: &Path, of_tests: bool) -> Result<PathBuf> {
        let out = folder.join(if of_tests { "wheel-of-tests" } else { "wheel" });
        if out.exists() {
            std::fs::remove_dir_all(&out)?;
        }
        let mut command = Command::new(&self.python);
        command.args([
            "-m",
            "maturin",
            "build",
            "--quiet",
            "--profile",
            "dev",
            "-m",
            "faces/python/Cargo.toml",
            "--out",
        ]);
        command.arg(&out).current_dir(root).env("CARGO_TARGET_DIR", root.join("target"));
        if of_tests {
            command.args(["--features", "test-noise"]);
        }
        if !command.status().context("cannot start maturin")?.success() {
            bail!("the wheel cannot be built");
        }
        let mut made = std::fs::read_dir(&out)?.filter_map(|entry| Some(entry.ok()?.path()));
        made.find(|path| path.extension().is_some_and(|end| end == "whl")).context("maturin made no wheel")
    }

    fn install(&self, wheel: &Path) -> Result<()> {
        let words =
            ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--force-reinstall"];
        started(&self.python, Path::new("."), words.iter().map(OsStr::new).chain([wheel.as_os_str()]))
    }

    fn run(&self, tests: &Path, words: &[&str]) -> Result<()> {
        started(&self.python, tests, words)
    }
}

fn started<W: AsRef<OsStr>>(program: &Path, folder: &Path, words: impl IntoIterator<Item = W>) -> Result<()> {
    let mut command = Command::new(program);
    // Nothing of the caller's own Python reaches the tests, and they write no files of their own.
    command.args(words).current_dir(folder).env_remove("PYTHONPATH").env("PYTHONDONTWRITEBYTECODE", "1");
    let told = format!("{command:?}");
    if !command.status().with_context(|| format!("cannot start {}", program.display()))?.success() {
        bail!("failed: {told}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::parsed;

    #[test]
    fn the_version_of_an_interpreter_is_read() {
        let python = parsed("/usr/bin/python3\n3\n13\n").unwrap();
        assert_eq!((python.version, python.words().as_str()), ((3, 13), "3.13"));
        assert!(parsed("").is_none());
        assert!(parsed("python\nthree\n").is_none());
    }
}
