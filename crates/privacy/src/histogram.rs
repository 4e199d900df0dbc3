//! The cost of rows drawn from a smoothed histogram, and its inverses.
//!
//! # Privacy
//! Replace-one, n public. A row is drawn uniformly from m cells with probability d (the smoothing),
//! otherwise it is the cell of a row chosen at random from the n. One other row in the table
//! changes the chance of a cell by at most (1 - d)/n, and no chance is below d/m, so the ratio of
//! two chances is at most 1 + (1 - d) m / (n d). The k rows are independent given the table, so k
//! rows cost k ln(1 + (1 - d) m / (n d)), pure. (Wasserman and Zhou 2010, as in the Aalborg report,
//! theorem 3.1.1, for equal cells.) The curator's `histogram.rs` has the argument for cells that
//! the schema calls impossible.

use crate::accounting::directed::up;
use crate::{PrivacyError, Rational};

/// The denominator of a smoothing that was computed: fine enough for a smoothing next to 0 and next
/// to 1.
const PARTS: u64 = 1 << 60;

/// The public facts of a smoothed histogram that its cost depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SmoothedHistogram {
    /// m: the cells that rows are drawn from.
    pub cells: u64,
    /// n: the rows of the table, public under replace-one.
    pub rows: u64,
    /// k: the rows that are drawn.
    pub draws: u64,
}

impl SmoothedHistogram {
    /// The pure epsilon at this smoothing, rounded up. Infinite at a smoothing above 1, which does
    /// not exist.
    ///
    /// With x = (1 - d) m / (n d): 4 conversions and 4 operations give x, ln(1 + x) has no larger
    /// relative error than x has, and two roundings more follow; `up` twice covers 14.
    pub fn epsilon(self, smoothing: Rational) -> f64 {
        let (part, whole) = (smoothing.numerator(), smoothing.denominator());
        let Some(kept) = whole.checked_sub(part) else { return f64::INFINITY };
        // An empty table has no neighbour that replaces a row; any figure is true.
        let rows = self.rows.max(1) as f64;
        let x = (kept as f64 * self.cells as f64) / (part as f64 * rows);
        up(up(self.draws as f64 * x.ln_1p()))
    }

    /// The least smoothing whose cost is at most `epsilon`: m / (n (e^(epsilon/k) - 1) + m),
    /// rounded up.
    pub fn smoothing(self, epsilon: f64) -> Result<Rational, PrivacyError> {
        if !(epsilon.is_finite() && epsilon > 0.0) {
            return Err(PrivacyError::Unit { unit: "epsilon", rule: "a finite number above 0", given: epsilon });
        }
        if self.cells == 0 || self.draws == 0 {
            return Err(PrivacyError::Plan { what: "a smoothed histogram needs a cell and a row to draw".into() });
        }
        let odds = self.rows.max(1) as f64 * (epsilon / self.draws as f64).exp_m1() / self.cells as f64;
        // The smaller of d and 1 - d is put on the grid, so that neither loses its digits.
        let mut part = if odds > 1.0 {
            (PARTS as f64 / (1.0 + odds)).ceil() as u64
        } else {
            PARTS - (PARTS as f64 * (odds / (1.0 + odds))) as u64
        };
        let mut step = 1;
        while part < PARTS && (part == 0 || self.epsilon(Rational::new(part, PARTS)?) > epsilon) {
            part = part.saturating_add(step).min(PARTS);
            step *= 2;
        }
        Rational::new(part, PARTS)
    }

    /// The most rows that may be drawn at this smoothing for `epsilon`; `draws` is not looked at.
    pub fn most_draws(self, smoothing: Rational, epsilon: f64) -> u64 {
        let one = Self { draws: 1, ..self }.epsilon(smoothing);
        if one == 0.0 {
            return u64::MAX;
        }
        // One more than the rounded quotient, then down to what fits. Beyond 2^52 floats do not
        // tell rows apart.
        let mut draws = ((epsilon / one).max(0.0) as u64).saturating_add(1).min(1 << 52);
        while draws > 0 && (Self { draws, ..self }).epsilon(smoothing) > epsilon {
            draws -= 1;
        }
        draws
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: SmoothedHistogram = SmoothedHistogram { cells: 100, rows: 10_000, draws: 1_000 };

    #[test]
    fn the_values_of_the_report() {
        let root = 10f64.sqrt();
        for (alpha, delta) in [
            (0.1, 0.990099),
            (1.0 / root, 0.969342),
            (1.0, 0.909050),
            (root, 0.759458),
            (10.0, 0.498749),
            (100.0, 0.086827),
        ] {
            let smoothing = REPORT.smoothing(alpha).unwrap();
            assert!((smoothing.to_f64() - delta).abs() < 5e-7, "{alpha}: {}", smoothing.to_f64());
            let cost = REPORT.epsilon(smoothing);
            assert!(cost <= alpha && cost > alpha * (1.0 - 1e-9), "{cost} of {alpha}");
            assert_eq!(REPORT.most_draws(smoothing, alpha), 1_000);
            assert_eq!(REPORT.most_draws(smoothing, 0.5 * alpha), 500);
        }
    }

    #[test]
    fn the_inverse_never_passes_the_budget_and_hardly_leaves_any() {
        for cells in [1, 2, 1000, 1 << 24] {
            for rows in [0, 1, 5000, 1 << 40] {
                for draws in [1, 1000, 1 << 30] {
                    let facts = SmoothedHistogram { cells, rows, draws };
                    for epsilon in [1e-3, 0.5, 30.0] {
                        let smoothing = facts.smoothing(epsilon).unwrap();
                        let cost = facts.epsilon(smoothing);
                        assert!(cost <= epsilon, "{facts:?} {epsilon}: {cost}");
                        // Unless the smoothing is so near to 0 or 1 that 60 bits do not hold it.
                        let odds = rows.max(1) as f64 / cells as f64 * (epsilon / draws as f64);
                        if (1e-9..1e9).contains(&odds) && epsilon < 20.0 * draws as f64 {
                            assert!(cost >= epsilon * (1.0 - 1e-6), "{facts:?} {epsilon}: {cost}");
                        }
                        assert!(facts.most_draws(smoothing, epsilon) >= draws);
                    }
                }
            }
        }
    }

    #[test]
    fn the_ends() {
        let one = Rational::new(1, 1).unwrap();
        assert_eq!(REPORT.epsilon(one), 0.0, "nothing but noise");
        assert_eq!(REPORT.most_draws(one, 0.1), u64::MAX);
        assert_eq!(REPORT.epsilon(Rational::new(3, 2).unwrap()), f64::INFINITY);
        for epsilon in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(REPORT.smoothing(epsilon).is_err());
        }
        assert!(SmoothedHistogram { draws: 0, ..REPORT }.smoothing(1.0).is_err());
        assert!(SmoothedHistogram { cells: 0, ..REPORT }.smoothing(1.0).is_err());
    }
}
