//! Marginals of any columns, by variable elimination on the calibrated tree.
//!
//! Columns inside one clique are a sum over that clique. For others, only the smallest subtree that holds them matters. One
//! of its cliques answers; every branch sends it the distribution of the asked columns that lie out there, given the
//! overlap. Questions asked together share these messages.

use std::collections::HashMap;

use lookalike_schema::{AttrId, Clique};
use rayon::prelude::*;

use super::Calibrated;
use crate::ModelError;
use crate::factor::Factor;
use crate::factor::table::{MAX_TABLE, Table};

/// Messages are forgotten when they have more cells than this together.
const KEPT_CELLS: usize = 1 << 22;

/// A message's way (from, to) and the asked columns it speaks of.
type Key = (usize, usize, Clique);

/// A question and the messages that other questions have left.
struct Walk<'a> {
    model: &'a Calibrated,
    inside: Vec<bool>,
    asked: Clique,
}

impl Calibrated {
    /// The probabilities of a clique's cells. The empty clique has one cell of 1.
    ///
    /// Refuses attributes that the domain lacks, and questions whose answer or any step towards it has more than 2^27 cells.
    pub fn marginal(&self, clique: &Clique) -> Result<Factor, ModelError> {
        let mut answers = self.marginals(std::slice::from_ref(clique))?;
        answers.pop().ok_or_else(|| ModelError::shape("no marginal was asked for"))
    }

    /// The marginals of many cliques, in their order. Refuses as [`Calibrated::marginal`] does.
    pub fn marginals(&self, cliques: &[Clique]) -> Result<Vec<Factor>, ModelError> {
        let domain = self.tree().domain();
        for clique in cliques {
            if clique.attributes().iter().any(|attribute| attribute.index() >= domain.len()) {
                return Err(ModelError::shape("a marginal was asked of a column that the model lacks"));
            }
            if domain.cells(clique).is_none_or(|cells| cells > MAX_TABLE) {
                return Err(ModelError::shape("the marginal has more than 134,217,728 cells; ask for fewer columns"));
            }
        }
        let mut answers: Vec<Option<Table>> = cliques.par_iter().map(|clique| self.inside_a_clique(clique)).collect();
        let mut messages: HashMap<Key, Table> = HashMap::new();
        for (clique, answer) in cliques.iter().zip(&mut answers) {
            if answer.is_none() {
                if messages.values().map(|table| table.values.len()).sum::<usize>() > KEPT_CELLS {
                    messages.clear();
                }
                *answer = Some(self.across_cliques(clique, &mut messages)?);
            }
        }
        let answered = answers.into_iter().flatten().zip(cliques);
        Ok(answered.map(|(table, clique)| Factor::from_table(self.canonical(clique, &table.values))).collect())
    }

    /// The marginal of a tree clique, in the engine's layout.
    pub(super) fn belief(&self, node: usize) -> TableRef<'_> {
        let schedule = &self.engine.schedule;
        let place = schedule.order.nodes.iter().position(|&other| other == node).unwrap_or(0);
        TableRef { axes: &schedule.nodes[place].axes, values: &self.engine.states[place].table }
    }

    fn rank(&self, attribute: AttrId) -> usize {
        self.engine.schedule.order.ranks[attribute.index()]
    }

    fn inside_a_clique(&self, clique: &Clique) -> Option<Table> {
        if clique.is_empty() {
            return Some(Table { axes: Vec::new(), values: vec![1.0] });
        }
        let home = self.tree().home(clique)?;
        Some(self.belief(home).sum_onto(|attribute| clique.contains(attribute)))
    }

    fn across_cliques(&self, asked: &Clique, messages: &mut HashMap<Key, Table>) -> Result<Table, ModelError> {
        let inside = self.tree().subtree(asked);
        let cliques = self.tree().cliques();
        let cells = |node: usize| self.tree().domain().cells(&cliques[node]).unwrap_or(u64::MAX);
        // The clique that holds most of the answer gives it; among equals the smaller one, always the same.
        let root = (0..cliques.len())
            .filter(|&node| inside[node])
            .max_by_key(|&node| (cliques[node].intersection(asked).len(), std::cmp::Reverse((cells(node), node))));
        let root = root.ok_or_else(|| ModelError::shape("the model has no columns"))?;
        let walk = Walk { model: self, inside, asked: asked.clone() };
        walk.joint(root, None, messages)
    }
}

