//! Threshold queries: values that nobody listed, released where their noisy count is large.
//!
//! A threshold query adds discrete Gaussian noise to the count of every value that occurs, and
//! releases the values whose noisy count is at least T, with these counts. Which values occur
//! depends on the rows, so a value of one person's rows alone may be seen with some probability:
//! that is tau.
//!
//! # Privacy
//! Let D' be D with the rows of one person added, at most c of them, and let a_v of them have the
//! value v. Outputs are independent over values.
//! - A value of both tables is a Gaussian pair whose result is cut at T: post-processing of a
//!   Gaussian count shifted by a_v. The shifts of all such values sum to at most c, so together
//!   they are no worse than one count shifted by c (`accounting/exact/pair.rs`).
//! - A value of D' alone is released with probability P(noise >= T - a_v). By the union bound some
//!   such value is released with probability at most the sum of these. P(noise >= T - a) is convex
//!   in a up to T - 1 (the noise is unimodal around 0), so under the sum of a_v <= c it is largest
//!   at c values of one row each, or at one value of c rows: tau = max(c P(noise >= T - 1),
//!   P(noise >= T - c)). T must be above c.
//!
//! Under replace-one a record leaves one value and joins another. In each direction only the value
//! that one table has alone matters: tau = P(noise >= T - 1).
//!
//! Without the event of probability tau the query is a marginal with Gaussian noise. So it is
//! tau-approximate rho-zCDP (Bun, Steinke 2016, definition 8.1) with the rho of that marginal, and
//! these add up in both parts, adaptively too. Exact loss by enumeration is in the tests.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use crate::accounting::directed::{sub_down, up};
use crate::accounting::special::{ERFC_ERROR, erfc};
use crate::{Budget, CountSensitivity, Delta, PrivacyError, Rational};

/// The part of delta that a run with discovery keeps for threshold queries.
const TAU_SHARE: f64 = 0.25;

/// The budget of a run with discovery, taken apart: what is left of it for everything that is
/// summed up in rho, and the total of tau. Both are fixed before the first look. Nothing is set
/// apart at delta = 0, where no threshold query can be asked.
///
/// # Privacy
/// A run of threshold queries with taus that sum to at most tau, and of anything else, whose rhos
/// sum to at most the rho of (epsilon, delta - tau), is (epsilon, delta): approximate zCDP converts
/// as zCDP does, with tau added to delta.
pub fn with_tau(budget: Budget) -> Result<(Budget, f64), PrivacyError> {
    let tau = budget.delta.get() * TAU_SHARE;
    let delta = Delta::new(sub_down(budget.delta.get(), tau))?;
    Ok((Budget { delta, ..budget }, tau))
}

/// What a threshold query adds to delta, rounded up; 1 where T is too small to say anything.
pub(crate) fn tau(sigma_squared: Rational, threshold: u64, sensitivity: &CountSensitivity) -> f64 {
    let most = sensitivity.shifts().iter().copied().max().map_or(1, u64::from);
    if threshold <= most {
        return 1.0;
    }
    let tail = |rows: u64| tail(sigma_squared, threshold - rows);
    // Two shifts are those of replace-one: the row that joins a value is one.
    let tau = up(most as f64 * tail(1)).max(tail(most));
    tau.min(1.0)
}

/// The smallest threshold whose tau is at most `most`. With `most` at 0 there is none.
pub fn threshold_for(sigma_squared: Rational, sensitivity: &CountSensitivity, most: f64) -> Result<u64, PrivacyError> {
    let is_enough = |threshold: u64| tau(sigma_squared, threshold, sensitivity) <= most;
    // Beyond 40 sigmas a tail is no float any more.
    let far = sigma_squared.to_f64().sqrt() * 40.0 + sensitivity.l1() as f64 + 2.0;
    let (mut low, mut high) = (0, far.min(1e18) as u64);
    if !is_enough(high) {
        return Err(PrivacyError::Plan { what: format!("no threshold has a tau of {most:e}") });
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if is_enough(middle) { high = middle } else { low = middle }
    }
    Ok(high)
}

/// An upper bound of the chance that discrete Gaussian noise is at least `from`, which is 1 or
/// more.
///
/// The sum of f(y) = exp(-y^2 / 2 sigma^2) over y >= m is at most f(m) and the integral from m on,
/// since f falls. The sum over all integers is at least sigma sqrt(2 pi) (Poisson), and not below
/// one. The argument of erfc takes three roundings, which move the result by `2 x^2` parts each;
/// that of f moves it by as much.
fn tail(sigma_squared: Rational, from: u64) -> f64 {
    let sigma_squared = sigma_squared.to_f64();
    let (sigma, from) = (sigma_squared.sqrt(), from as f64);
    let x = from / sigma * FRAC_1_SQRT_2;
    let sum = (-x * x).exp() + sigma * (0.5 * PI).sqrt() * erfc(x);
    let all = (sigma * (2.0 * PI).sqrt()).max(1.0);
    let relative = ERFC_ERROR + f64::EPSILON * (16.0 + 16.0 * x * x);
    (sum / all * (1.0 + relative) + f64::MIN_POSITIVE).min(1.0)
}

#[cfg(test)]
mod tests;
