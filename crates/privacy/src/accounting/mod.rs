//! Accountants: pure epsilon, zero-concentrated, and discrete privacy-loss distributions.
//!
//! Every figure is an upper bound: rounding, truncation and discretization all err upwards.

pub mod analytic;
pub(crate) mod directed;
pub(crate) mod exact;
pub(crate) mod special;
pub mod zcdp;

use crate::{Composition, Delta, PrivacyError, Step};

pub use zcdp::{delta_of_rho, epsilon_of_rho, rho_of, rho_reserve};

pub(crate) use zcdp::pure_rho;

/// An upper bound of the epsilon at `delta` of all steps together under one composition.
///
/// The steps are in the order in which they are run. `Pure` refuses Gaussian steps; `Zcdp` and
/// `Exact` need `delta` above 0; `Exact` refuses what it has no proof for, and is valid only for a
/// plan that was fixed before the first look.
pub fn epsilon(steps: &[Step], delta: Delta, composition: Composition) -> Result<f64, PrivacyError> {
    match composition {
        Composition::Pure => pure_epsilon(steps),
        Composition::Zcdp => zcdp::epsilon_of_rho(crate::Rho::new(total_rho(steps))?, delta),
        Composition::Exact => exact_epsilon(steps, delta),
    }
}

/// The exact accountant, for steps that it has a proof for. Summed rho where that is smaller, or
/// where the grids give up: each bound is true on its own.
fn exact_epsilon(steps: &[Step], delta: Delta) -> Result<f64, PrivacyError> {
    steps.iter().try_for_each(exact::check)?;
    let summed = zcdp::epsilon_of_rho(crate::Rho::new(total_rho(steps))?, delta)?;
    Ok(exact::epsilon(steps, delta.get(), exact::Quality::FINE).map_or(summed, |found| found.min(summed)))
}

/// The sum of the steps' pure epsilons, rounded up. Refuses Gaussian steps.
pub fn pure_epsilon<'a>(steps: impl IntoIterator<Item = &'a Step>) -> Result<f64, PrivacyError> {
    let mut sum = 0.0;
    for step in steps {
        let epsilon = step.pure_epsilon().ok_or_else(|| PrivacyError::Plan {
            what: "Gaussian noise has no pure epsilon: it needs a delta above 0".into(),
        })?;
        sum = directed::add_up(sum, epsilon);
    }
    Ok(sum)
}

/// The sum of the steps' rhos, rounded up.
pub fn total_rho<'a>(steps: impl IntoIterator<Item = &'a Step>) -> f64 {
    directed::sum_up(steps.into_iter().map(Step::rho))
}

#[cfg(test)]
mod tests;
