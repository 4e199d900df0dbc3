//! Plain sums over steps.

use super::directed;
use crate::{PrivacyError, Step};

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

/// What the steps add to delta beside their rhos, rounded up.
pub fn total_tau<'a>(steps: impl IntoIterator<Item = &'a Step>) -> f64 {
    directed::sum_up(steps.into_iter().map(Step::tau))
}

/// The sum of the steps' rhos, rounded up.
pub fn total_rho<'a>(steps: impl IntoIterator<Item = &'a Step>) -> f64 {
    directed::sum_up(steps.into_iter().map(Step::rho))
}
