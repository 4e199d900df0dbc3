//! What a model rests on: which marginals were measured, and how noisily.

use lookalike_schema::{Clique, Domain};

use crate::ModelError;

/// A marginal that was measured, and the variance of the noise of each of its cells, in rows
/// squared.
///
/// Kept with a model so that whoever asks it for a marginal can be told how far the answer may be
/// off.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// What was measured.
    pub clique: Clique,
    /// The variance of each cell's noise: 0 or more.
    pub variance: f64,
}

/// Refuses attributes that the domain lacks and variances that are negative or not numbers.
pub(crate) fn check(domain: &Domain, measured: &[Coverage]) -> Result<(), ModelError> {
    for coverage in measured {
        if coverage.clique.attributes().iter().any(|attribute| attribute.index() >= domain.len()) {
            return Err(ModelError::shape("a measured marginal names a column that the schema lacks"));
        }
        if !(coverage.variance >= 0.0 && coverage.variance.is_finite()) {
            return Err(ModelError::shape("the variance of a measured marginal is not 0 or a positive number"));
        }
    }
    Ok(())
}
