//! Marginals of any columns, by variable elimination on the calibrated tree.
//!
//! Columns inside one clique are a sum over that clique. For others, only the smallest subtree that
//! holds them matters. One of its cliques answers; every branch sends it the distribution of the
//! asked columns that lie out there, given the overlap.
//!
//! Questions asked together share work: first it is found out which sums of which clique they all
//! need, then every clique makes its sums at once, then messages are made from them, each once.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use lookalike_schema::{AttrId, Clique};
use rayon::prelude::*;

use super::Calibrated;
use super::sums::shared_sums;
use crate::halt::PIECE;
use crate::pgm::factor::Factor;
use crate::pgm::factor::array::{FactorArray, FactorView, marginal_cells};
use crate::pgm::factor::axis_map::AxisMap;
use crate::pgm::factor::kernel::{self, VectorLevel};
use crate::{Halt, ModelError};

/// Questions whose sums have more cells than this together are answered half by half.
const KEPT_CELLS: u64 = 1 << 22;

/// Products with more cells than this are refused: seconds of work.
const MAX_WORK: u64 = 1 << 32;
/// Cells of a product that are worked on at a time, so that they stay in the first-level cache.
const BLOCK: usize = 1 << 11;
/// About the steps of finding the way of one question through the tree.
const WALK_STEPS: usize = 1 << 14;

/// A message's way (from, to) and the asked columns it speaks of.
type MessageKey = (usize, usize, Clique);

/// Sums of cliques' marginals, by clique and columns; and messages.
#[derive(Default)]
struct QueryCache {
    sums: HashMap<(usize, Clique), FactorArray>,
    messages: HashMap<MessageKey, FactorArray>,
}

/// What questions need: for each clique the columns of its sums, and the messages that are
/// accounted for.
#[derive(Default)]
struct QueryNeeds {
    sums: BTreeMap<usize, BTreeSet<Clique>>,
    messages: HashSet<MessageKey>,
}

/// A question.
struct MarginalWalk<'a> {
    model: &'a Calibrated,
    inside: Vec<bool>,
    asked: Clique,
}

impl Calibrated {
    /// The probabilities of a clique's cells. The empty clique has one cell of 1.
    ///
    /// Refuses attributes that the domain lacks, and questions whose answer or a message towards it
    /// has more than 2^27 cells.
    pub fn marginal(&self, clique: &Clique) -> Result<Factor, ModelError> {
        let mut answers = self.marginals(std::slice::from_ref(clique))?;
        answers.pop().ok_or_else(|| ModelError::shape("no marginal was asked for"))
    }

    /// The marginals of many cliques, in their order. Refuses as [`Calibrated::marginal`] does.
    pub fn marginals(&self, cliques: &[Clique]) -> Result<Vec<Factor>, ModelError> {
        cliques.iter().try_for_each(|clique| marginal_cells(self.tree().domain(), clique).map(|_| ()))?;
        let mut answers = Vec::with_capacity(cliques.len());
        self.answer(cliques, &mut answers)?;
        Ok(answers)
    }

    /// Answers all questions at once, or half by half when that would take too much memory.
    fn answer(&self, cliques: &[Clique], answers: &mut Vec<Factor>) -> Result<(), ModelError> {
        let mut needs = QueryNeeds::default();
        let roots: Vec<Option<usize>> = cliques.iter().map(|clique| self.root(clique)).collect();
        for (clique, root) in cliques.iter().zip(&roots) {
            self.halt().check(WALK_STEPS)?;
            if let Some(root) = *root {
                MarginalWalk::new(self, clique).needs(root, None, &mut needs);
            }
        }
        let domain = self.tree().domain();
        let cells = needs.sums.values().flatten().map(|set| domain.cells(set).unwrap_or(u64::MAX));
        if cells.fold(0u64, u64::saturating_add) > KEPT_CELLS && cliques.len() > 1 {
            let (front, back) = cliques.split_at(cliques.len() / 2);
            self.answer(front, answers)?;
            return self.answer(back, answers);
        }
        let sums = needs.sums.into_par_iter().flat_map_iter(|(node, sets)| {
            shared_sums(self.belief(node), sets, self.halt()).into_iter().map(move |(set, sum)| ((node, set), sum))
        });
        let mut kept = QueryCache { sums: sums.collect(), messages: HashMap::new() };
        // Sums that were told to stop are not all there.
        self.halt().check(0)?;
        for (clique, root) in cliques.iter().zip(roots) {
            let table = match root {
                None => FactorArray { axes: Vec::new(), values: vec![1.0] },
                Some(root) => MarginalWalk::new(self, clique).joint(root, None, &mut kept)?,
            };
            answers.push(Factor::from_array(self.canonical(clique, &table.values)));
        }
        Ok(())
    }

