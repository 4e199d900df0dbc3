//! Interpreters of Python that are there, and virtual environments of the tests.

use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The interpreters that are looked for, the newest first.
const PYTHONS: [&str; 5] = ["python3.13", "python3.12", "python3.11", "python3.10", "python3"];
/// The oldest Python that the package promises.
const OLDEST: (u32, u32) = (3, 10);

/// An interpreter with its version.
#[derive(Clone, Debug)]
pub struct Python {
    pub program: PathBuf,
    pub version: (u32, u32),
}

/// The interpreters that are new enough and can make environments, the newest first.
pub fn pythons() -> Vec<Python> {
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
    pub fn words(&self) -> String {
        format!("{}.{}", self.version.0, self.version.1)
    }
}

/// A virtual environment with what the tests use.
pub struct Environment {
    python: PathBuf,
}

impl Environment {
    /// The environment of that interpreter and lock file, made when it is not there.
    pub fn of(python: &Python, folder: &Path, tests: &Path, lock: &str) -> Result<Self> {
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
    pub fn wheel(&self, root: &Path, folder: &Path, of_tests: bool) -> Result<PathBuf> {
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

    pub fn install(&self, wheel: &Path) -> Result<()> {
        let words =
            ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--force-reinstall"];
        started(&self.python, Path::new("."), words.iter().map(OsStr::new).chain([wheel.as_os_str()]))
    }

    pub fn run(&self, tests: &Path, words: &[&str]) -> Result<()> {
        self.run_with(tests, words, &[])
    }

    /// The same with these variables of the environment.
    pub fn run_with(&self, tests: &Path, words: &[&str], variables: &[(&str, &str)]) -> Result<()> {
        ended(Command::new(&self.python).args(words).current_dir(tests).envs(variables.iter().copied()))
    }
}

fn started<W: AsRef<OsStr>>(program: &Path, folder: &Path, words: impl IntoIterator<Item = W>) -> Result<()> {
    ended(Command::new(program).args(words).current_dir(folder))
}

fn ended(command: &mut Command) -> Result<()> {
    // Nothing of the caller's own Python reaches the tests, and they write no files of their own.
    command.env_remove("PYTHONPATH").env("PYTHONDONTWRITEBYTECODE", "1");
    let told = format!("{command:?}");
    if !command.status().with_context(|| format!("cannot start {told}"))?.success() {
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