/// A table that lies in the engine.
pub(super) struct TableRef<'a> {
    axes: &'a [(AttrId, usize)],
    pub values: &'a [f64],
}

impl TableRef<'_> {
    pub fn sum_onto(&self, kept: impl Fn(AttrId) -> bool + Copy) -> Table {
        use crate::factor::kernel::{Level, add_onto};
        let plan = crate::factor::Plan::new(self.axes, kept);
        let mut values = vec![0.0; plan.small()];
        add_onto(Level::detect(), &plan, 0, self.values, &mut values);
        Table { axes: self.axes.iter().copied().filter(|axis| kept(axis.0)).collect(), values }
    }
}

impl Walk<'_> {
    /// The joint distribution of the asked columns on this side of `towards`, and of the overlap with it.
    fn joint(
        &self,
        node: usize,
        towards: Option<usize>,
        messages: &mut HashMap<Key, Table>,
    ) -> Result<Table, ModelError> {
        let cliques = self.model.tree().cliques();
        let overlap = |other: usize| cliques[node].intersection(&cliques[other]);
        let goal = towards.map_or_else(|| Clique::new([]), overlap).union(&self.asked);
        let mut branches: Vec<(Clique, Table)> = Vec::new();
        for &other in self.model.tree().neighbours(node) {
            if self.inside[other] && Some(other) != towards {
                branches.push((overlap(other), self.message(other, node, messages)?));
            }
        }
        // What no branch and no goal needs is summed out first.
        let needed = branches.iter().fold(goal.clone(), |needed, (shared, _)| needed.union(shared));
        let mut joint = self.model.belief(node).sum_onto(|attribute| needed.contains(attribute));
        while !branches.is_empty() {
            // Small messages first: large ones then meet a table that has been summed already.
            let next = (0..branches.len()).min_by_key(|&branch| branches[branch].1.values.len()).unwrap_or(0);
            let (_, message) = branches.swap_remove(next);
            let needed = branches.iter().fold(goal.clone(), |needed, (shared, _)| needed.union(shared));
            joint = self.contract(joint, &message, &needed)?;
        }
        Ok(joint.sum_onto(|attribute| goal.contains(attribute)))
    }

    /// The product of a table and a message, summed onto the needed columns.
    fn contract(&self, table: Table, message: &Table, needed: &Clique) -> Result<Table, ModelError> {
        let axes = table.union(message, |attribute| self.model.rank(attribute));
        let mut product = Table::filled(axes, 1.0)?;
        product.multiply_by(&table);
        product.multiply_by(message);
        // The message's own asked columns are needed as well: they are in the goal.
        Ok(product.sum_onto(|attribute| needed.contains(attribute)))
    }

    /// The distribution of the asked columns beyond the overlap, given the overlap.
    fn message(&self, from: usize, to: usize, messages: &mut HashMap<Key, Table>) -> Result<Table, ModelError> {
        let cliques = self.model.tree().cliques();
        let shared = cliques[from].intersection(&cliques[to]);
        let beyond = self.beyond(from, to, &shared);
        let key = (from, to, beyond);
        if let Some(message) = messages.get(&key) {
            return Ok(message.clone());
        }
        let narrowed = Walk { model: self.model, inside: self.inside.clone(), asked: key.2.clone() };
        let mut message = narrowed.joint(from, Some(to), messages)?;
        let mut inverse = message.sum_onto(|attribute| shared.contains(attribute));
        inverse.values.iter_mut().for_each(|value| *value = if *value > 0.0 { 1.0 / *value } else { 0.0 });
        message.multiply_by(&inverse);
        messages.insert(key, message.clone());
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
