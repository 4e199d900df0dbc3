//! What a reader tells and asks, passed on.

use lookalike_table::ReadWatch;

use crate::{Cancel, Observer};

/// Passes a reader's progress on to the observer, and the observer's stop on to the reader.
pub(crate) struct Watch<'a> {
    pub observer: &'a dyn Observer,
    pub cancel: &'a Cancel,
}

impl ReadWatch for Watch<'_> {
    fn share_read(&self, share: f64) {
        self.observer.reading(share);
    }
    fn cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }
    fn server_said(&self, words: &str) {
        self.observer.server_said(words);
    }
}
