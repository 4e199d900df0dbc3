//! A dense array whose axes have an order, and the algebra of such arrays.

use lookalike_schema::{AttrId, Clique, Domain};

use super::axis_map::AxisMap;
use super::kernel::{self, VectorLevel};
use super::layout::{check_clique, covers};
use crate::{ModelError, refuse_if};

/// Larger arrays are refused: 2^27 cells are one gibibyte.
const MAX_CELLS: u64 = 1 << 27;

/// The number of cells of a marginal that is asked for. Refuses columns that the model lacks, and
/// marginals that are too large.
pub(crate) fn marginal_cells(domain: &Domain, clique: &Clique) -> Result<usize, ModelError> {
    refuse_if(!covers(domain, clique), "a marginal was asked of a column that the model lacks")?;
    affordable(domain.cells(clique))
}

/// The number of cells of a table, unless there are too many.
pub(crate) fn affordable(cells: Option<u64>) -> Result<usize, ModelError> {
    match cells {
        Some(cells) if cells <= MAX_CELLS => Ok(cells as usize),
        _ => Err(ModelError::shape("a table would have more than 134,217,728 cells; ask for fewer columns")),
    }
}

/// Values over axes, the last one varying fastest. Arrays that meet have their common axes in the
/// same order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FactorArray {
    pub axes: Vec<(AttrId, usize)>,
    pub values: Vec<f64>,
}

impl FactorArray {
    /// Values over a clique. Refuses attributes that the domain lacks and a wrong number of values.
    pub fn over(domain: &Domain, clique: &Clique, values: Vec<f64>) -> Result<Self, ModelError> {
        let axes = axes(domain, clique)?;
        let misfit = domain.cells(clique) != Some(values.len() as u64);
        refuse_if(misfit, "a factor has another number of cells than its clique")?;
        Ok(Self { axes, values })
    }

    /// An array with one value everywhere. Refuses arrays that are too large.
    pub fn filled(axes: Vec<(AttrId, usize)>, value: f64) -> Result<Self, ModelError> {
        let cells = affordable(axes.iter().try_fold(1u64, |cells, axis| cells.checked_mul(axis.1 as u64)))?;
        Ok(Self { axes, values: vec![value; cells] })
    }

    /// The array without its memory.
    pub fn view(&self) -> FactorView<'_> {
        FactorView { axes: &self.axes, values: &self.values }
    }

    pub fn clique(&self) -> Clique {
        Clique::new(self.axes.iter().map(|axis| axis.0))
    }

    /// The number of codes of each attribute.
    pub fn shape(&self) -> Vec<usize> {
        self.axes.iter().map(|axis| axis.1).collect()
    }

    pub fn has(&self, attribute: AttrId) -> bool {
        self.axes.iter().any(|axis| axis.0 == attribute)
    }

    /// The sums onto the axes of the clique.
    pub fn sum_onto(&self, clique: &Clique) -> Self {
        self.view().sum_onto(clique)
    }

    /// Multiplies by an array over some of the axes.
    pub fn multiply_by(&mut self, small: &Self) {
        let map = AxisMap::new(&self.axes, |attribute| small.has(attribute));
        kernel::multiply_by(VectorLevel::detect(), &map, 0, &mut self.values, &small.values);
    }

    /// Both arrays' axes, in the order of `rank`.
    pub fn union(&self, other: &Self, rank: impl Fn(AttrId) -> usize) -> Vec<(AttrId, usize)> {
        let mut axes = self.axes.clone();
        axes.extend(other.axes.iter().filter(|axis| !self.has(axis.0)));
        axes.sort_by_key(|axis| rank(axis.0));
        axes
    }
}

/// An array that lies elsewhere.
#[derive(Clone, Copy)]
pub(crate) struct FactorView<'a> {
    pub axes: &'a [(AttrId, usize)],
    pub values: &'a [f64],
}

impl FactorView<'_> {
    /// The sums onto the axes of the clique.
    pub fn sum_onto(&self, clique: &Clique) -> FactorArray {
        let map = AxisMap::new(self.axes, |attribute| clique.contains(attribute));
        let mut values = vec![0.0; map.small()];
        kernel::add_onto(VectorLevel::detect(), &map, 0, self.values, &mut values);
        FactorArray { axes: self.axes.iter().copied().filter(|axis| clique.contains(axis.0)).collect(), values }
    }
}

/// The axes of a clique's array, by ascending attribute.
pub(crate) fn axes(domain: &Domain, clique: &Clique) -> Result<Vec<(AttrId, usize)>, ModelError> {
    check_clique(domain, clique)?;
    Ok(clique.attributes().iter().map(|&attribute| (attribute, domain.size(attribute) as usize)).collect())
}
