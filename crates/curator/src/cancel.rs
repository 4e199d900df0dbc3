//! A flag that says "stop": set by Ctrl-C, read between units of work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most steps of work that may lie between two looks at the flag. A step is a cell touched, a
/// row counted or a number drawn: some nanoseconds, so that a stop is answered within a fraction of
/// a second.
pub const MOST_STEPS: u64 = 1 << 26;

/// What a test sees of every look at the flag: the steps of the work that comes next. It says
/// whether to stop.
#[cfg(any(test, feature = "test-noise"))]
type Probe = Arc<dyn Fn(u64) -> bool + Send + Sync>;

/// A shared stop flag. Looking at it is one load of an atomic.
#[derive(Clone, Default)]
pub struct Cancel {
    flag: Arc<AtomicBool>,
    #[cfg(any(test, feature = "test-noise"))]
    probe: Option<Probe>,
}

impl Cancel {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks everything that holds a copy to stop.
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.before(0)
    }

    /// The same before a piece of work of `steps` steps: at most [`MOST_STEPS`]. Only tests look at
    /// the number.
    pub fn before(&self, steps: u64) -> bool {
        #[cfg(any(test, feature = "test-noise"))]
        if self.probe.as_ref().is_some_and(|probe| probe(steps)) {
            self.cancel();
        }
        let _ = steps;
        self.flag.load(Ordering::Relaxed)
    }

    /// Test builds only: a flag whose every look is shown to `probe`, which may set it.
    #[cfg(any(test, feature = "test-noise"))]
    pub fn watched(probe: impl Fn(u64) -> bool + Send + Sync + 'static) -> Self {
        Self { flag: Arc::default(), probe: Some(Arc::new(probe)) }
    }
}

impl std::fmt::Debug for Cancel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Cancel").field(&self.flag).finish()
    }
}
