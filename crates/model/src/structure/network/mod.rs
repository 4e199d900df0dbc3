//! Bayesian networks: each column given some earlier ones.
//!
//! - `conditional` is one column's table, as a method gives it and as a model keeps it;
//! - `draws` turns a network into a sampling plan, with the schema's impossible rules kept.

mod conditional;
mod draws;

use std::sync::OnceLock;

use lookalike_schema::{Clique, Schema};

use crate::impossible::RuleGroup;
use crate::sampling::plan::SamplingPlan;
use crate::sampling::plan::junction::Compiled;
use crate::{ModelError, Rules, refuse_if};
pub use conditional::Conditional;

/// Networks whose whole junction tree has at most this many cells answer every marginal from it.
const WHOLE_CELLS: u64 = 1 << 22;

/// Columns in an order in which parents come before their children.
///
/// # Impossible rules
/// A row is drawn column by column. Where a rule about several columns would be broken, or could no
/// longer be kept, by a code, that code is left out and the others' probabilities are scaled up. If
/// the conditional leaves none, the column's own shape among the codes that are left counts, and if
/// that has none either, they are alike. So every row is possible, no row is ever drawn twice, and
/// the distribution is that of the network *cut column by column* - not the network's distribution
/// given that the row is possible, in which a rule would also bear on the columns before it.
#[derive(Clone, Debug)]
pub(crate) struct NetworkModel {
    /// Variables behind the columns that are drawn with them and never shown, by their numbers of
    /// codes.
    hidden: Vec<u32>,
    conditionals: Vec<Conditional>,
    /// The columns that rules tie together, in the network's order.
    groups: Vec<RuleGroup>,
    /// Made when first needed.
    sampling_plan: OnceLock<SamplingPlan>,
    whole: OnceLock<Option<Compiled>>,
}

impl PartialEq for NetworkModel {
    fn eq(&self, other: &Self) -> bool {
        self.hidden == other.hidden && self.conditionals == other.conditionals
    }
}

impl NetworkModel {
    /// The network with these tables, normalized; rows without weight take the column's own shape.
    pub fn fitted(
        schema: &Schema,
        rules: &Rules,
        hidden: &[u32],
        conditionals: Vec<Conditional>,
    ) -> Result<Self, ModelError> {
        let sizes = &all_sizes(schema.domain().sizes(), hidden)?;
        let conditionals = conditionals
            .into_iter()
            .map(|conditional| conditional.checked(sizes, rules))
            .collect::<Result<Vec<_>, _>>()?;
        Self::ordered(schema, hidden, conditionals)
    }

    /// As it stands in a file: checked, and nothing rescaled.
    pub fn stored(
        schema: &Schema,
        hidden: &[u32],
        conditionals: Vec<Conditional>,
    ) -> Result<(Self, Rules), ModelError> {
        let sizes = &all_sizes(schema.domain().sizes(), hidden)?;
        // Shapes first: rules are worked out code by code, and codes without a stored number must
        // not cost memory.
        conditionals.iter().try_for_each(|conditional| conditional.check_shape(sizes))?;
        check_order(sizes, &conditionals)?;
        let rules = Rules::new(schema)?;
        let conditionals = conditionals
            .into_iter()
            .map(|conditional| conditional.stored(sizes, &rules))
            .collect::<Result<Vec<_>, _>>()?;
        Ok((Self::ordered(schema, hidden, conditionals)?, rules))
    }

    fn ordered(schema: &Schema, hidden: &[u32], conditionals: Vec<Conditional>) -> Result<Self, ModelError> {
        let sizes = schema.domain().sizes();
        check_order(&all_sizes(sizes, hidden)?, &conditionals)?;
        let order: Vec<usize> = conditionals.iter().map(|conditional| conditional.child.index()).collect();
        let groups = Rules::groups_in_order(sizes, schema.impossible(), &order)?;
        let hidden = hidden.to_vec();
        let network = Self { hidden, conditionals, groups, sampling_plan: OnceLock::new(), whole: OnceLock::new() };
        network.check_draws(sizes)?;
        Ok(network)
    }

    /// The tables, in the network's order.
    pub fn conditionals(&self) -> &[Conditional] {
        &self.conditionals
    }

    /// The hidden variables' numbers of codes.
    pub fn hidden(&self) -> &[u32] {
        &self.hidden
    }

    /// The network as draws, in its order.
    pub fn sampling_plan(&self, sizes: &[u32]) -> &SamplingPlan {
        self.sampling_plan.get_or_init(|| self.draws(sizes))
    }

    /// The probabilities of any columns' cells. Small networks are compiled as a whole, once; of
    /// large ones only what the columns depend on. Refuses what would be too large.
    pub fn marginal(&self, sizes: &[u32], clique: &Clique) -> Result<Vec<f64>, ModelError> {
        let columns: Vec<usize> = clique.attributes().iter().map(|attribute| attribute.index()).collect();
        let sampling_plan = self.sampling_plan(sizes);
        let all: Vec<usize> = (0..sizes.len()).collect();
        match self.whole.get_or_init(|| sampling_plan.compile(&all, WHOLE_CELLS).ok()) {
            Some(whole) => whole.marginal(&columns),
            None => sampling_plan.marginal(&columns),
        }
    }

    pub fn in_words(&self) -> String {
        let most = self.conditionals.iter().map(|conditional| conditional.parents.len()).max().unwrap_or(0);
        let edges: usize = self.conditionals.iter().map(|conditional| conditional.parents.len()).sum();
        format!(
            "The rows follow a network: each column depends directly on at most {most} others ({edges} such links in all). \
             Columns that are not linked are related only through those between them: finer relations among them are not \
             held."
        )
    }
}

/// The columns' numbers of codes and, behind them, the hidden variables'.
fn all_sizes(sizes: &[u32], hidden: &[u32]) -> Result<Vec<u32>, ModelError> {
    refuse_if(hidden.contains(&0), "a hidden variable of the network has no codes")?;
    Ok(sizes.iter().chain(hidden).copied().collect())
}

/// Every column has one table, and depends on earlier ones only.
fn check_order(sizes: &[u32], conditionals: &[Conditional]) -> Result<(), ModelError> {
    let mut drawn = vec![false; sizes.len()];
    for conditional in conditionals {
        let early = conditional.parents.iter().any(|(parent, _)| !drawn[parent.index()]);
        refuse_if(early, "a column of the network depends on one that does not come before it")?;
        let again = std::mem::replace(&mut drawn[conditional.child.index()], true);
        refuse_if(again, "a column of the network has two tables")?;
    }
    refuse_if(drawn.contains(&false), "a column has no table in the network")?;
    Ok(())
}
