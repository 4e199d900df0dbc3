//! Zero-concentrated differential privacy: rhos add, and convert to (epsilon, delta).
//!
//! # Privacy
//! A rho-zCDP mechanism is (epsilon, delta)-DP for every alpha > 1 with `delta = exp((alpha -
//! 1)(alpha rho - epsilon)) / (alpha - 1) * (1 - 1/alpha)^alpha` (Canonne, Kamath, Steinke 2020,
//! proposition 12). Every alpha gives a true statement, so the search for the best one needs no
//! proof; only the evaluation at the alpha found does, and its rounding is covered by `widened`.
//!
//! With `a = alpha - 1` the two forms used here are `ln delta = a((1 + a) rho - epsilon) - a ln(1 +
//! 1/a) - ln(1 + a)` and `epsilon = (1 + a) rho - ln(1 + 1/a) + (ln(1/delta) - ln(1 + a)) / a`.
//! Their derivatives in `a` change sign once, at the root of an increasing function, so bisection
//! finds the best alpha.

use super::directed::{UNIT, down, up};
use crate::{Budget, Delta, Epsilon, PrivacyError, Rho};

/// Orders from 1 + 1e-9 to 1 + 1e15 are tried.
const LN_ORDERS: (f64, f64) = (-21.0, 35.0);

/// The smallest epsilon that a total rho allows at `delta` (above 0), by the best order.
pub fn epsilon_of_rho(rho: Rho, delta: Delta) -> Result<f64, PrivacyError> {
    positive(delta)?;
    Ok(epsilon_at(rho.get(), delta.get()))
}

/// The smallest delta that a total rho allows at `epsilon`, by the best order.
pub fn delta_of_rho(rho: Rho, epsilon: Epsilon) -> f64 {
    let (rho, epsilon) = (rho.get(), epsilon.get());
    if rho == 0.0 {
        return 0.0;
    }
    let a = root(|a| (1.0 + 2.0 * a) * rho - epsilon - (1.0 / a).ln_1p());
    let terms = [a * (1.0 + a) * rho, -a * epsilon, -a * (1.0 / a).ln_1p(), -a.ln_1p()];
    up(widened(&terms).exp()).min(1.0)
}

/// The largest rho whose cost at the budget's delta is at most its epsilon. For filters and for
/// calibration.
///
/// Refused when delta is 0: rho says nothing about pure epsilon.
pub fn rho_of(budget: Budget) -> Result<Rho, PrivacyError> {
    positive(budget.delta)?;
    let (epsilon, delta) = (budget.epsilon.get(), budget.delta.get());
    // epsilon_at grows with rho without bound.
    let (mut low, mut high) = (0.0, epsilon);
    while epsilon_at(high, delta) <= epsilon {
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if epsilon_at(middle, delta) <= epsilon {
            low = middle;
        } else {
            high = middle;
        }
    }
    Rho::new(low)
}

/// The most rho that a run of this budget costs when it is counted in rho
/// ([`crate::Ledger::open_in_rho`]): known before its first look, whatever its plans will be.
///
/// # Privacy
/// With delta above 0 the largest rho that is (epsilon, delta), [`rho_of`]: the run's ledger keeps
/// to it. With delta = 0 epsilon^2/2: steps whose pure epsilons sum to at most epsilon cost the sum
/// of their e^2/2, which is at most that.
pub fn rho_reserve(budget: Budget) -> Result<Rho, PrivacyError> {
    if budget.is_pure() { Rho::new(pure_rho(budget.epsilon.get())) } else { rho_of(budget) }
}

/// The rho of pure epsilon, rounded up.
pub(crate) fn pure_rho(epsilon: f64) -> f64 {
    up(epsilon * epsilon / 2.0)
}

/// The epsilon at `delta > 0`, rounded up.
pub(crate) fn epsilon_at(rho: f64, delta: f64) -> f64 {
    if rho == 0.0 {
        return 0.0;
    }
    let log_inverse = -down(delta).ln();
    let a = root(|a| a * a * rho - (log_inverse - a.ln_1p()));
    let terms = [(1.0 + a) * rho, -(1.0 / a).ln_1p(), log_inverse / a, -a.ln_1p() / a];
    widened(&terms).max(0.0)
}

/// The sum of a few terms, each good to 8 roundings, never below the sum of the true terms.
fn widened(terms: &[f64]) -> f64 {
    let size: f64 = terms.iter().map(|term| term.abs()).sum();
    terms.iter().sum::<f64>() + 16.0 * UNIT * size
}

/// The order (less 1) where an increasing function changes sign, or the end of the range.
fn root(increasing: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = LN_ORDERS;
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if increasing(middle.exp()) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (0.5 * (low + high)).exp()
}

