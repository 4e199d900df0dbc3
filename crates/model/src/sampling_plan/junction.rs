//! The part of a sampling plan that some variables depend on, as a junction tree.

use std::sync::Arc;

use lookalike_schema::{AttrId, Clique, Domain, Grouping};

use super::evidence::{Conditioned, Evidence, NotATree, Scale};
use super::{Draw, Parent, SamplingPlan, Weights, strides, sums};
use crate::factor::plan::permuted;
use crate::{Calibrated, Factor, ModelError, Tree};

/// Junction trees with more cells than this are not made for a question: 2^26 cells are half a
/// gibibyte.
const MAX_CELLS: u64 = 1 << 26;

/// What the tree calls a variable of the sampling plan, or the group of one.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    variable: usize,
    grouping: Option<Arc<Grouping>>,
}

/// A tree over the variables that matter, with one factor a draw.
struct Junction {
    /// What each attribute of the tree is. Plain variables come first and ascend.
    seen: Vec<Seen>,
    tree: Tree,
    factors: Vec<Factor>,
}

/// A calibrated tree over the variables that matter.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    seen: Vec<Seen>,
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
        let draws: Vec<&Draw> =
            self.draws.iter().zip(needed).filter(|(_, needed)| **needed).map(|pair| pair.0).collect();
        let mut plain: Vec<usize> = draws.iter().flat_map(|draw| draw.children.iter().copied()).collect();
        plain.sort_unstable();
        let mut seen: Vec<Seen> = plain.into_iter().map(|variable| Seen { variable, grouping: None }).collect();
        for parent in draws.iter().flat_map(|draw| &draw.parents) {
            let one = Seen { variable: parent.variable, grouping: parent.grouping.clone() };
            if one.grouping.is_some() && !seen.contains(&one) {
                seen.push(one);
            }
        }
        let size = |one: &Seen| one.grouping.as_ref().map_or(self.sizes[one.variable], |grouping| grouping.groups());
        let domain = Domain::new(seen.iter().map(size).collect());
        let mut junction = Junction { seen, tree: Tree::new(&domain, &[], &[])?, factors: Vec::new() };
        let mut scopes: Vec<Vec<AttrId>> = Vec::new();
        for draw in &draws {
            scopes.push(junction.scope(draw));
        }
        for (place, one) in junction.seen.iter().enumerate().filter(|(_, one)| one.grouping.is_some()) {
            scopes.extend(junction.name(one.variable, None).map(|base| vec![base, AttrId(place as u32)]));
        }
        let cliques: Vec<Clique> = scopes.iter().map(|scope| Clique::new(scope.iter().copied())).collect();
        junction.tree = Tree::new(&domain, &cliques, &[])?;
        if junction.tree.cells() > most {
            return Err(ModelError::shape(format!(
                "these columns depend on so many others that the answer needs {} cells (at most {most}); ask for \
                 fewer columns",
                junction.tree.cells()
            )));
        }
        let groupings =
            junction.seen.iter().filter_map(|one| one.grouping.as_ref()).map(|grouping| indicator(grouping));
        let tables = draws.iter().map(|draw| dense(draw, self)).chain(groupings);
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
    fn scope(&self, draw: &Draw) -> Vec<AttrId> {
        let parents = draw.parents.iter().filter_map(|parent| self.name(parent.variable, parent.grouping.as_ref()));
        parents.chain(draw.children.iter().filter_map(|&child| self.name(child, None))).collect()
    }

    /// The tree as a sampling plan of potentials over the outer sampling plan's variables. Groups
    /// become hidden variables.
    fn walk(&self, outer: &SamplingPlan) -> Result<SamplingPlan, ModelError> {
        let mut sampling_plan = SamplingPlan { sizes: outer.sizes.clone(), columns: outer.columns, draws: Vec::new() };
        let mut names = Vec::with_capacity(self.seen.len());
        for (place, one) in self.seen.iter().enumerate() {
            let hidden = || self.tree.domain().sizes()[place];
            names.push(if one.grouping.is_none() { one.variable } else { sampling_plan.hide(hidden()) });
        }
        let cliques = self.tree.cliques();
        let mut tables = Vec::new();
        for clique in cliques {
            tables.push(Factor::filled(self.tree.domain(), clique, 1.0)?);
        }
        for factor in &self.factors {
            let home = self.tree.home(&factor.clique());
            let home = home.ok_or_else(|| ModelError::shape("a factor lies in no clique of its junction tree"))?;
            tables[home] = tables[home].multiply(factor)?;
        }
        for (node, above) in rooted(&self.tree) {
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
fn name(seen: &[Seen], variable: usize, grouping: Option<&Arc<Grouping>>) -> Option<AttrId> {
    let place = seen.iter().position(|one| one.variable == variable && one.grouping.as_ref() == grouping);
    place.map(|place| AttrId(place as u32))
}

/// The cliques of a tree from clique 0 outwards, each with the one it was reached from.
pub(crate) fn rooted(tree: &Tree) -> Vec<(usize, Option<usize>)> {
    let mut order = Vec::with_capacity(tree.cliques().len());
    let mut stack: Vec<(usize, Option<usize>)> = tree.cliques().first().map(|_| (0, None)).into_iter().collect();
    while let Some((node, above)) = stack.pop() {
        order.push((node, above));
        let next = tree.neighbours(node).iter().rev().filter(|&&other| Some(other) != above);
        stack.extend(next.map(|&other| (other, Some(node))));
    }
    order
}

/// The attributes that a clique shares with the one before it, and the others.
pub(crate) fn split(clique: &Clique, shared: &Clique) -> (Vec<AttrId>, Vec<AttrId>) {
    clique.attributes().iter().partition(|attribute| shared.contains(**attribute))
}

/// A clique's table as weights of the new attributes for each cell of the shared ones.
pub(crate) fn turned(domain: &Domain, clique: &Clique, shared: &Clique, values: &[f64]) -> Weights {
    let shape: Vec<usize> = domain.shape(clique).iter().map(|&size| size as usize).collect();
    let (mut order, fresh): (Vec<usize>, Vec<usize>) =
        (0..shape.len()).partition(|&axis| shared.contains(clique.attributes()[axis]));
    let width = fresh.iter().map(|&axis| shape[axis]).product();
    order.extend(fresh);
    Weights::dense(&permuted(values, &shape, &order), width)
}

/// A draw's conditional probabilities as a dense table, parents first. A parent cell that never
/// occurs has none.
fn dense(draw: &Draw, sampling_plan: &SamplingPlan) -> Vec<f64> {
    let width = draw.width(&sampling_plan.sizes);
    let mut values = vec![0.0; draw.weights.rows() * width];
    for (row, block) in values.chunks_exact_mut(width).enumerate() {
        let total = draw.weights.total(row);
        let (cells, weights) = draw.weights.row(row);
        cells.iter().zip(weights).for_each(|(&cell, weight)| block[cell as usize] = weight / total);
    }
    values
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
    let shape: Vec<usize> = domain.shape(&clique).iter().map(|&size| size as usize).collect();
    let own: Vec<usize> = scope.iter().map(|&attribute| domain.size(attribute) as usize).collect();
    let steps = strides(&own);
    let places = sums(&shape, |axis, digit| {
        let mine = scope.iter().zip(&steps).filter(|(attribute, _)| **attribute == clique.attributes()[axis]);
        mine.map(|(_, step)| step * digit).sum()
    });
    Factor::new(domain, &clique, places.into_iter().map(|place| values[place]).collect())
}
