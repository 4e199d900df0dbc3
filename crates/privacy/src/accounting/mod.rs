//! Accountants: pure epsilon, zero-concentrated, and discrete privacy-loss distributions.
// SKELETON: the accounting owner fills this in.

use crate::{Composition, Delta, PrivacyError, Step};

/// An upper bound of the epsilon at `delta` of all steps together under one composition.
pub fn epsilon(steps: &[Step], delta: Delta, composition: Composition) -> Result<f64, PrivacyError> {
    let _ = (steps, delta, composition);
    todo!()
}
