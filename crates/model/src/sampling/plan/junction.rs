//! The part of a sampling plan that some variables depend on, as a junction tree.

use std::sync::Arc;

use lookalike_schema::{AttrId, Clique, Domain, Grouping};

use super::evidence::{Conditioned, Evidence, NotATree, Scale};
use super::{ConditionalDraw, Parent, SamplingPlan, Weights};
use crate::pgm::factor::layout::{digit_sums, permuted, shape, strides};
use crate::{Calibrated, Factor, JunctionTree, ModelError};

/// Junction trees with more cells than this are not made for a question: 2^26 cells are half a
/// gibibyte.
const MAX_CELLS: u64 = 1 << 26;

/// A tree over the variables that matter, with one factor a draw.
struct Junction {
    /// What each attribute of the tree is. Plain variables come first and ascend.
    seen: Vec<Parent>,
    tree: JunctionTree,
    factors: Vec<Factor>,
}

/// A calibrated tree over the variables that matter.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    seen: Vec<Parent>,
    calibrated: Calibrated,
}

impl Compiled {
    /// The joint probabilities of some of the columns that it was made for, in ascending order,
    /// last one fastest.
    pub fn marginal(&self, columns: &[usize]) -> Result<Vec<f64>, ModelError> {
        let asked = Clique::new(columns.iter().filter_map(|&column| name(&self.seen, column, None)));
        Ok(self.calibrated.marginal(&asked)?.into_values())
    }
}

impl SamplingPlan {
    /// The joint probabilities of some columns, in ascending order, last one fastest.
    pub fn marginal(&self, columns: &[usize]) -> Result<Vec<f64>, ModelError> {
        if columns.is_empty() {
            return Ok(vec![1.0]);
        }
        self.compile(columns, MAX_CELLS)?.marginal(columns)
    }

    /// All that some columns depend on, ready for many questions. Refuses a tree of more than
    /// `most` cells.
    pub fn compile(&self, columns: &[usize], most: u64) -> Result<Compiled, ModelError> {
        let junction = self.junction(&self.needed(columns), most)?;
        let logs: Vec<_> = junction.factors.iter().map(Factor::ln).collect();
        let calibrated = Calibrated::new(&junction.tree, &logs)?;
        Ok(Compiled { seen: junction.seen, calibrated })
    }

    /// The sampling plan given the evidence, whatever its shape: what the evidence bears on is
    /// drawn along a junction tree, all else as before.
    pub fn condition(&self, evidence: &Evidence) -> Result<Conditioned, ModelError> {
        match self.given(evidence, Scale::Conditional) {
            Ok(conditioned) => Ok(conditioned),
            Err(NotATree) if evidence.iter().all(Option::is_none) => {
                Ok(Conditioned { sampling_plan: self.clone(), probability: 1.0 })
            }
            Err(NotATree) => self.by_junction(evidence),
        }
    }

    fn by_junction(&self, evidence: &Evidence) -> Result<Conditioned, ModelError> {
        let known: Vec<usize> = (0..self.sizes.len()).filter(|&variable| evidence[variable].is_some()).collect();
        let needed = self.needed(&known);
        let junction = self.junction(&needed, MAX_CELLS)?;
        let mut sampling_plan = junction.walk(self)?;
        let mut inner: Evidence = vec![None; sampling_plan.sizes.len()];
        for &variable in &known {
            inner[variable].clone_from(&evidence[variable]);
        }
        let Ok(conditioned) = sampling_plan.given(&inner, Scale::Potential) else {
            return Err(ModelError::shape("a junction tree is not a tree"));
        };
        sampling_plan = conditioned.sampling_plan;
        let rest = self.draws.iter().zip(&needed).filter(|(_, needed)| !**needed);
        sampling_plan.draws.extend(rest.map(|(draw, _)| draw.clone()));
        Ok(Conditioned { sampling_plan, probability: conditioned.probability })
    }

    /// Which draws the variables depend on.
    fn needed(&self, variables: &[usize]) -> Vec<bool> {
        let mut wanted = vec![false; self.sizes.len()];
        variables.iter().for_each(|&variable| wanted[variable] = true);
        let mut needed = vec![false; self.draws.len()];
        for (number, draw) in self.draws.iter().enumerate().rev() {
            if draw.children.iter().any(|&child| wanted[child]) {
                needed[number] = true;
                draw.parents.iter().for_each(|parent| wanted[parent.variable] = true);
            }
        }
        needed
    }

