//! All audits: which there are, how they are run, and what they leave.

mod file;
mod list;
mod table;

#[cfg(test)]
mod tests;

pub use file::Results;
pub use list::{Audit, Settings, Size, list};
pub use table::{markdown, text};

use lookalike_curator::Cancel;
use lookalike_methods::Observer;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::AuditError;

/// What one audit found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// `white` or `black`.
    pub kind: String,
    /// The mechanism or the method.
    pub name: String,
    /// The relation, with the rows a person may have; for a method with the columns of its tiny
    /// table.
    pub neighbours: String,
    /// How it was broken on purpose; `None` for the product as it is.
    pub control: Option<String>,
    /// The epsilon that is claimed.
    pub claimed: f64,
    /// The delta that is claimed.
    pub delta: f64,
    /// Test runs on each of the two tables.
    pub runs: usize,
    /// Runs on each table that the event was picked on.
    pub picked_on: usize,
    /// The lower bound that was found.
    pub found: f64,
    /// The lower bound that uses nothing of the form of the noise.
    pub plain: f64,
    /// The largest bound that so many runs could have found.
    pub limit: f64,
    /// True positives and false positives of the test.
    pub hits: [u64; 2],
    /// The event: `after` or `before`, and its threshold.
    pub event: (String, i64),
    /// Which of several watched numbers it is about.
    pub feature: usize,
}

impl Row {
    /// Whether a bound lies above the claim: what a control must show, and the product must not.
    pub fn is_above(&self) -> bool {
        self.found > self.claimed || self.plain > self.claimed
    }

    /// What makes it the same audit as another.
    fn key(&self) -> Key<'_> {
        let control = self.control.as_deref().unwrap_or("");
        (&self.kind, &self.name, &self.neighbours, control, self.claimed.to_bits(), self.runs)
    }
}

/// Kind, name, neighbours, control, claim, runs.
type Key<'a> = (&'a str, &'a str, &'a str, &'a str, u64, usize);

/// More threads than any machine has cores.
const MOST_THREADS: usize = 1024;

/// [`run`] on a pool of so many threads; all cores when left out.
///
/// # Errors
/// Also for a number of threads that cannot be.
pub fn run_on(
    threads: Option<usize>,
    audits: &[Audit],
    results: &mut Results,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Result<Vec<Row>, AuditError> {
    let Some(threads) = threads else { return run(audits, results, observer, cancel) };
    let refused = |what: String| AuditError::Setting { what, help: format!("give 1 to {MOST_THREADS}") };
    if !(1..=MOST_THREADS).contains(&threads) {
        return Err(refused(format!("{threads} threads cannot be")));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| refused(format!("threads could not be started: {error}")))?;
    pool.install(|| run(audits, results, observer, cancel))
}

/// Runs the audits that `results` does not have yet, one after the other, each on all threads of
/// the pool that this is called in. Every finished one is kept before the next begins, so a stop
/// loses at most one.
pub fn run(
    audits: &[Audit],
    results: &mut Results,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Result<Vec<Row>, AuditError> {
    let mut rows = Vec::with_capacity(audits.len());
    for (place, audit) in audits.iter().enumerate() {
        if let Some(row) = results.find(audit) {
            rows.push(row.clone());
            continue;
        }
        observer.phase(&format!("{} of {}: {audit}", place + 1, audits.len()));
        let (done, planned) = (AtomicUsize::new(0), audit.all_runs());
        let tick = |runs: usize| {
            let before = done.fetch_add(runs, Ordering::Relaxed);
            // About a hundred steps an audit.
            if before * 100 / planned.max(1) != (before + runs) * 100 / planned.max(1) {
                observer.round((before + runs) as u64, planned as u64);
            }
        };
        let row = audit.run(cancel, &tick)?;
        results.keep(&row)?;
        rows.push(row);
    }
    Ok(rows)
}
