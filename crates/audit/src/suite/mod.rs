//! All audits: which there are, how they are run, and what they leave.

mod file;
mod list;
mod result;
mod summary;

#[cfg(test)]
mod tests;

pub use file::ResultsFile;
pub use list::{Audit, AuditSettings, AuditSize, list};
pub use result::{AuditId, AuditResult};
pub use summary::{markdown, text};

use lookalike_curator::Cancel;
use lookalike_methods::Observer;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::AuditError;

/// More threads than any machine has cores.
const MOST_THREADS: usize = 1024;

/// [`run`] on a pool of `threads` threads; on all cores when left out.
///
/// # Errors
/// Also for a number of threads that cannot be.
pub fn run_on(
    threads: Option<usize>,
    audits: &[Audit],
    results: &mut ResultsFile,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Result<Vec<AuditResult>, AuditError> {
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
    results: &mut ResultsFile,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Result<Vec<AuditResult>, AuditError> {
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
