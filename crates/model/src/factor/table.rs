//! A dense table whose axes have an order, and the algebra of such tables.

use lookalike_schema::AttrId;

use super::kernel::{self, Level};
use super::plan::Plan;
use crate::ModelError;

/// Larger tables are refused: 2^27 cells are one gibibyte.
pub(crate) const MAX_TABLE: u64 = 1 << 27;

/// Values over axes, the last one varying fastest. Tables that meet have their common axes in the
/// same order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    pub axes: Vec<(AttrId, usize)>,
    pub values: Vec<f64>,
}

impl Table {
    /// A table with one value everywhere. Refuses tables that are too large.
    pub fn filled(axes: Vec<(AttrId, usize)>, value: f64) -> Result<Self, ModelError> {
        let cells = axes.iter().try_fold(1u64, |cells, axis| cells.checked_mul(axis.1 as u64));
        match cells {
            Some(cells) if cells <= MAX_TABLE => Ok(Self { axes, values: vec![value; cells as usize] }),
            _ => Err(ModelError::shape("a table would have more than 134,217,728 cells; ask for fewer columns")),
        }
    }

    pub fn has(&self, attribute: AttrId) -> bool {
        self.axes.iter().any(|axis| axis.0 == attribute)
    }

    /// The map onto the axes that `kept` names.
    pub fn plan(&self, kept: impl Fn(AttrId) -> bool) -> Plan {
        Plan::new(&self.axes, kept)
    }

    fn part(&self, kept: impl Fn(AttrId) -> bool, value: f64) -> Self {
        let axes: Vec<_> = self.axes.iter().copied().filter(|axis| kept(axis.0)).collect();
        let cells = axes.iter().map(|axis| axis.1).product();
        Self { axes, values: vec![value; cells] }
    }

    /// The sums onto the axes that `kept` names.
    pub fn sum_onto(&self, kept: impl Fn(AttrId) -> bool + Copy) -> Self {
        let mut small = self.part(kept, 0.0);
        kernel::add_onto(Level::detect(), &self.plan(kept), 0, &self.values, &mut small.values);
        small
    }

    /// The maxima onto the axes that `kept` names.
    pub fn max_onto(&self, kept: impl Fn(AttrId) -> bool + Copy) -> Self {
        let mut small = self.part(kept, f64::NEG_INFINITY);
        kernel::raise_onto(Level::detect(), &self.plan(kept), 0, &self.values, &mut small.values);
        small
    }

    /// Multiplies by a table over some of the axes.
    pub fn multiply_by(&mut self, small: &Self) {
        let plan = self.plan(|attribute| small.has(attribute));
        kernel::multiply_by(Level::detect(), &plan, 0, &mut self.values, &small.values);
    }

    /// Adds a table over some of the axes.
    pub fn add_from(&mut self, small: &Self) {
        let plan = self.plan(|attribute| small.has(attribute));
        kernel::add_from(Level::detect(), &plan, 0, &mut self.values, &small.values, 1.0);
    }

    /// Both tables' axes, in the order of `rank`.
    pub fn union(&self, other: &Self, rank: impl Fn(AttrId) -> usize) -> Vec<(AttrId, usize)> {
        let mut axes = self.axes.clone();
        axes.extend(other.axes.iter().filter(|axis| !self.has(axis.0)));
        axes.sort_by_key(|axis| rank(axis.0));
        axes
    }

    /// The cells with one code of an attribute.
    pub fn slice(&self, attribute: AttrId, code: usize) -> Self {
        let Some(place) = self.axes.iter().position(|axis| axis.0 == attribute) else { return self.clone() };
        let inner: usize = self.axes[place + 1..].iter().map(|axis| axis.1).product();
        let size = self.axes[place].1;
        let mut values = Vec::with_capacity(self.values.len() / size);
        for block in self.values.chunks_exact(size * inner) {
            values.extend_from_slice(&block[code * inner..(code + 1) * inner]);
        }
        let axes = self.axes.iter().copied().filter(|axis| axis.0 != attribute).collect();
        Self { axes, values }
    }
}
