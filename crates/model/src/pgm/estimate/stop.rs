//! When a fit is done.

use super::options::Options;

/// The most steps over which a decrease of the loss is judged. Accelerated methods have slow
/// stretches; this outlasts them.
const WINDOW: usize = 20;

/// A loss above this many times what noise alone would leave is not where a fit should end: it is
/// stuck, not done.
const FAR: f64 = 1.2;
/// What is left of the tolerance there.
const FAR_TOLERANCE: f64 = 0.1;

/// The losses of the last steps.
pub(super) struct StoppingRule {
    recent: [f64; WINDOW],
    steps: usize,
    /// Half a unit for each measured cell: the loss that noise alone would leave.
    usual: f64,
}

impl StoppingRule {
    pub fn new(measured_cells: usize) -> Self {
        Self { recent: [f64::INFINITY; WINDOW], steps: 0, usual: 0.5 * measured_cells as f64 }
    }

    /// Takes the loss after a step. Whether to stop now.
    pub fn after(&mut self, loss: f64, options: &Options) -> bool {
        // Far above the noise it takes a longer and flatter stretch to give up.
        let is_far = loss > FAR * self.usual;
        let window = if is_far { WINDOW } else { options.window.clamp(1, WINDOW) };
        let tolerance = if is_far { FAR_TOLERANCE * options.tolerance } else { options.tolerance };
        let before = self.recent[(self.steps + WINDOW - window) % WINDOW];
        self.recent[self.steps % WINDOW] = loss;
        self.steps += 1;
        let slow = before - loss <= tolerance * loss.abs();
        slow || loss == 0.0 || options.enough.is_some_and(|enough| loss <= enough)
    }
}