    fn halt(&self) -> &Halt {
        &self.engine.halt
    }

    /// The marginal of a tree clique as it lies in the engine: axes are outermost first.
    pub(crate) fn belief(&self, node: usize) -> FactorView<'_> {
        let schedule = &self.engine.schedule;
        let place = schedule.order.nodes.iter().position(|&other| other == node).unwrap_or(0);
        FactorView { axes: &schedule.nodes[place].axes, values: &self.engine.states[place].table }
    }

    fn rank(&self, attribute: AttrId) -> usize {
        self.engine.schedule.order.ranks[attribute.index()]
    }

    /// The clique that answers: the smallest around the asked columns; else, in the smallest
    /// subtree that holds them, the one with most of them, among equals the smaller one, always the
    /// same. `None` when nothing is asked.
    fn root(&self, asked: &Clique) -> Option<usize> {
        if asked.is_empty() {
            return None;
        }
        if let Some(home) = self.tree().home(asked) {
            return Some(home);
        }
        let inside = self.tree().subtree(asked);
        let cliques = self.tree().cliques();
        let cells = |node: usize| self.tree().domain().cells(&cliques[node]).unwrap_or(u64::MAX);
        (0..cliques.len())
            .filter(|&node| inside[node])
            .max_by_key(|&node| (cliques[node].intersection(asked).len(), std::cmp::Reverse((cells(node), node))))
    }
}

impl<'a> MarginalWalk<'a> {
    fn new(model: &'a Calibrated, asked: &Clique) -> Self {
        // Inside one clique no other matters.
        let inside = match model.tree().home(asked) {
            Some(_) => vec![false; model.tree().cliques().len()],
            None => model.tree().subtree(asked),
        };
        Self { model, inside, asked: asked.clone() }
    }

    fn narrowed(&self, asked: Clique) -> Self {
        Self { model: self.model, inside: self.inside.clone(), asked }
    }

    /// The branches of a clique on the way to `towards`, with their overlaps; and the columns of
    /// the clique that matter.
    fn branches(&self, node: usize, towards: Option<usize>) -> (Vec<(usize, Clique)>, Clique, Clique) {
        let cliques = self.model.tree().cliques();
        let overlap = |other: usize| cliques[node].intersection(&cliques[other]);
        let goal = towards.map_or_else(|| Clique::new([]), overlap).union(&self.asked);
        let others = self.model.tree().neighbours(node).iter().copied();
        let others = others.filter(|&other| self.inside[other] && Some(other) != towards);
        let branches: Vec<(usize, Clique)> = others.map(|other| (other, overlap(other))).collect();
        let needed = branches.iter().fold(goal.clone(), |needed, (_, shared)| needed.union(shared));
        let matters = needed.intersection(&cliques[node]);
        (branches, goal, matters)
    }

    /// Notes what [`MarginalWalk::joint`] will need.
    fn needs(&self, node: usize, towards: Option<usize>, needs: &mut QueryNeeds) {
        let (branches, _, matters) = self.branches(node, towards);
        for (other, shared) in branches {
            let beyond = self.beyond(other, node, &shared);
            let key = (other, node, beyond.clone());
            if needs.messages.insert(key) {
                self.narrowed(beyond).needs(other, Some(node), needs);
            }
        }
        needs.sums.entry(node).or_default().insert(matters);
    }

