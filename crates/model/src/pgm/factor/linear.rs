//! Factors in linear space.

use lookalike_schema::{AttrId, Clique, Domain};

use super::LogFactor;
use super::array::{FactorArray, axes};
use super::kernel::{self, VectorLevel};
use crate::{ModelError, refuse_if};

/// Numbers over a clique: weights, or the probabilities of a marginal.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor(FactorArray);

impl Factor {
    /// A factor with the given values. Refuses attributes that the domain lacks, a wrong number of
    /// values, and values that are not numbers.
    pub fn new(domain: &Domain, clique: &Clique, values: Vec<f64>) -> Result<Self, ModelError> {
        refuse_if(values.iter().any(|value| value.is_nan()), "a factor's cell is not a number")?;
        Ok(Self(FactorArray::over(domain, clique, values)?))
    }

    /// A factor with one value everywhere. Refuses attributes that the domain lacks and more than
    /// 2^27 cells.
    pub fn filled(domain: &Domain, clique: &Clique, value: f64) -> Result<Self, ModelError> {
        Ok(Self(FactorArray::filled(axes(domain, clique)?, value)?))
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

    /// The cells.
    pub fn values(&self) -> &[f64] {
        &self.0.values
    }

    /// The cells, given away.
    pub fn into_values(self) -> Vec<f64> {
        self.0.values
    }

    /// The sum of all cells.
    pub fn total(&self) -> f64 {
        kernel::total(VectorLevel::detect(), &self.0.values)
    }

    /// The sums over all attributes that are not in the clique. Attributes that the factor lacks
    /// are passed over.
    pub fn sum_onto(&self, clique: &Clique) -> Self {
        Self(self.0.sum_onto(clique))
    }

    /// The product, over the attributes of both. Refuses more than 2^27 cells.
    pub fn multiply(&self, other: &Self) -> Result<Self, ModelError> {
        let mut product = FactorArray::filled(self.0.union(&other.0, AttrId::index), 1.0)?;
        product.multiply_by(&self.0);
        product.multiply_by(&other.0);
        Ok(Self(product))
    }

    /// The logs of the cells; minus infinity where a cell is not positive.
    pub fn ln(&self) -> LogFactor {
        let log = |&value: &f64| if value > 0.0 { value.ln() } else { f64::NEG_INFINITY };
        let values = self.0.values.iter().map(log).collect();
        LogFactor::from_array(FactorArray { axes: self.0.axes.clone(), values })
    }
}
