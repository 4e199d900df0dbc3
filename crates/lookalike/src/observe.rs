//! Watching a run.

use crate::Observer;

/// An observer that looks away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Observer for Unwatched {}