    /// The joint distribution of the asked columns on this side of `towards`, and of the overlap
    /// with it.
    fn joint(&self, node: usize, towards: Option<usize>, kept: &mut QueryCache) -> Result<FactorArray, ModelError> {
        let (found, goal, matters) = self.branches(node, towards);
        let mut branches: Vec<(Clique, FactorArray)> = Vec::with_capacity(found.len());
        for (other, shared) in found {
            let message = self.message(other, node, &shared, kept)?;
            branches.push((shared, message));
        }
        // What no branch and no goal needs has been summed out.
        let key = (node, matters);
        let sum = || self.model.belief(node).sum_onto(&key.1);
        let mut joint = kept.sums.get(&key).cloned().unwrap_or_else(sum);
        while !branches.is_empty() {
            // Small messages first: large ones then meet a table that has been summed already.
            let next = (0..branches.len()).min_by_key(|&branch| branches[branch].1.values.len()).unwrap_or(0);
            let (_, message) = branches.swap_remove(next);
            let needed = branches.iter().fold(goal.clone(), |needed, (shared, _)| needed.union(shared));
            joint = self.contract(joint, &message, &needed)?;
        }
        Ok(joint.sum_onto(&goal))
    }

    /// The product of a table and a message, summed onto the needed columns: block by block, so
    /// that the product itself, which may be many times larger than both, is never there as a
    /// whole.
    fn contract(&self, table: FactorArray, message: &FactorArray, needed: &Clique) -> Result<FactorArray, ModelError> {
        let axes = table.union(message, |attribute| self.model.rank(attribute));
        let cells = axes.iter().try_fold(1u64, |cells, axis| cells.checked_mul(axis.1 as u64));
        let Some(cells) = cells.filter(|&cells| cells <= MAX_WORK) else {
            return Err(ModelError::shape("the marginal takes more than 2^32 steps; ask for fewer columns"));
        };
        // The message's own asked columns are needed as well: they are in the goal.
        let kept = |attribute: AttrId| needed.contains(attribute);
        let plans = [
            AxisMap::new(&axes, |attribute| table.has(attribute)),
            AxisMap::new(&axes, |attribute| message.has(attribute)),
            AxisMap::new(&axes, kept),
        ];
        let mut sums = FactorArray::filled(axes.into_iter().filter(|axis| kept(axis.0)).collect(), 0.0)?;
        let level = VectorLevel::detect();
        let mut block = [0.0; BLOCK];
        for start in (0..cells as usize).step_by(BLOCK) {
            if start.is_multiple_of(PIECE) {
                self.model.halt().check(PIECE.min(cells as usize))?;
            }
            let block = &mut block[..BLOCK.min(cells as usize - start)];
            block.fill(1.0);
            kernel::multiply_by(level, &plans[0], start, block, &table.values);
            kernel::multiply_by(level, &plans[1], start, block, &message.values);
            kernel::add_onto(level, &plans[2], start, block, &mut sums.values);
        }
        Ok(sums)
    }

    /// The distribution of the asked columns beyond the overlap, given the overlap.
    fn message(
        &self,
        from: usize,
        to: usize,
        shared: &Clique,
        kept: &mut QueryCache,
    ) -> Result<FactorArray, ModelError> {
        let key = (from, to, self.beyond(from, to, shared));
        if let Some(message) = kept.messages.get(&key) {
            return Ok(message.clone());
        }
        let mut message = self.narrowed(key.2.clone()).joint(from, Some(to), kept)?;
        let mut inverse = message.sum_onto(shared);
        inverse.values.iter_mut().for_each(|value| *value = inverse_or_zero(*value));
        message.multiply_by(&inverse);
        kept.messages.insert(key, message.clone());
        Ok(message)
    }

    /// The asked columns on the far side of an edge that the overlap does not hold.
    fn beyond(&self, from: usize, to: usize, shared: &Clique) -> Clique {
        let tree = self.model.tree();
        let mut found = Vec::new();
        let mut stack = vec![(from, to)];
        while let Some((node, back)) = stack.pop() {
            let mine = tree.cliques()[node].attributes().iter().copied();
            found.extend(mine.filter(|&attribute| self.asked.contains(attribute) && !shared.contains(attribute)));
            let next = tree.neighbours(node).iter().filter(|&&other| other != back && self.inside[other]);
            stack.extend(next.map(|&other| (other, node)));
        }
        Clique::new(found)
    }
}

/// 1 over the value, and 0 for values whose inverse could overflow: infinity times an empty cell
/// would be no number.
fn inverse_or_zero(value: f64) -> f64 {
    if value.abs() < f64::MIN_POSITIVE { 0.0 } else { 1.0 / value }
}
