//! Numbers that are refused because nothing useful has them.

use crate::error::{Error, SettingError};

/// Memory for coded rows when none is named.
pub(crate) const DEFAULT_MEMORY: u64 = 2 << 30;
/// More rows than any table needs, and few enough that no sum of sizes overflows.
const MAX_ROWS: u64 = 1 << 40;
/// More threads than any machine that will run this.
const MAX_THREADS: usize = 4096;

pub(crate) fn check_rows(rows: u64) -> Result<u64, Error> {
    if rows > MAX_ROWS {
        return Err(SettingError::TooMany { setting: "rows", given: rows, most: MAX_ROWS }.into());
    }
    Ok(rows)
}

/// The threads that were asked for; all cores without a number.
pub(crate) fn check_threads(threads: Option<usize>) -> Result<usize, Error> {
    match threads {
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
        Some(0) => Err(SettingError::NoThreads.into()),
        Some(many) if many > MAX_THREADS => {
            Err(SettingError::TooMany { setting: "threads", given: many as u64, most: MAX_THREADS as u64 }.into())
        }
        Some(some) => Ok(some),
    }
}
