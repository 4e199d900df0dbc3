//! Tables in linear space.

use lookalike_schema::{AttrId, Clique, Domain};

use super::kernel::{self, Level};
use super::table::Table;
use super::{LogFactor, Plan, axes};
use crate::ModelError;

/// A table of numbers over a clique: weights, or the probabilities of a marginal.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor(Table);

impl Factor {
    /// A factor with the given values. Refuses attributes that the domain lacks, a wrong number of
    /// values, and values that are not numbers.
    pub fn new(domain: &Domain, clique: &Clique, values: Vec<f64>) -> Result<Self, ModelError> {
        let axes = axes(domain, clique)?;
        if domain.cells(clique) != Some(values.len() as u64) {
            return Err(ModelError::shape("a factor has another number of cells than its clique"));
        }
        if values.iter().any(|value| value.is_nan()) {
            return Err(ModelError::shape("a factor's cell is not a number"));
        }
        Ok(Self(Table { axes, values }))
    }

    /// A factor with one value everywhere. Refuses attributes that the domain lacks and more than
    /// 2^27 cells.
    pub fn filled(domain: &Domain, clique: &Clique, value: f64) -> Result<Self, ModelError> {
        Ok(Self(Table::filled(axes(domain, clique)?, value)?))
    }

    pub(crate) fn from_table(table: Table) -> Self {
        Self(table)
    }

    /// The attributes.
    pub fn clique(&self) -> Clique {
        Clique::new(self.0.axes.iter().map(|axis| axis.0))
    }

    /// The number of codes of each attribute.
    pub fn shape(&self) -> Vec<usize> {
        self.0.axes.iter().map(|axis| axis.1).collect()
    }

    /// The cells.
    pub fn values(&self) -> &[f64] {
        &self.0.values
    }

    /// The cells, to be changed in place.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.0.values
    }

    /// The cells, given away.
    pub fn into_values(self) -> Vec<f64> {
        self.0.values
    }

    /// The sum of all cells.
    pub fn total(&self) -> f64 {
        kernel::total(Level::detect(), &self.0.values)
    }

    /// Divides by the total, unless that is not positive and finite.
    pub fn normalize(&mut self) {
        let total = self.total();
        if total > 0.0 && total.is_finite() {
            self.0.values.iter_mut().for_each(|value| *value /= total);
        }
    }

    /// The sums over all attributes that are not in the clique. Attributes that the factor lacks
    /// are passed over.
    pub fn sum_onto(&self, clique: &Clique) -> Self {
        Self(self.0.sum_onto(|attribute| clique.contains(attribute)))
    }

    /// The product, over the attributes of both. Refuses more than 2^27 cells.
    pub fn multiply(&self, other: &Self) -> Result<Self, ModelError> {
        let mut product = Table::filled(self.0.union(&other.0, AttrId::index), 1.0)?;
        product.multiply_by(&self.0);
        product.multiply_by(&other.0);
        Ok(Self(product))
    }

    /// The quotient, over the attributes of both; 0 wherever the divisor is 0, or so near to it
    /// that its inverse is no longer a number. Refuses more than 2^27 cells.
    pub fn divide(&self, other: &Self) -> Result<Self, ModelError> {
        let values = other.0.values.iter().map(|&value| inverse_or_zero(value)).collect();
        self.multiply(&Self(Table { axes: other.0.axes.clone(), values }))
    }

    /// The same values over more attributes: every cell takes the value of the one it lies over.
    /// Refuses attributes that the domain lacks and more than 2^27 cells.
    pub fn expand(&self, domain: &Domain, clique: &Clique) -> Result<Self, ModelError> {
        self.multiply(&Self::filled(domain, clique, 1.0)?)
    }

    /// The cells with one code of an attribute, over the other attributes. Refuses a code that the
    /// attribute lacks.
    pub fn slice(&self, attribute: AttrId, code: u32) -> Result<Self, ModelError> {
        match self.0.axes.iter().find(|axis| axis.0 == attribute) {
            Some(axis) if (code as usize) < axis.1 => Ok(Self(self.0.slice(attribute, code as usize))),
            _ => Err(ModelError::shape("a slice names a column or a code that the factor lacks")),
        }
    }

    /// The logs of the cells; minus infinity where a cell is not positive.
    pub fn ln(&self) -> LogFactor {
        let log = |&value: &f64| if value > 0.0 { value.ln() } else { f64::NEG_INFINITY };
        LogFactor::from_table(Table { axes: self.0.axes.clone(), values: self.0.values.iter().map(log).collect() })
    }

    /// The map of this factor's cells onto those of a factor over a part of its attributes.
    pub fn plan_onto(&self, clique: &Clique) -> Plan {
        self.0.plan(|attribute| clique.contains(attribute))
    }

    /// Multiplies in place by a factor over the attributes that the plan keeps.
    pub fn multiply_with(&mut self, plan: &Plan, small: &Self) -> Result<(), ModelError> {
        fits(plan, &self.0, &small.0)?;
        kernel::multiply_by(Level::detect(), plan, 0, &mut self.0.values, &small.0.values);
        Ok(())
    }

    /// Writes the sums onto the attributes that the plan keeps.
    pub fn sum_with(&self, plan: &Plan, small: &mut Self) -> Result<(), ModelError> {
        fits(plan, &self.0, &small.0)?;
        small.0.values.fill(0.0);
        kernel::add_onto(Level::detect(), plan, 0, &self.0.values, &mut small.0.values);
        Ok(())
    }
}

/// 1 over the value, and 0 for values whose inverse could overflow: infinity times an empty cell
/// would be no number.
pub(crate) fn inverse_or_zero(value: f64) -> f64 {
    if value.abs() < f64::MIN_POSITIVE { 0.0 } else { 1.0 / value }
}

pub(super) fn fits(plan: &Plan, large: &Table, small: &Table) -> Result<(), ModelError> {
    if plan.large() == large.values.len() && plan.small() == small.values.len() {
        Ok(())
    } else {
        Err(ModelError::shape("a plan was made for factors of other sizes"))
    }
}
