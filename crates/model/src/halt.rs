//! What long work asks on its way: shall it stop?

use std::fmt;
use std::sync::Arc;

use crate::ModelError;

/// The most steps of a loop between two questions, where the loop itself is what takes long.
pub(crate) const PIECE: usize = 1 << 20;

/// A question that is asked before every piece of work. It costs about as much as a call through a
/// pointer.
///
/// Whoever asks says how many steps the piece has, each of some nanoseconds: a cell touched, a row
/// drawn. Pieces stay so small that an answer comes within a fraction of a second. Once the answer
/// was "stop" it stays so.
#[derive(Clone, Default)]
pub struct Halt(Option<Arc<dyn Fn(u64) -> bool + Send + Sync>>);

impl Halt {
    /// Work that nobody stops.
    pub fn never() -> Self {
        Self::default()
    }

    /// Work that stops when this says so. It is given the steps of the piece that comes next.
    pub fn when(asked: impl Fn(u64) -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(asked)))
    }

    /// Whether to stop before a piece of `steps` steps.
    pub fn asked(&self, steps: usize) -> bool {
        self.0.as_ref().is_some_and(|asked| asked(steps as u64))
    }

    /// The same as an error, to be handed up.
    pub fn check(&self, steps: usize) -> Result<(), ModelError> {
        if self.asked(steps) { Err(ModelError::Halted) } else { Ok(()) }
    }
}

impl fmt::Debug for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Halt(when asked)" } else { "Halt(never)" })
    }
}
