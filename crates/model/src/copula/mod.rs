//! Values that follow other columns inside groups.
//!
//! A tree that holds a column as groups says nothing of where in a group a row's value lies, so
//! values inside a group would be drawn whatever the other columns are. A normal copula of the
//! ordered columns, cut to each row's groups, fills that in: rows of a group exchange their values
//! so that rows which are high in related columns get the high ones. What the tree says of groups,
//! and how often each value occurs, stays as it was.
//!
//! The copula is no measurement. It is worked out from the tree ([`estimate`]), and queries and
//! error bars do not know it.

mod estimate;
mod exchange;
mod normal;
mod pair;
mod scores;

use lookalike_schema::{AttrId, Clique, Schema};

use crate::structure::tree::TreeModel;
use crate::{ModelError, refuse_if};

pub(crate) use estimate::PILOT_ROWS;
pub(crate) use exchange::Exchange;
pub use normal::below as normal_cdf;
pub(crate) use normal::quantile;
pub use pair::nearest_copula;

/// The correlations of the normal scores of some columns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Copula {
    /// The columns, ascending.
    pub columns: Vec<u32>,
    /// Row by row, the diagonal with them.
    pub correlations: Vec<f64>,
}

/// The scores of a row whose code has no order.
const ANYWHERE: (f64, f64) = (-normal::FARTHEST, normal::FARTHEST);

/// A column whose groups are runs of its ordered codes.
#[derive(Clone, Debug)]
struct OrderedColumn {
    attribute: usize,
    /// The group of each code: the tree's, or one of its own for a code without an order.
    group_of: Vec<u32>,
    /// The normal scores that each group lies between. A group without an order may lie anywhere.
    bounds: Vec<(f64, f64)>,
    /// Whether a group has several codes, so that rows may exchange them.
    is_wide: Vec<bool>,
}

impl Copula {
    /// Refuses what does not fit the schema, and what no correlations could be.
    pub fn check(&self, schema: &Schema) -> Result<(), ModelError> {
        let count = self.columns.len();
        let ascend = self.columns.windows(2).all(|pair| pair[0] < pair[1]);
        let known = self.columns.iter().all(|&column| (column as usize) < schema.domain().len());
        let misfit = !ascend || !known || self.correlations.len() != count * count;
        refuse_if(misfit, "the copula does not fit the schema")?;
        let entry = |(place, &value): (usize, &f64)| {
            let turned = self.correlations[place % count * count + place / count];
            let is_own = place / count == place % count;
            if is_own { value == 1.0 } else { value.abs() <= 1.0 && value == turned }
        };
        let sound = self.correlations.iter().enumerate().all(entry);
        refuse_if(!sound, "the copula's correlations are not those of anything")
    }
}

impl OrderedColumn {
    /// None where the values have no order, or the tree's groups are no runs of them.
    fn of(schema: &Schema, tree: &TreeModel, attribute: AttrId) -> Result<Option<Self>, ModelError> {
        let codec = schema.codec(attribute);
        if !codec.is_ordered() {
            return Ok(None);
        }
        let (size, present) = (codec.size(), codec.present() as usize);
        let refinement = tree.parts().refinements.get(attribute.index());
        let mut group_of = refinement.map_or_else(|| (0..size).collect(), |one| one.grouping.group_of().to_vec());
        let ordered = &group_of[..present];
        if !ordered.is_sorted() || present == 0 {
            return Ok(None);
        }
        let shares = tree.coarse_marginal(&Clique::single(attribute))?;
        let mut codes = vec![0usize; shares.len()];
        ordered.iter().for_each(|&group| codes[group as usize] += 1);
        let is_run = |group: usize| codes[group] > 0;
        let total: f64 = (0..shares.len()).filter(|&group| is_run(group)).map(|group| shares[group]).sum();
        let mut below = 0.0;
        let mut bounds = vec![ANYWHERE; shares.len()];
        for group in (0..shares.len()).filter(|&group| is_run(group)) {
            let low = below;
            below += shares[group] / total.max(f64::MIN_POSITIVE);
            bounds[group] = (normal::quantile(low), normal::quantile(below));
        }
        let mut is_wide: Vec<bool> = codes.iter().map(|&codes| codes > 1).collect();
        // A code without an order that is held in a run has no place in it.
        for group in group_of[present..].iter_mut().filter(|group| codes[**group as usize] > 0) {
            *group = bounds.len() as u32;
            bounds.push(ANYWHERE);
            is_wide.push(false);
        }
        Ok(Some(Self { attribute: attribute.index(), group_of, bounds, is_wide }))
    }

    fn bounds(&self, code: u32) -> (f64, f64) {
        self.bounds[self.group_of[code as usize] as usize]
    }
}
