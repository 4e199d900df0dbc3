//! When a fit is done.

use std::sync::atomic::Ordering;

use super::Options;

/// The most steps over which a decrease of the loss is judged. Accelerated methods have slow stretches; this outlasts them.
const WINDOW: usize = 20;

/// The losses of the last steps.
pub(super) struct Stop {
    recent: [f64; WINDOW],
    steps: usize,
}

impl Stop {
    pub fn new() -> Self {
        Self { recent: [f64::INFINITY; WINDOW], steps: 0 }
    }

    /// Takes the loss after a step. Whether to stop now.
    pub fn after(&mut self, loss: f64, options: &Options) -> bool {
        let slot = self.steps % options.window.clamp(1, WINDOW);
        let before = std::mem::replace(&mut self.recent[slot], loss);
        self.steps += 1;
        let slow = before - loss <= options.tolerance * loss.abs();
        let halted = options.halt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        halted || slow || loss == 0.0 || options.enough.is_some_and(|enough| loss <= enough)
    }

    /// Whether it is time to look at the gap, which costs about a pass and a half.
    pub fn gap_is_due(&self, options: &Options) -> bool {
        options.gap.is_some() && self.steps.is_multiple_of(WINDOW)
    }
}
