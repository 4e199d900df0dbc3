//! The journal of charges beside a release. Reruns append to it; it never blocks one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lookalike_privacy::ledger::JournalStore;

use crate::error::Error;
use crate::output;

/// The journal beside the folder of a release: `DIR.journal.jsonl`.
pub fn journal_of(folder: &Path) -> PathBuf {
    output::beside(folder, "journal.jsonl")
}

/// How many runs of the journal at this path charged something.
///
/// A damaged journal does not block a rerun: what can still be read of it is counted, line by line.
pub fn charged_runs(path: &Path) -> Result<u64, Error> {
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
    use lookalike_privacy::{Budget, ChargedQuery, Ledger, Neighbours, Rational, Relation, Step};

    use super::*;

    /// A run with that many charges.
    fn charge(path: &Path, times: u32) {
        let (budget, neighbours) = (Budget::new(1.0, 0.0).unwrap(), Neighbours::new(Relation::AddRemove, 1).unwrap());
        let mut ledger = Ledger::open(Box::new(JournalStore::open(path).unwrap()), budget, neighbours).unwrap();
        ledger.commit_filter(budget).unwrap();
        for _ in 0..times {
            let step = Step::Exponential { epsilon: Rational::new(1, 100).unwrap() };
            ledger.charge_batch(&[ChargedQuery { label: "choice".into(), step }]).unwrap();
        }
    }

    #[test]
    fn charged_runs_are_counted_and_a_damaged_journal_still_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.journal.jsonl");
        for times in [3, 0, 1] {
            charge(&path, times);
        }
        assert_eq!(charged_runs(&path).unwrap(), 2);
        let text = std::fs::read_to_string(&path).unwrap();
        // The first run's first charge is lost: the records no longer follow each other.
        let damaged: Vec<&str> =
            text.lines().enumerate().filter(|(place, _)| *place != 2).map(|(_, line)| line).collect();
        std::fs::write(&path, damaged.join("\n")).unwrap();
        assert!(JournalStore::runs(&path).is_err(), "this is the damaged case");
        assert_eq!(charged_runs(&path).unwrap(), 2);
        charge(&path, 1);
        assert_eq!(charged_runs(&path).unwrap(), 3, "a rerun is not blocked");
    }

    #[test]
    fn it_lies_beside_the_folder() {
        assert_eq!(journal_of(Path::new("out/x")), Path::new("out/x.journal.jsonl"));
        assert_eq!(journal_of(Path::new("out/x.v2/")), Path::new("out/x.v2.journal.jsonl"));
    }
}
