//! Inference on a junction tree: the marginals of all its cliques in one pass each way, and of any
//! other columns by variable elimination on the calibrated tree.
//!
//! - `schedule` works out everything that does not depend on the numbers, `field_groups` what many
//!   measurements of a clique share;
//! - `pass` runs in linear space with scaled messages; `careful` runs in log space where that would
//!   lose too much;
//! - `engine` joins them to buffers that are made once;
//! - `query` answers marginals, sharing the messages among questions.
//!
//! Results do not depend on the number of threads. Work is done in whichever rayon pool the caller
//! has installed.

mod careful;
pub(crate) mod engine;
mod field_groups;
mod pass;
mod query;
pub(crate) mod schedule;
mod sums;
#[cfg(test)]
pub(crate) mod tests;

use std::sync::Arc;

use lookalike_schema::Clique;

use crate::pgm::factor::array::FactorArray;
use crate::pgm::factor::layout::{permute_into, permuted};
use crate::pgm::factor::{Factor, LogFactor};
use crate::pgm::tree::JunctionTree;
use crate::{ModelError, refuse_if};
use engine::Engine;
use schedule::Field;

pub use schedule::MAX_CELLS;

/// A distribution on a junction tree, with the marginals of all tree cliques at hand.
#[derive(Clone, Debug)]
pub struct Calibrated {
    engine: Engine,
    /// The potentials, in the engine's layout; none when the model was made from marginals.
    fields: Vec<f64>,
    log_partition: f64,
    /// Made from marginals: there are no potentials.
    fixed: bool,
}

impl Calibrated {
    /// The distribution proportional to the product of the potentials, 0 on rows that the tree's
    /// rules forbid.
    ///
    /// Potentials of the same clique are multiplied. Refuses a potential that lies in no clique of
    /// the tree, a tree of more than `MAX_CELLS` cells, and potentials that leave no possible
    /// row.
    pub fn new(tree: &JunctionTree, potentials: &[LogFactor]) -> Result<Self, ModelError> {
        let cliques = distinct(potentials.iter().map(LogFactor::clique));
        let engine = Engine::new(Arc::new(tree.clone()), &cliques)?;
        let mut fields = vec![0.0; engine.schedule.field_cells];
        for field in &engine.schedule.fields {
            let order = engine.schedule.order.permutation(&field.clique);
            for potential in potentials.iter().filter(|potential| potential.clique() == field.clique) {
                let misfit = potential.values().len() != field.cells.len();
                refuse_if(misfit, "a potential has another shape than its clique")?;
                let values = permuted(potential.values(), &potential.shape(), &order);
                fields[field.cells.clone()].iter_mut().zip(values).for_each(|(cell, value)| *cell += value);
            }
        }
        let mut model = Self { engine, fields, log_partition: 0.0, fixed: false };
        model.calibrate()?;
        Ok(model)
    }

    /// A calibrated engine and the fields that it was calibrated with.
    pub(crate) fn from_engine(engine: Engine, fields: Vec<f64>, log_partition: f64) -> Self {
        Self { engine, fields, log_partition, fixed: false }
    }

    /// The distribution whose tree cliques have the given marginals, in the order of
    /// [`JunctionTree::cliques`]; they are normalised. The caller has checked that they are
    /// distributions over the cliques and agree on what neighbours share.
    pub(crate) fn from_marginals(tree: &JunctionTree, marginals: &[Factor]) -> Result<Self, ModelError> {
        let mut engine = Engine::new(Arc::new(tree.clone()), &[])?;
        let schedule = engine.schedule.clone();
        for (place, &node) in schedule.order.nodes.iter().enumerate() {
            let (clique, marginal) = (&tree.cliques()[node], &marginals[node]);
            let total = marginal.total();
            let table = &mut engine.states[place].table;
            permute_into(marginal.values(), &marginal.shape(), &schedule.order.permutation(clique), table);
            table.iter_mut().for_each(|cell| *cell /= total);
        }
        Ok(Self { engine, fields: Vec::new(), log_partition: 0.0, fixed: true })
    }

    /// One full pass on the present potentials. [`Calibrated::new`] has done it already: this is
    /// for measuring what it costs. Refuses a model made from marginals, which has no potentials.
    pub fn calibrate(&mut self) -> Result<(), ModelError> {
        refuse_if(self.fixed, "a model made from marginals has no potentials to calibrate with")?;
        self.log_partition = self.engine.calibrate(&self.fields, &[])?;
        Ok(())
    }

    /// The tree.
    pub fn tree(&self) -> &JunctionTree {
        &self.engine.tree
    }

    /// The log of the sum, over all possible rows, of the product of the potentials; 0 for a model
    /// made from marginals.
    pub fn log_partition(&self) -> f64 {
        self.log_partition
    }

    /// The potentials: what a later fit can start from. None for a model made from marginals.
    pub fn potentials(&self) -> Vec<LogFactor> {
        let fields = self.engine.schedule.fields.iter();
        let table = |field: &Field| self.canonical(&field.clique, &self.fields[field.cells.clone()]);
        fields.map(|field| LogFactor::from_array(table(field))).collect()
    }

    /// The marginal of a tree clique, by number. Refuses a number that the tree lacks.
    pub fn clique_marginal(&self, clique: usize) -> Result<Factor, ModelError> {
        let set = self.tree().cliques().get(clique);
        let set = set.ok_or_else(|| ModelError::shape("the tree has fewer cliques"))?;
        Ok(Factor::from_array(self.canonical(set, self.belief(clique).values)))
    }

    /// A table in the engine's layout, in the usual one.
    fn canonical(&self, clique: &Clique, values: &[f64]) -> FactorArray {
        let domain = self.tree().domain();
        let inner = self.engine.schedule.order.permutation(clique);
        let shape: Vec<usize> = inner.iter().map(|&place| domain.size(clique.attributes()[place]) as usize).collect();
        let mut back = vec![0; inner.len()];
        inner.iter().enumerate().for_each(|(axis, &place)| back[place] = axis);
        let axes = clique.attributes().iter().map(|&attribute| (attribute, domain.size(attribute) as usize)).collect();
        FactorArray { axes, values: permuted(values, &shape, &back) }
    }
}

/// The cliques in order, each once.
pub(crate) fn distinct(cliques: impl Iterator<Item = Clique>) -> Vec<Clique> {
    let mut cliques: Vec<Clique> = cliques.collect();
    cliques.sort_unstable();
    cliques.dedup();
    cliques
}
