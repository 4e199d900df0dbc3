//! Columns that a model holds at a coarse level, and the codes inside each group.

use std::sync::Arc;

use lookalike_schema::{Clique, Domain, Grouping};

use crate::factor::table::MAX_TABLE;
use crate::{ModelError, Rules};

/// How the groups of a coarse column become codes again: by weights inside each group, whatever the
/// other columns are.
#[derive(Clone, Debug, PartialEq)]
pub struct Refinement {
    /// The group of each code.
    pub grouping: Arc<Grouping>,
    /// A weight for each code: 0 or more. Only proportions inside a group count.
    pub weights: Vec<f64>,
}

impl Refinement {
    /// Every code of a group alike.
    pub fn uniform(grouping: Arc<Grouping>) -> Self {
        let weights = vec![1.0; grouping.codes()];
        Self { grouping, weights }
    }

    /// Checks the weights against a column, takes them from impossible codes, and divides by each
    /// group's sum. A group without weight becomes uniform over its possible codes; one without
    /// possible codes keeps no weight.
    pub(crate) fn checked(mut self, attribute: usize, size: u32, rules: &Rules) -> Result<Self, ModelError> {
        self.check(attribute, size)?;
        let possible = |code: usize| rules.allows(attribute, code);
        (0..self.weights.len()).filter(|&code| !possible(code)).for_each(|code| self.weights[code] = 0.0);
        let largest = self.weights.iter().copied().fold(0.0, f64::max);
        if largest > 0.0 {
            // Huge weights must not sum to infinity.
            self.weights.iter_mut().for_each(|weight| *weight /= largest);
        }
        let sums = self.sums();
        for (code, &group) in self.grouping.group_of().iter().enumerate() {
            if sums[group as usize] == 0.0 && possible(code) {
                self.weights[code] = 1.0;
            }
        }
        let sums = self.sums();
        for (code, &group) in self.grouping.group_of().iter().enumerate() {
            let sum = sums[group as usize];
            self.weights[code] = if sum > 0.0 { self.weights[code] / sum } else { 0.0 };
        }
        Ok(self)
    }

    /// As it stands in a file: checked, and nothing rescaled.
    pub(crate) fn stored(self, attribute: usize, size: u32, rules: &Rules) -> Result<Self, ModelError> {
        self.check(attribute, size)?;
        if self.weights.iter().enumerate().any(|(code, &weight)| weight > 0.0 && !rules.allows(attribute, code)) {
            return Err(ModelError::shape(format!("column {attribute} gives weight to an impossible value")));
        }
        if self.sums().iter().any(|&sum| sum != 0.0 && (sum - 1.0).abs() > 1e-6) {
            return Err(ModelError::shape(format!(
                "the groups of column {attribute} have weights that do not sum to 1"
            )));
        }
        Ok(self)
    }

    fn check(&self, attribute: usize, size: u32) -> Result<(), ModelError> {
        if !self.fits(size) {
            return Err(ModelError::shape(format!("the groups of column {attribute} do not fit its {size} codes")));
        }
        if !self.weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0) {
            return Err(ModelError::shape(format!(
                "a weight inside a group of column {attribute} is not 0 or positive"
            )));
        }
        Ok(())
    }

    /// Whether there is a group and a weight for each code.
    pub(crate) fn fits(&self, size: u32) -> bool {
        self.grouping.codes() == size as usize && self.weights.len() == size as usize
    }

    fn sums(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.grouping.groups() as usize];
        self.grouping.group_of().iter().zip(&self.weights).for_each(|(&group, weight)| sums[group as usize] += weight);
        sums
    }

    /// The groups that hold a drawable code of the list.
    pub(crate) fn touched(&self, codes: &[u32]) -> Vec<u32> {
        let drawable =
            codes.iter().filter(|&&code| self.weights.get(code as usize).is_some_and(|&weight| weight > 0.0));
        let mut groups: Vec<u32> = drawable.map(|&code| self.grouping.group(code)).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// The codes of each group with their weights: how the group is drawn.
    pub(crate) fn rows(&self) -> Vec<Vec<(u32, f64)>> {
        let mut rows = vec![Vec::new(); self.grouping.groups() as usize];
        for (code, (&group, &weight)) in self.grouping.group_of().iter().zip(&self.weights).enumerate() {
            rows[group as usize].push((code as u32, weight));
        }
        rows
    }
}

/// Spreads each group's probability over its codes. The domain is the coarse one.
pub(crate) fn refined(
    domain: &Domain,
    refinements: &[Option<Refinement>],
    clique: &Clique,
    coarse: Vec<f64>,
) -> Result<Vec<f64>, ModelError> {
    let mut values = coarse;
    let mut shape: Vec<usize> = domain.shape(clique).iter().map(|&size| size as usize).collect();
    for (axis, attribute) in clique.attributes().iter().enumerate() {
        let Some(refinement) = &refinements[attribute.index()] else { continue };
        let inner: usize = shape[axis + 1..].iter().product();
        let codes = refinement.weights.len();
        if values.len() / shape[axis] * codes > MAX_TABLE as usize {
            return Err(ModelError::shape("the marginal has more than 134,217,728 cells; ask for fewer columns"));
        }
        let mut fine = Vec::with_capacity(values.len() / shape[axis] * codes);
        for block in values.chunks_exact(shape[axis] * inner) {
            for (&group, weight) in refinement.grouping.group_of().iter().zip(&refinement.weights) {
                let group = group as usize;
                fine.extend(block[group * inner..(group + 1) * inner].iter().map(|value| value * weight));
            }
        }
        shape[axis] = codes;
        values = fine;
    }
    Ok(values)
}

/// The sizes of the columns at their coarse level.
pub(crate) fn coarse(sizes: &[u32], refinements: &[Option<Refinement>]) -> Domain {
    let size = |(&size, refinement): (&u32, &Option<Refinement>)| {
        refinement.as_ref().map_or(size, |refinement| refinement.grouping.groups())
    };
    Domain::new(sizes.iter().zip(refinements).map(size).collect())
}

/// No refinements at all may be left out; otherwise there is one slot a column.
pub(crate) fn check_refinements(
    sizes: &[u32],
    mut refinements: Vec<Option<Refinement>>,
    check: impl Fn(usize, Refinement) -> Result<Refinement, ModelError>,
) -> Result<Vec<Option<Refinement>>, ModelError> {
    if refinements.is_empty() {
        refinements = vec![None; sizes.len()];
    }
    if refinements.len() != sizes.len() {
        return Err(ModelError::shape("there is not one refinement, or none, for each column"));
    }
    let refine = |(attribute, refinement): (usize, Option<Refinement>)| {
        refinement.map(|refinement| check(attribute, refinement)).transpose()
    };
    refinements.into_iter().enumerate().map(refine).collect()
}
