//! Two at once.

use std::sync::Barrier;

use super::{Bench, request, terms};
use crate::{LedgerError, LedgerFile, PrivacyFilter};

const ROUNDS: usize = 1000;

/// In every round both want what is enough for one: one gets it.
#[test]
fn of_two_that_fit_one_by_one_one_is_refused() {
    let bench = Bench::new();
    let mut ledger = bench.ledger();
    let names: Vec<String> = (0..ROUNDS).map(|round| format!("round {round}")).collect();
    for name in &names {
        ledger.open_data_set(name, &terms(1.0, 0.0, PrivacyFilter::EpsilonDelta)).unwrap();
    }
    drop(ledger);
    let barrier = Barrier::new(2);
    let writer = |rows: u8| {
        let mut ledger = LedgerFile::open(&bench.path("L.db")).unwrap();
        let mut taken = Vec::new();
        for (round, name) in names.iter().enumerate() {
            barrier.wait();
            // Rows of their own: the name alone must keep the two apart.
            let mut digest = [rows; 32];
            digest[..8].copy_from_slice(&(round as u64).to_le_bytes());
            let digests = crate::RowDigests { records: digest, older: None };
            match ledger.reserve(&request(name, 0.6, 0.0), &digests) {
                Ok(_) => taken.push(round),
                Err(LedgerError::Refused { .. }) => {}
                Err(other) => panic!("{other}"),
            }
        }
        taken
    };
    let (one, two) = std::thread::scope(|scope| {
        let one = scope.spawn(|| writer(1));
        let two = scope.spawn(|| writer(2));
        (one.join().unwrap(), two.join().unwrap())
    });
    let mut all = [one, two].concat();
    all.sort_unstable();
    assert!(all.iter().copied().eq(0..ROUNDS), "every round has one winner: {} of {ROUNDS}", all.len());
    let sets = bench.ledger().data_sets().unwrap();
    assert!(sets.iter().all(|set| set.drawn().len() == 1 && set.left().to_string() == "epsilon 0.4 and delta 0"));
}

/// Many who make the same ledger at once end up with one key and one file.
#[test]
fn all_who_make_the_same_ledger_get_one() {
    let bench = Bench::new();
    let barrier = Barrier::new(4);
    std::thread::scope(|scope| {
        for number in 0..4 {
            let (bench, barrier) = (&bench, &barrier);
            scope.spawn(move || {
                barrier.wait();
                let name = format!("set {number}");
                bench.ledger().open_data_set(&name, &terms(1.0, 0.0, PrivacyFilter::EpsilonDelta)).unwrap();
            });
        }
    });
    assert_eq!(bench.ledger().data_sets().unwrap().len(), 4);
    let names: Vec<_> = std::fs::read_dir(bench.path(".")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}