fn positive(delta: Delta) -> Result<(), PrivacyError> {
    if delta.get() > 0.0 {
        Ok(())
    } else {
        Err(PrivacyError::Plan { what: "rho converts to epsilon only at a delta above 0".into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found / expected - 1.0).abs() < 1e-6, "found {found}, expected {expected}");
    }

    #[test]
    fn reference_values() {
        let epsilon = |rho, delta| epsilon_of_rho(Rho::new(rho).unwrap(), Delta::new(delta).unwrap()).unwrap();
        close(epsilon(0.1, 1e-5), 1.914239);
        close(epsilon(0.5, 1e-5), 4.728387);
        close(epsilon(1.0, 1e-9), 9.521464);
        let rho = |epsilon, delta| {
            let budget = Budget { epsilon: Epsilon::new(epsilon).unwrap(), delta: Delta::new(delta).unwrap() };
            rho_of(budget).unwrap().get()
        };
        assert!((rho(1.0, 1e-5) / 0.030556595 - 1.0).abs() < 2e-8);
        assert!((rho(3.2, 1e-9) / 0.136082737 - 1.0).abs() < 2e-8);
    }

    /// The true figures, to 60 digits by another tool: what is found is above them, and hardly.
    #[test]
    fn conversions_err_upwards_only() {
        let above = |found: f64, truth: f64| found >= truth && found <= truth * (1.0 + 1e-12);
        for (rho, delta, truth) in [
            (0.1, 1e-5, 1.914238832003598),
            (0.5, 1e-5, 4.728386984943314),
            (1.0, 1e-9, 9.521463671792231),
            (1e-4, 1e-9, 0.07436279311413625),
            (0.0305, 1e-6, 1.1281267092388911),
            (40.0, 1e-12, 104.96858339475918),
        ] {
            let found = epsilon_of_rho(Rho::new(rho).unwrap(), Delta::new(delta).unwrap()).unwrap();
            assert!(above(found, truth), "epsilon of {rho} at {delta}: {found}, in truth {truth}");
        }
        for (rho, epsilon, truth) in [
            (0.1, 2.0, 4.325210869092561e-6),
            (0.5, 5.0, 2.896122809384795e-6),
            (1.0, 9.5, 1.0980681844514233e-9),
            (1e-4, 0.08, 1.0609885111652084e-10),
            (0.0305, 1.0, 9.831720806395385e-6),
            (40.0, 100.0, 5.098273392730534e-11),
        ] {
            let found = delta_of_rho(Rho::new(rho).unwrap(), Epsilon::new(epsilon).unwrap());
            assert!(above(found, truth), "delta of {rho} at {epsilon}: {found}, in truth {truth}");
        }
    }

    #[test]
    fn the_three_directions_agree() {
        for rho in [1e-9, 1e-4, 0.03, 1.0, 40.0] {
            for delta in [1e-3, 1e-9, 1e-15] {
                let (rho, delta) = (Rho::new(rho).unwrap(), Delta::new(delta).unwrap());
                // A rho this small costs no epsilon at all at a large delta.
                let Ok(epsilon) = Epsilon::new(epsilon_of_rho(rho, delta).unwrap()) else {
                    assert!(rho.get() < 1e-8 && delta.get() > 1e-8);
                    continue;
                };
                assert!((delta_of_rho(rho, epsilon) / delta.get() - 1.0).abs() < 1e-6);
                let back = rho_of(Budget { epsilon, delta }).unwrap().get();
                assert!((back / rho.get() - 1.0).abs() < 1e-6, "{back} {rho:?}");
            }
        }
    }

    #[test]
    fn no_order_gives_less() {
        let (rho, delta) = (0.07, 1e-7f64);
        let best = epsilon_at(rho, delta);
        for step in -80..200 {
            let a = (f64::from(step) * 0.1).exp();
            let other = (1.0 + a) * rho - (1.0 / a).ln_1p() + (-delta.ln() - a.ln_1p()) / a;
            assert!(best <= other * (1.0 + 1e-12), "order {a} gives {other}, below {best}");
        }
    }

    #[test]
    fn delta_zero_is_refused_and_rho_zero_is_free() {
        let pure = Budget { epsilon: Epsilon::new(1.0).unwrap(), delta: Delta::new(0.0).unwrap() };
        assert!(rho_of(pure).is_err());
        assert!(epsilon_of_rho(Rho::new(0.1).unwrap(), pure.delta).is_err());
        assert_eq!(epsilon_of_rho(Rho::new(0.0).unwrap(), Delta::new(1e-9).unwrap()).unwrap(), 0.0);
    }
}
