//! Damage to a typed file, told in fixed words.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread would be a damaged file's fault, which is caught and told as
/// such: a face then need not say anything.
pub fn expects_damage() -> bool {
    GUARDED.get()
}

/// Runs code of the Parquet or the Arrow library on bytes of a file. It panics on some kinds of
/// damage: that is the file's fault, not ours. `None` when it failed in one way or the other: the
/// library's own words might quote the file.
pub(super) fn guarded<T, E>(read: impl FnOnce() -> Result<T, E>) -> Option<T> {
    let outer = GUARDED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(outer);
    done.ok()?.ok()
}
