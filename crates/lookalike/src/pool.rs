//! A thread pool of the job's own. Nothing here touches the process's global pool.

use crate::error::Error;

/// Runs the work on that many threads.
pub(crate) fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> Result<R, Error> + Send) -> Result<R, Error> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Error::fault(format!("threads could not be started: {error}")))?;
    pool.install(work)
}
