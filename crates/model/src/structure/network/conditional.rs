//! One column given others.

use std::sync::Arc;

use lookalike_schema::{AttrId, Grouping};

use crate::{ModelError, Refinement, Rules, refuse_if};

/// A stored row of probabilities may miss a sum of 1 by this much.
const SLACK: f64 = 1e-6;

/// The weights of a column's codes for each combination of its parents' codes.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditional {
    /// The column.
    pub child: AttrId,
    /// Where the table holds the column's groups only: how they become codes.
    pub refinement: Option<Refinement>,
    /// The columns it depends on, perhaps only on the groups of their codes. Each at most once.
    pub parents: Vec<(AttrId, Option<Arc<Grouping>>)>,
    /// Row-major: the first parent outermost, the column's own codes (or groups) fastest. 0 or
    /// more. Rows need not sum to 1; joint counts do.
    pub weights: Vec<f64>,
}

impl Conditional {
    /// The number of codes or groups of the column in the table.
    pub(super) fn width(&self, sizes: &[u32]) -> usize {
        let groups = self.refinement.as_ref().map(|refinement| refinement.grouping.groups());
        groups.unwrap_or(sizes[self.child.index()]) as usize
    }

    /// Columns exist, groups fit them, and there are as many weights as cells.
    pub(super) fn check_shape(&self, sizes: &[u32]) -> Result<(), ModelError> {
        let lacking = || ModelError::shape("a table of the network names a column that the schema lacks");
        let size = *sizes.get(self.child.index()).ok_or_else(lacking)?;
        let misfit = || ModelError::shape("the groups of a column of the network do not fit its codes");
        if self.refinement.as_ref().is_some_and(|refinement| !refinement.fits(size)) {
            return Err(misfit());
        }
        let mut cells = Some(self.width(sizes));
        for (place, (parent, grouping)) in self.parents.iter().enumerate() {
            let size = *sizes.get(parent.index()).ok_or_else(lacking)?;
            let repeated = self.parents[..place].iter().any(|(other, _)| other == parent) || *parent == self.child;
            refuse_if(repeated, "a column of the network depends on another one twice, or on itself")?;
            if grouping.as_ref().is_some_and(|grouping| grouping.codes() != size as usize) {
                return Err(misfit());
            }
            let seen = grouping.as_ref().map_or(size, |grouping| grouping.groups());
            cells = cells.and_then(|cells| cells.checked_mul(seen as usize));
        }
        let misfit_cells = cells != Some(self.weights.len());
        refuse_if(misfit_cells, "a table of the network has another number of weights than cells")?;
        let unsound = self.weights.iter().any(|weight| !(weight.is_finite() && *weight >= 0.0));
        refuse_if(unsound, "a table of the network has a weight that is not 0 or a positive number")?;
        Ok(())
    }

    /// Takes the weight from impossible codes and divides each row by its sum. A row without weight
    /// takes the column's own shape (the sum of all rows), and without that all possible codes are
    /// alike.
    pub(super) fn checked(mut self, sizes: &[u32], rules: &Rules) -> Result<Self, ModelError> {
        self.check_shape(sizes)?;
        let (child, size) = (self.child.index(), sizes[self.child.index()]);
        self.refinement = self.refinement.map(|refinement| refinement.checked(child, size, rules)).transpose()?;
        let possible = self.possible(sizes, rules);
        let width = possible.len();
        let largest = self.weights.iter().copied().fold(0.0, f64::max);
        // Huge weights must not sum to infinity.
        let scale = if largest > 0.0 { largest } else { 1.0 };
        let mut own = vec![0.0; width];
        for row in self.weights.chunks_exact_mut(width) {
            for ((weight, own), &possible) in row.iter_mut().zip(&mut own).zip(&possible) {
                *weight = if possible { *weight / scale } else { 0.0 };
                *own += *weight;
            }
        }
        if !normalize(&mut own) {
            own = possible.iter().map(|&possible| f64::from(u8::from(possible))).collect();
            normalize(&mut own);
        }
        for row in self.weights.chunks_exact_mut(width) {
            if !normalize(row) {
                row.copy_from_slice(&own);
            }
        }
        Ok(self)
    }

    pub(super) fn stored(mut self, sizes: &[u32], rules: &Rules) -> Result<Self, ModelError> {
        let (child, size) = (self.child.index(), sizes[self.child.index()]);
        self.refinement = self.refinement.map(|refinement| refinement.stored(child, size, rules)).transpose()?;
        let possible = self.possible(sizes, rules);
        for row in self.weights.chunks_exact(possible.len()) {
            refuse_if(
                (row.iter().sum::<f64>() - 1.0).abs() > SLACK,
                "a row of a table of the network does not sum to 1",
            )?;
            let impossible = row.iter().zip(&possible).any(|(&weight, &possible)| weight > 0.0 && !possible);
            refuse_if(impossible, "a table of the network gives weight to an impossible value")?;
        }
        Ok(self)
    }

    /// Which of the table's codes or groups can be drawn at all.
    fn possible(&self, sizes: &[u32], rules: &Rules) -> Vec<bool> {
        let child = self.child.index();
        match &self.refinement {
            None => (0..sizes[child] as usize).map(|code| rules.allows(child, code)).collect(),
            Some(refinement) => {
                refinement.rows().iter().map(|row| row.iter().any(|&(_, weight)| weight > 0.0)).collect()
            }
        }
    }
}

/// Divides by the sum; false when there is nothing to divide.
fn normalize(row: &mut [f64]) -> bool {
    let sum: f64 = row.iter().sum();
    if sum > 0.0 {
        row.iter_mut().for_each(|weight| *weight /= sum);
    }
    sum > 0.0
}
