//! What an adversary still gains: the delta of the steps that are left, as a function of the loss
//! so far.

/// An upper bound of the delta of some steps, as a function of epsilon on the whole line.
///
/// It is nonincreasing, at most 1, and convex as a function of exp(epsilon).
pub(super) trait Profile {
    /// The bound at `epsilon`.
    fn at(&self, epsilon: f64) -> f64;

    /// The logarithm of a bound of `exp(tilt s) at(s)` over all `s >= from`.
    fn ln_largest_tilted(&self, tilt: f64, from: f64) -> f64;

    /// From here on it is 0 or as good as 0.
    fn end(&self) -> f64;
}

/// Nothing is left: `max(0, 1 - exp(epsilon))`.
pub(super) struct Nothing;

impl Profile for Nothing {
    fn at(&self, epsilon: f64) -> f64 {
        (-epsilon.exp_m1()).max(0.0)
    }

    fn ln_largest_tilted(&self, tilt: f64, from: f64) -> f64 {
        if from >= 0.0 {
            return f64::NEG_INFINITY;
        }
        // exp(t s)(1 - exp(s)) rises up to s = ln(t / (1 + t)) and falls after it.
        let peak = (-(1.0 / tilt).ln_1p()).max(from);
        tilt * peak + (-peak.exp_m1()).ln() + 1e-9
    }

    fn end(&self) -> f64 {
        0.0
    }
}
