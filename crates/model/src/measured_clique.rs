//! What a model rests on: which marginals were measured, and how noisily.

use lookalike_schema::{Clique, Domain};

use crate::pgm::factor::layout::covers;
use crate::{ModelError, refuse_if};

/// A marginal that was measured, and the variance of the noise of each of its cells, in rows
/// squared.
///
/// Kept with a model so that whoever asks it for a marginal can be told how far the answer may be
/// off.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredClique {
    /// What was measured.
    pub clique: Clique,
    /// The variance of each cell's noise: 0 or more.
    pub variance: f64,
}

impl MeasuredClique {
    /// Refuses attributes that the domain lacks, and a variance that is negative or not a number.
    pub(crate) fn check(&self, domain: &Domain) -> Result<(), ModelError> {
        refuse_if(!covers(domain, &self.clique), "a measured marginal names a column that the schema lacks")?;
        let unsound = !(self.variance >= 0.0 && self.variance.is_finite());
        refuse_if(unsound, "the variance of a measured marginal is not 0 or a positive number")?;
        Ok(())
    }
}
