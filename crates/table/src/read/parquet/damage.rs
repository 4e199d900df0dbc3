//! Damage to a Parquet file, told in fixed words.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::TableError;
use crate::read::source::file_error;

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread would be a damaged file's fault, which is caught and told as
/// such: a face then need not say anything.
pub fn expects_damage() -> bool {
    GUARDED.get()
}

/// Runs code of the Parquet library on bytes of the file. It panics on some kinds of damage: that
/// is the file's fault, not ours.
pub(super) fn guarded<T>(name: &str, read: impl FnOnce() -> parquet::errors::Result<T>) -> Result<T, TableError> {
    let outer = GUARDED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(outer);
    match done {
        Ok(Ok(value)) => Ok(value),
        // The library's own words might quote the file.
        Ok(Err(_)) | Err(_) => Err(damaged(name)),
    }
}

pub(super) fn damaged(name: &str) -> TableError {
    file_error(
        name,
        "is damaged Parquet, or packed in a way that cannot be read here",
        "write it anew with zstd, snappy, gzip, lz4 or no compression",
    )
}
