//! Accountants: pure epsilon, zero-concentrated, and discrete privacy-loss distributions.
//!
//! Every figure is an upper bound: rounding, truncation and discretization all err upwards.

pub mod analytic;
mod composition;
pub(crate) mod directed;
pub(crate) mod exact;
pub(crate) mod special;
mod sums;
pub mod zcdp;

use crate::{Delta, PrivacyError, Step};

pub use composition::Composition;
pub use sums::{pure_epsilon, total_rho, total_tau};

pub use zcdp::{delta_of_rho, epsilon_of_rho, rho_of, rho_reserve};

pub(crate) use zcdp::pure_rho;

/// An upper bound of the epsilon at `delta` of all steps together under one composition.
///
/// The steps are in the order in which they are run. `Pure` refuses Gaussian steps; `Zcdp` and
/// `Exact` need `delta` above 0; `Exact` refuses what it has no proof for, and is valid only for a
/// plan that was fixed before the first look.
///
/// # Privacy
/// Threshold queries are pairs of Gaussian counts but for an event of probability tau each
/// ([`threshold`](crate::threshold)). In rho: approximate zCDP, whose taus come off delta. Exactly:
/// with A the product of all 1 - tau and G the delta of all pairs, the delta at epsilon is at most
/// 1 - A + A G(epsilon + ln A), so the epsilon of G at delta less the sum of tau, with -ln A added,
/// is enough; -ln A is at most t / (1 - t) for the sum t.
pub fn epsilon(steps: &[Step], delta: Delta, composition: Composition) -> Result<f64, PrivacyError> {
    let tau = total_tau(steps);
    let delta = without(delta, tau)?;
    match composition {
        Composition::Pure => pure_epsilon(steps),
        Composition::Zcdp => zcdp::epsilon_of_rho(crate::Rho::new(total_rho(steps))?, delta),
        Composition::Exact => Ok(directed::add_up(exact_epsilon(steps, delta)?, directed::up(tau / (1.0 - tau)))),
    }
}

/// Delta less tau, rounded down.
fn without(delta: Delta, tau: f64) -> Result<Delta, PrivacyError> {
    if tau == 0.0 {
        return Ok(delta);
    }
    match directed::sub_down(delta.get(), tau) {
        left if left > 0.0 => Delta::new(left),
        _ => Err(PrivacyError::Plan { what: "the threshold queries have taken the whole delta".into() }),
    }
}

/// The exact accountant, for steps that it has a proof for. Summed rho where that is smaller, or
/// where the grids give up: each bound is true on its own.
fn exact_epsilon(steps: &[Step], delta: Delta) -> Result<f64, PrivacyError> {
    steps.iter().try_for_each(exact::check)?;
    let summed = zcdp::epsilon_of_rho(crate::Rho::new(total_rho(steps))?, delta)?;
    Ok(exact::epsilon(steps, delta.get(), exact::quality::Quality::FINE).map_or(summed, |found| found.min(summed)))
}

#[cfg(test)]
mod tests;
