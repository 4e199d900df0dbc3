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
pub use sums::{pure_epsilon, total_rho};

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
    Ok(exact::epsilon(steps, delta.get(), exact::quality::Quality::FINE).map_or(summed, |found| found.min(summed)))
}

#[cfg(test)]
mod tests;
