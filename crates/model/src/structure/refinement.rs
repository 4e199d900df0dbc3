//! Columns that a model holds at a coarse level, and the codes inside each group.

use std::sync::Arc;

use lookalike_schema::{AttrId, Clique, Domain, Grouping};

use crate::pgm::factor::array::affordable;
use crate::pgm::factor::layout::shape;
use crate::sampling::plan::Weights;
use crate::{ModelError, Rules, refuse_if};

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
        let mut weighed = self.weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
        let impossible = weighed.any(|(code, _)| !rules.allows(attribute, code));
        refuse_if(impossible, &format!("column {attribute} gives weight to an impossible value"))?;
        let uneven = self.sums().iter().any(|&sum| sum != 0.0 && (sum - 1.0).abs() > 1e-6);
        refuse_if(uneven, &format!("the groups of column {attribute} have weights that do not sum to 1"))?;
        Ok(self)
    }

    fn check(&self, attribute: usize, size: u32) -> Result<(), ModelError> {
        refuse_if(!self.fits(size), &format!("the groups of column {attribute} do not fit its {size} codes"))?;
        let unsound = !self.weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0);
        refuse_if(unsound, &format!("a weight inside a group of column {attribute} is not 0 or positive"))
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

    /// The codes of each group with their weights.
    pub(crate) fn rows(&self) -> Vec<Vec<(u32, f64)>> {
        let mut rows = vec![Vec::new(); self.grouping.groups() as usize];
        for (code, (&group, &weight)) in self.grouping.group_of().iter().zip(&self.weights).enumerate() {
            rows[group as usize].push((code as u32, weight));
        }
        rows
    }

    /// How each group is drawn.
    pub(crate) fn draws(&self) -> Weights {
        let mut weights = Weights::new();
        self.rows().into_iter().for_each(|row| weights.push(row));
        weights
    }
}

/// One slot for each column: how it is refined where a model holds it at a coarse level.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refinements(Vec<Option<Refinement>>);

impl Refinements {
    /// As a method gives them: checked and normalized. None at all may be left out.
    pub fn fitted(sizes: &[u32], given: Vec<Option<Refinement>>, rules: &Rules) -> Result<Self, ModelError> {
        let all = if given.is_empty() { vec![None; sizes.len()] } else { given };
        refuse_if(all.len() != sizes.len(), "there is not one refinement, or none, for each column")?;
        Self(all).each(|attribute, refinement| refinement.checked(attribute, sizes[attribute], rules))
    }

    /// As they stand in a file, before anything is known but their shapes: rules are worked out
    /// code by code, and codes without a stored number must not cost memory.
    pub fn shaped(sizes: &[u32], all: Vec<Option<Refinement>>) -> Result<Self, ModelError> {
        let fits = |(refinement, &size): (&Option<Refinement>, &u32)| {
            refinement.as_ref().is_none_or(|refinement| refinement.fits(size))
        };
        refuse_if(all.len() != sizes.len() || !all.iter().zip(sizes).all(fits), "the groups do not fit the schema")?;
        Ok(Self(all))
    }

    /// As they stand in a file: checked, and nothing rescaled.
    pub fn stored(self, sizes: &[u32], rules: &Rules) -> Result<Self, ModelError> {
        self.each(|attribute, refinement| refinement.stored(attribute, sizes[attribute], rules))
    }

    fn each(self, check: impl Fn(usize, Refinement) -> Result<Refinement, ModelError>) -> Result<Self, ModelError> {
        let one = |(attribute, refinement): (usize, Option<Refinement>)| {
            refinement.map(|refinement| check(attribute, refinement)).transpose()
        };
        Ok(Self(self.0.into_iter().enumerate().map(one).collect::<Result<_, _>>()?))
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.0.len()
    }

    /// How a column is refined. Variables behind the columns are not.
    pub fn get(&self, attribute: usize) -> Option<&Refinement> {
        self.0.get(attribute)?.as_ref()
    }

    /// The columns that are refined, in order.
    pub fn refined(&self) -> impl Iterator<Item = (usize, &Refinement)> {
        self.0.iter().enumerate().filter_map(|(attribute, one)| Some((attribute, one.as_ref()?)))
    }

    /// The sizes of the columns at their coarse level.
    pub fn coarse(&self, sizes: &[u32]) -> Domain {
        let size = |(&size, one): (&u32, &Option<Refinement>)| one.as_ref().map_or(size, |one| one.grouping.groups());
        Domain::new(sizes.iter().zip(&self.0).map(size).collect())
    }

    /// What codes of a column are at its coarse level, as far as they can be drawn.
    pub fn touched(&self, attribute: usize, codes: &[u32]) -> Vec<u32> {
        self.get(attribute).map_or_else(|| codes.to_vec(), |refinement| refinement.touched(codes))
    }

    /// Spreads each group's probability over its codes, but for columns that are kept. The domain
    /// is the coarse one.
    pub fn spread(
        &self,
        domain: &Domain,
        clique: &Clique,
        coarse: Vec<f64>,
        keep: &dyn Fn(AttrId) -> bool,
    ) -> Result<Vec<f64>, ModelError> {
        let mut values = coarse;
        let mut shape = shape(domain, clique);
        for (axis, attribute) in clique.attributes().iter().enumerate().filter(|(_, one)| !keep(**one)) {
            let Some(refinement) = self.get(attribute.index()) else { continue };
            let inner: usize = shape[axis + 1..].iter().product();
            let codes = refinement.weights.len();
            let cells = affordable(Some((values.len() / shape[axis] * codes) as u64))?;
            let mut fine = Vec::with_capacity(cells);
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
}
