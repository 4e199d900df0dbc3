//! A ledger in a folder of its own.

mod crash;
mod files;
mod rules;
mod writers;

use std::path::{Path, PathBuf};

use lookalike_privacy::{Budget, Delta, Epsilon, Neighbours, Relation};

use crate::{LedgerError, LedgerFile, PrivacyFilter, Reservation, ReservationRequest, Terms};

pub(super) struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    pub(super) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The ledger `L.db`, made when it is not there.
    pub(super) fn ledger(&self) -> LedgerFile {
        LedgerFile::open_or_create(&self.path("L.db")).unwrap()
    }

    /// A ledger with the data set "people" under these terms.
    pub(super) fn with_people(terms: &Terms) -> (Self, LedgerFile) {
        let bench = Self::new();
        let mut ledger = bench.ledger();
        ledger.open_data_set("people", terms).unwrap();
        (bench, ledger)
    }
}

pub(super) fn budget(epsilon: f64, delta: f64) -> Budget {
    Budget { epsilon: Epsilon::new(epsilon).unwrap(), delta: Delta::new(delta).unwrap() }
}

pub(super) fn add_remove() -> Neighbours {
    Neighbours::new(Relation::AddRemove, 1).unwrap()
}

pub(super) fn terms(epsilon: f64, delta: f64, filter: PrivacyFilter) -> Terms {
    Terms::new(budget(epsilon, delta), filter, add_remove(), None).unwrap()
}

pub(super) fn request(dataset: &str, epsilon: f64, delta: f64) -> ReservationRequest<'_> {
    let (neighbours, unit) = (add_remove(), None);
    let budget = budget(epsilon, delta);
    ReservationRequest { dataset, budget, neighbours, unit, discovers: false, method: "auto", folder: "out" }
}

/// Reserves for rows that this byte stands for.
pub(super) fn reserve(
    ledger: &mut LedgerFile,
    request: &ReservationRequest<'_>,
    rows: u8,
) -> Result<Reservation, LedgerError> {
    ledger.reserve(request, &crate::RowDigests { records: [rows; 32], older: None })
}

pub(super) fn refusal(result: Result<impl Sized, LedgerError>) -> String {
    match result {
        Err(LedgerError::Refused { what }) => what,
        Err(other) => panic!("another error: {other}"),
        Ok(_) => panic!("not refused"),
    }
}

pub(super) fn mistake(result: Result<impl Sized, LedgerError>) -> String {
    match result {
        Err(error @ LedgerError::Usage { .. }) => {
            let text = error.to_string();
            assert_eq!(text.lines().count(), 1);
            text
        }
        Err(other) => panic!("another error: {other}"),
        Ok(_) => panic!("not refused"),
    }
}

/// What is reserved on each data set, and the number of runs: the state that matters.
pub(super) fn sums(path: &Path) -> Vec<(String, crate::Cost, usize)> {
    let sets = LedgerFile::open(path).unwrap().data_sets().unwrap();
    sets.iter().map(|set| (set.name().to_owned(), set.reserved(), set.drawn().len())).collect()
}
