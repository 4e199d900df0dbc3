//! Damage to an Arrow file or stream, told in fixed words.

use crate::error::{TableError, file_error};

pub(super) fn damaged(name: &str) -> TableError {
    file_error(
        name,
        "is damaged Arrow, or packed in a way that cannot be read here",
        "write it anew with lz4, zstd or no compression",
    )
}
