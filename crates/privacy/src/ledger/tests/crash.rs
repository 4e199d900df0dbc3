//! Killed at any moment: the journal never says less than what was answered.
//!
//! The child is this test binary again, told by the environment to charge and answer until it dies.
//! It answers on its standard output, after each charge. What the parent reads there must be in the
//! journal.

use std::fs::OpenOptions;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::{budget, charge, laplace, neighbours};
use crate::ledger::*;

const JOURNAL: &str = "LOOKALIKE_CRASH_JOURNAL";
const CRASH: &str = "LOOKALIKE_CRASH";

/// Dies at one of its writes: before it, in the middle of it, or after it but before the answer.
struct DyingStore {
    path: PathBuf,
    inner: JournalStore,
    left: usize,
    how: String,
}

impl LedgerStore for DyingStore {
    fn append(&mut self, record: &str) -> io::Result<()> {
        if self.left > 0 {
            self.left -= 1;
            return self.inner.append(record);
        }
        match self.how.as_str() {
            "torn" => {
                let part = &record.as_bytes()[..record.len() * 2 / 3];
                OpenOptions::new().append(true).open(&self.path)?.write_all(part)?;
            }
            "after" => self.inner.append(record)?,
            _ => {}
        }
        std::process::abort();
    }
}

/// Does nothing unless it is run as a child.
#[test]
fn child() {
    let Some(path) = std::env::var_os(JOURNAL).map(PathBuf::from) else { return };
    let inner = JournalStore::open(&path).unwrap();
    let store: Box<dyn LedgerStore> = match std::env::var(CRASH).ok() {
        Some(crash) => {
            let (how, left) = crash.split_once(' ').unwrap();
            Box::new(DyingStore { path, inner, left: left.parse().unwrap(), how: how.to_owned() })
        }
        None => Box::new(inner),
    };
    let mut ledger = Ledger::open(store, budget(1.0, 0.0), neighbours()).unwrap();
    ledger.commit_filter(ledger.budget()).unwrap();
    for answer in 0..100_000 {
        ledger.charge_batch(&[charge("marginal of age", &laplace(1_000_000))]).unwrap();
        // Straight to the pipe: the test harness holds back what is printed.
        writeln!(io::stdout(), "answer {answer}").unwrap();
        io::stdout().flush().unwrap();
    }
}

fn start(path: &Path, crash: Option<&str>) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["ledger::tests::crash::child", "--exact", "--test-threads=1", "--nocapture"]);
    command.env(JOURNAL, path).env_remove(CRASH).stdout(Stdio::piped()).stderr(Stdio::null());
    if let Some(crash) = crash {
        command.env(CRASH, crash);
    }
    command.spawn().unwrap()
}

/// Reads answers; after `stop` of them kills the child, and then reads what it had still said.
fn answers(mut child: Child, stop: Option<usize>) -> usize {
    let mut count = 0;
    for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok) {
        count += usize::from(line.contains("answer "));
        if Some(count) == stop {
            child.kill().unwrap();
        }
    }
    child.wait().unwrap();
    count
}

/// The answers are all in the journal's last run, and at most one charge was not answered.
fn agrees(path: &Path, answers: usize, context: &str) {
    let charged = JournalStore::runs(path).unwrap().last().map_or(0, |run| run.batches().len());
    assert!(charged >= answers, "{context}: {charged} charges, {answers} answers");
    assert!(charged <= answers + 1, "{context}: {charged} charges, {answers} answers");
}

#[test]
fn killed_at_every_write() {
    let folder = tempfile::tempdir().unwrap();
    for how in ["before", "torn", "after"] {
        for write in 0..6 {
            let path = folder.path().join(format!("{how}-{write}"));
            let answers = answers(start(&path, Some(&format!("{how} {write}"))), None);
            assert_eq!(answers, write.max(2) - 2, "{how} {write}");
            agrees(&path, answers, how);
        }
    }
}

#[test]
fn killed_at_random_moments() {
    let folder = tempfile::tempdir().unwrap();
    // One journal for all: each run also appends behind what the one before left.
    let path = folder.path().join("journal");
    for round in 0..40 {
        let answers = answers(start(&path, None), Some(1 + round * 7 % 11));
        agrees(&path, answers, "killed");
    }
    assert_eq!(JournalStore::runs(&path).unwrap().len(), 40);
}
