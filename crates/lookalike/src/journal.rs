//! The journal of charges beside a release. Reruns append to it; it never blocks one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lookalike_privacy::ledger::JournalStore;
use lookalike_privacy::{Budget, Ledger, Neighbours};

use crate::{Error, output};

/// The journal beside the folder of a release: `DIR.journal.jsonl`.
pub fn journal_of(folder: &Path) -> PathBuf {
    output::beside(folder, "journal.jsonl")
}

/// Opens the account of a run in the journal, durably.
pub(crate) fn open(path: &Path, budget: Budget, neighbours: Neighbours) -> Result<Ledger, Error> {
    let store = JournalStore::open(path).map_err(|error| Error::writing(path, error))?;
    Ok(Ledger::open(Box::new(store), budget, neighbours)?)
}

/// How many runs of the journal charged something.
///
/// A damaged journal does not block a rerun: what can still be read of it is counted, line by line.
pub(crate) fn charged_runs(path: &Path) -> Result<u64, Error> {
    if let Ok(runs) = JournalStore::runs(path) {
        return Ok(runs.iter().filter(|run| run.is_charged()).count() as u64);
    }
    let bytes = std::fs::read(path).map_err(|error| Error::reading(path, error))?;
    let text = String::from_utf8_lossy(&bytes);
    let names: BTreeSet<&str> = text.lines().filter(|line| line.contains("\"charge\":")).filter_map(run_name).collect();
    Ok(names.len() as u64)
}

fn run_name(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("\"run\":\"")?;
    rest.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_journal_is_still_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.journal.jsonl");
        let text = "{\"v\":1,\"run\":\"a\",\"seq\":7,\"charge\":{}}\nrubbish\n{\"v\":1,\"run\":\"b\",\"seq\":2,\"open\":{}}\n\
                    {\"v\":1,\"run\":\"a\",\"seq\":8,\"charge\":{}}\n{\"v\":9,\"run\":\"c\",\"charge\":{}}\n";
        std::fs::write(&path, text).unwrap();
        assert_eq!(charged_runs(&path).unwrap(), 2);
    }

    #[test]
    fn it_lies_beside_the_folder() {
        assert_eq!(journal_of(Path::new("out/x")), Path::new("out/x.journal.jsonl"));
        assert_eq!(journal_of(Path::new("out/x.v2/")), Path::new("out/x.v2.journal.jsonl"));
    }
}
