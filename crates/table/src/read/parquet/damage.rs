//! Damage to a Parquet file, told in fixed words.

use crate::error::{TableError, file_error};
use crate::read::damage;

/// Runs code of the Parquet library on bytes of the file.
pub(super) fn guarded<T>(name: &str, read: impl FnOnce() -> parquet::errors::Result<T>) -> Result<T, TableError> {
    damage::guarded(read).ok_or_else(|| damaged(name))
}

pub(super) fn damaged(name: &str) -> TableError {
    file_error(
        name,
        "is damaged Parquet, or packed in a way that cannot be read here",
        "write it anew with zstd, snappy, gzip, lz4 or no compression",
    )
}
