//! The search for the total that a plan may spend.

/// A search for the total whose epsilon lies in a narrow band below the cap.
pub(super) struct BudgetSearch {
    /// What to try next, or what was accepted.
    pub total: f64,
    cap: f64,
    /// The largest total seen that fits, the smallest that does not, with their epsilons.
    fits: Option<(f64, f64)>,
    passes: Option<(f64, f64)>,
}

impl BudgetSearch {
    /// Where the search aims, and what it accepts, as parts of the cap.
    const AIM: f64 = 0.9998;
    const ACCEPTED: std::ops::RangeInclusive<f64> = 0.9995..=1.0;

    pub(super) fn new(total: f64, cap: f64) -> Self {
        Self { total, cap, fits: None, passes: None }
    }

    /// Forgets the bracket, when the grids change.
    pub(super) fn narrow(&mut self) {
        (self.fits, self.passes) = (None, None);
    }

    /// Takes the epsilon of the current total; true if it is accepted, else the total has moved.
    pub(super) fn next(&mut self, epsilon: f64) -> bool {
        if Self::ACCEPTED.contains(&(epsilon / self.cap)) {
            return true;
        }
        let seen = Some((self.total, epsilon));
        if epsilon <= self.cap {
            self.fits = seen
        } else {
            self.passes = seen
        }
        let aim = Self::AIM * self.cap;
        self.total = match (self.fits, self.passes) {
            // Between two sides: a secant in logarithms, kept off the ends.
            (Some((low, below)), Some((high, above))) if below > 0.0 => {
                let share = (aim / below).ln() / (above / below).ln();
                low * (high / low).powf(share.clamp(0.02, 0.98))
            }
            (Some((low, _)), Some((high, _))) => (low * high).sqrt(),
            // One side only: epsilon goes like the square root of rho, or faster.
            _ => self.total * (aim / epsilon.max(0.1 * aim)).powi(2).clamp(0.25, 4.0),
        };
        false
    }
}
