//! Tables in log space.

use lookalike_schema::{AttrId, Clique, Domain};

use super::kernel::{self, Level};
use super::linear::fits;
use super::table::Table;
use super::{Factor, Plan, axes};
use crate::ModelError;

/// A table of logarithms over a clique: a potential. Minus infinity is an impossible cell.
#[derive(Clone, Debug, PartialEq)]
pub struct LogFactor(Table);

impl LogFactor {
    /// A factor with the given logs. Refuses attributes that the domain lacks, a wrong number of
    /// values, and values that are plus infinity or not numbers.
    pub fn new(domain: &Domain, clique: &Clique, values: Vec<f64>) -> Result<Self, ModelError> {
        let axes = axes(domain, clique)?;
        if domain.cells(clique) != Some(values.len() as u64) {
            return Err(ModelError::shape("a factor has another number of cells than its clique"));
        }
        if values.iter().any(|&value| value.is_nan() || value == f64::INFINITY) {
            return Err(ModelError::shape("a log factor's cell is plus infinity or not a number"));
        }
        Ok(Self(Table { axes, values }))
    }

    /// A factor of ones, whose logs are 0. Refuses attributes that the domain lacks and more than
    /// 2^27 cells.
    pub fn zeros(domain: &Domain, clique: &Clique) -> Result<Self, ModelError> {
        Ok(Self(Table::filled(axes(domain, clique)?, 0.0)?))
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

    /// The logs.
    pub fn values(&self) -> &[f64] {
        &self.0.values
    }

    /// The cells, to change them.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.0.values
    }

    /// The logs, given away.
    pub fn into_values(self) -> Vec<f64> {
        self.0.values
    }

    /// The product of the factors (the sum of the logs), over the attributes of both. Refuses more
    /// than 2^27 cells.
    pub fn multiply(&self, other: &Self) -> Result<Self, ModelError> {
        let mut product = Table::filled(self.0.union(&other.0, AttrId::index), 0.0)?;
        product.add_from(&self.0);
        product.add_from(&other.0);
        Ok(Self(product))
    }

    /// The quotient, over the attributes of both; impossible wherever the divisor is. Refuses more
    /// than 2^27 cells.
    pub fn divide(&self, other: &Self) -> Result<Self, ModelError> {
        let negate = |&value: &f64| if value == f64::NEG_INFINITY { value } else { -value };
        let values = other.0.values.iter().map(negate).collect();
        self.multiply(&Self(Table { axes: other.0.axes.clone(), values }))
    }

    /// The same logs over more attributes. Refuses attributes that the domain lacks and more than
    /// 2^27 cells.
    pub fn expand(&self, domain: &Domain, clique: &Clique) -> Result<Self, ModelError> {
        self.multiply(&Self::zeros(domain, clique)?)
    }

    /// The cells with one code of an attribute, over the other attributes. Refuses a code that the
    /// attribute lacks.
    pub fn slice(&self, attribute: AttrId, code: u32) -> Result<Self, ModelError> {
        match self.0.axes.iter().find(|axis| axis.0 == attribute) {
            Some(axis) if (code as usize) < axis.1 => Ok(Self(self.0.slice(attribute, code as usize))),
            _ => Err(ModelError::shape("a slice names a column or a code that the factor lacks")),
        }
    }

    /// The log of the sum of the exponentials of all cells, without overflow.
    pub fn log_sum_exp(&self) -> f64 {
        self.sum_onto(&Clique::new([])).0.values[0]
    }

    /// The logs of the sums over all attributes that are not in the clique, without overflow.
    pub fn sum_onto(&self, clique: &Clique) -> Self {
        let kept = |attribute| clique.contains(attribute);
        let mut tops = self.0.max_onto(kept);
        let plan = self.0.plan(kept);
        let finite = |top: f64| if top.is_finite() { top } else { 0.0 };
        let minus: Vec<f64> = tops.values.iter().map(|&top| -finite(top)).collect();
        let mut shifted = self.0.values.clone();
        kernel::add_from(Level::detect(), &plan, 0, &mut shifted, &minus, 1.0);
        kernel::exponentials(Level::detect(), &mut shifted, 0.0);
        let mut sums = vec![0.0; minus.len()];
        kernel::add_onto(Level::detect(), &plan, 0, &shifted, &mut sums);
        tops.values.iter_mut().zip(sums).for_each(|(top, sum)| *top = finite(*top) + sum.ln());
        Self(tops)
    }

    /// The largest log over all attributes that are not in the clique.
    pub fn max_onto(&self, clique: &Clique) -> Self {
        Self(self.0.max_onto(|attribute| clique.contains(attribute)))
    }

    /// The exponentials. Cells below e^-708 become 0; subtract the largest log first where that
    /// matters.
    pub fn exp(&self) -> Factor {
        let mut table = self.0.clone();
        kernel::exponentials(Level::detect(), &mut table.values, 0.0);
        Factor::from_table(table)
    }

    /// The map of this factor's cells onto those of a factor over a part of its attributes.
    pub fn plan_onto(&self, clique: &Clique) -> Plan {
        self.0.plan(|attribute| clique.contains(attribute))
    }

    /// Multiplies in place (adds the logs) by a factor over the attributes that the plan keeps.
    pub fn multiply_with(&mut self, plan: &Plan, small: &Self) -> Result<(), ModelError> {
        fits(plan, &self.0, &small.0)?;
        kernel::add_from(Level::detect(), plan, 0, &mut self.0.values, &small.0.values, 1.0);
        Ok(())
    }
}
