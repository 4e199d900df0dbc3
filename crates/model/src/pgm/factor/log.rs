//! Factors in log space.

use lookalike_schema::{Clique, Domain};

use super::array::FactorArray;
use crate::{ModelError, refuse_if};

/// Logarithms over a clique: a potential. Minus infinity is an impossible cell.
#[derive(Clone, Debug, PartialEq)]
pub struct LogFactor(FactorArray);

impl LogFactor {
    /// A factor with the given logs. Refuses attributes that the domain lacks, a wrong number of
    /// values, and values that are plus infinity or not numbers.
    pub fn new(domain: &Domain, clique: &Clique, values: Vec<f64>) -> Result<Self, ModelError> {
        let unsound = values.iter().any(|&value| value.is_nan() || value == f64::INFINITY);
        refuse_if(unsound, "a log factor's cell is plus infinity or not a number")?;
        Ok(Self(FactorArray::over(domain, clique, values)?))
    }

    pub(crate) fn from_array(array: FactorArray) -> Self {
        Self(array)
    }

    /// The attributes.
    pub fn clique(&self) -> Clique {
        self.0.clique()
    }

    /// The number of codes of each attribute.
    pub fn shape(&self) -> Vec<usize> {
        self.0.shape()
    }

    /// The logs.
    pub fn values(&self) -> &[f64] {
        &self.0.values
    }

    /// The logs, to be changed in place.
    pub(crate) fn values_mut(&mut self) -> &mut [f64] {
        &mut self.0.values
    }
}
