//! Under whose eyes a table is read.

/// What a reader tells while it works, and asks.
pub trait ReadWatch: Sync {
    /// The share of the file read so far, when its size is known. Never a count of rows.
    fn share_read(&self, share: f64);
    /// Whether to stop.
    fn cancelled(&self) -> bool;
    /// What a server said when it failed. For the steward's own terminal only: it may quote
    /// anything.
    fn server_said(&self, _words: &str) {}
}

/// Nobody watches.
pub(super) struct Unwatched;

impl ReadWatch for Unwatched {
    fn share_read(&self, _share: f64) {}
    fn cancelled(&self) -> bool {
        false
    }
}