    fn junction(&self, needed: &[bool], most: u64) -> Result<Junction, ModelError> {
        let draws: Vec<&ConditionalDraw> =
            self.draws.iter().zip(needed).filter(|(_, needed)| **needed).map(|pair| pair.0).collect();
        let mut plain: Vec<usize> = draws.iter().flat_map(|draw| draw.children.iter().copied()).collect();
        plain.sort_unstable();
        let mut seen: Vec<Parent> = plain.into_iter().map(Parent::plain).collect();
        for parent in draws.iter().flat_map(|draw| &draw.parents) {
            if parent.grouping.is_some() && !seen.contains(parent) {
                seen.push(parent.clone());
            }
        }
        let domain = Domain::new(seen.iter().map(|one| one.size(&self.sizes) as u32).collect());
        let mut junction = Junction { seen, tree: JunctionTree::new(&domain, &[], &[])?, factors: Vec::new() };
        let mut scopes: Vec<Vec<AttrId>> = draws.iter().map(|draw| junction.scope(draw)).collect();
        for (place, one) in junction.seen.iter().enumerate().filter(|(_, one)| one.grouping.is_some()) {
            scopes.extend(junction.name(one.variable, None).map(|base| vec![base, AttrId(place as u32)]));
        }
        let cliques: Vec<Clique> = scopes.iter().map(|scope| Clique::new(scope.iter().copied())).collect();
        junction.tree = JunctionTree::new(&domain, &cliques, &[])?;
        if junction.tree.cells() > most {
            return Err(ModelError::shape(format!(
                "these columns depend on so many others that the answer needs {} cells (at most {most}); ask for \
                 fewer columns",
                junction.tree.cells()
            )));
        }
        let groupings =
            junction.seen.iter().filter_map(|one| one.grouping.as_ref()).map(|grouping| indicator(grouping));
        let tables = draws.iter().map(|draw| draw.weights.shares(draw.width(&self.sizes))).chain(groupings);
        let factors = tables.zip(&scopes).map(|(values, scope)| factor(&domain, scope, values));
        junction.factors = factors.collect::<Result<_, _>>()?;
        Ok(junction)
    }
}

impl Junction {
    fn name(&self, variable: usize, grouping: Option<&Arc<Grouping>>) -> Option<AttrId> {
        name(&self.seen, variable, grouping)
    }

    /// The attributes of a draw's table: parents, then children.
    fn scope(&self, draw: &ConditionalDraw) -> Vec<AttrId> {
        let parents = draw.parents.iter().filter_map(|parent| self.name(parent.variable, parent.grouping.as_ref()));
        parents.chain(draw.children.iter().filter_map(|&child| self.name(child, None))).collect()
    }

    /// The tree as a sampling plan of potentials over the outer sampling plan's variables. Groups
    /// become hidden variables.
    fn walk(&self, outer: &SamplingPlan) -> Result<SamplingPlan, ModelError> {
        let mut sampling_plan = SamplingPlan { sizes: outer.sizes.clone(), columns: outer.columns, draws: Vec::new() };
        let named = self.seen.iter().zip(self.tree.domain().sizes());
        let names: Vec<usize> = named
            .map(|(one, &size)| if one.grouping.is_none() { one.variable } else { sampling_plan.hide(size) })
            .collect();
        let cliques = self.tree.cliques();
        let ones = cliques.iter().map(|clique| Factor::filled(self.tree.domain(), clique, 1.0));
        let mut tables = ones.collect::<Result<Vec<_>, _>>()?;
        for factor in &self.factors {
            let home = self.tree.home(&factor.clique());
            let home = home.ok_or_else(|| ModelError::shape("a factor lies in no clique of its junction tree"))?;
            tables[home] = tables[home].multiply(factor)?;
        }
        for (node, above) in self.tree.rooted() {
            let shared = above.map_or(Clique::new([]), |above| cliques[node].intersection(&cliques[above]));
            let (parents, children) = split(&cliques[node], &shared);
            let weights = turned(self.tree.domain(), &cliques[node], &shared, tables[node].values());
            let parents = parents.iter().map(|attribute| Parent::plain(names[attribute.index()])).collect();
            sampling_plan.push(parents, children.iter().map(|attribute| names[attribute.index()]).collect(), weights);
        }
        Ok(sampling_plan)
    }
}

/// What the tree calls a variable, or its group.
fn name(seen: &[Parent], variable: usize, grouping: Option<&Arc<Grouping>>) -> Option<AttrId> {
    let place = seen.iter().position(|one| one.variable == variable && one.grouping.as_ref() == grouping);
    place.map(|place| AttrId(place as u32))
}

/// The attributes that a clique shares with the one before it, and the others.
pub(crate) fn split(clique: &Clique, shared: &Clique) -> (Vec<AttrId>, Vec<AttrId>) {
    clique.attributes().iter().partition(|attribute| shared.contains(**attribute))
}

/// A clique's table as weights of the new attributes for each cell of the shared ones.
pub(crate) fn turned(domain: &Domain, clique: &Clique, shared: &Clique, values: &[f64]) -> Weights {
    let shape = shape(domain, clique);
    let (mut order, fresh): (Vec<usize>, Vec<usize>) =
        (0..shape.len()).partition(|&axis| shared.contains(clique.attributes()[axis]));
    let width = fresh.iter().map(|&axis| shape[axis]).product();
    order.extend(fresh);
    Weights::dense(&permuted(values, &shape, &order), width)
}

/// 1 where the group is the code's.
fn indicator(grouping: &Grouping) -> Vec<f64> {
    let groups = grouping.groups() as usize;
    let mut values = vec![0.0; grouping.codes() * groups];
    grouping.group_of().iter().enumerate().for_each(|(code, &group)| values[code * groups + group as usize] = 1.0);
    values
}

/// A table with axes in any order as a factor. An axis that is named twice counts once.
fn factor(domain: &Domain, scope: &[AttrId], values: Vec<f64>) -> Result<Factor, ModelError> {
    let clique = Clique::new(scope.iter().copied());
    let shape = shape(domain, &clique);
    let own: Vec<usize> = scope.iter().map(|&attribute| domain.size(attribute) as usize).collect();
    let steps = strides(&own);
    let places = digit_sums(&shape, |axis, digit| {
        let mine = scope.iter().zip(&steps).filter(|(attribute, _)| **attribute == clique.attributes()[axis]);
        mine.map(|(_, step)| step * digit).sum()
    });
    Factor::new(domain, &clique, places.into_iter().map(|place| values[place]).collect())
}
