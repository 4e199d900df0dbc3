//! From a calibrated plan to the noise of its queries.

use lookalike_curator::{CuratorError, Noise};
use lookalike_privacy::{CalibratedPlan, PrivacyError, Step};

use crate::MethodError;

/// The noise of each step of the calibrated plan, in its order.
///
/// # Errors
/// A selection among the steps: it has no noise. Plans with selections read their steps themselves.
pub fn noises_of(plan: &CalibratedPlan) -> Result<Vec<Noise>, MethodError> {
    plan.steps().iter().map(|planned| noise_of(&planned.step)).collect()
}

/// The noise of one step; an error for a selection, which has none.
pub fn noise_of(step: &Step) -> Result<Noise, MethodError> {
    match step {
        Step::Gaussian { sigma_squared, .. } => Ok(Noise::Gaussian(*sigma_squared)),
        Step::Laplace { scale, .. } => Ok(Noise::Laplace(*scale)),
        Step::Exponential { .. } | Step::Histogram { .. } => Err(broken_plan()),
    }
}

/// Cannot happen with a plan that calibration made; an error rather than a panic in case it ever
/// does.
pub fn broken_plan() -> MethodError {
    let what = "the calibrated plan does not have the steps that were asked for".into();
    CuratorError::from(PrivacyError::Plan { what }).into()
}
