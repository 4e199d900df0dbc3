//! Watching a run.

use crate::Observer;

/// An observer that looks away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Observer for Unwatched {
    fn phase(&self, _name: &str) {}
    fn round(&self, _done: u64, _planned: u64) {}
    fn budget(&self, _share: f64) {}
    fn reading(&self, _share: f64) {}
    fn note(&self, _text: &str) {}
}
