//! Beyond the tree: a mixture of products, for measurements whose junction tree would not fit the
//! memory given.
//!
//! A [`Mixture`] is a weighted sum of components in each of which the columns are independent.
//! Every marginal is cheap however many columns are measured together, the model is a true
//! distribution, and rows and evidence are simple. What it gives up: the fit is not convex, so that
//! it finds a good model and not provably the best one.
//!
//! - `boxes`: impossible rules. Each component keeps clear of every rule by having no weight on one
//!   side of it.
//! - `target`: the measurements in the descent's layout.
//! - `descend`: the fit, by adaptive gradient steps on all components at once.
//! - `choose`: tree or mixture, from schema, cliques and memory alone.
//!
//! What else was tried is told in `docs/research/estimation.md`.

mod boxes;
mod choose;
mod descend;
mod target;
#[cfg(test)]
mod tests;

use lookalike_schema::{Clique, Domain, ImpossibleRule};
use rayon::prelude::*;

use crate::pgm::factor::Factor;
use crate::pgm::factor::array::marginal_cells;
use crate::{ModelError, refuse_if};

pub use choose::{FitOptions, FittedModel, Route, fit, route};
pub use descend::{MixtureFit, MixtureOptions, fit_mixture};

/// Probabilities may miss a sum of 1 by this much; whoever wrote them normalised in floats.
const SUM_SLACK: f64 = 1e-6;

/// A weighted sum of products of columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixture {
    domain: Domain,
    weights: Vec<f64>,
    /// For each column, every component's probabilities: `[component][code]`.
    columns: Vec<Vec<f64>>,
}

impl Mixture {
    /// The mixture with these weights and, for each column, every component's probabilities
    /// (`[component][code]`).
    ///
    /// Refuses numbers that are not probabilities, sums other than 1, and components that give
    /// weight to a row that the rules call impossible.
    pub fn new(
        domain: &Domain,
        rules: &[ImpossibleRule],
        weights: Vec<f64>,
        columns: Vec<Vec<f64>>,
    ) -> Result<Self, ModelError> {
        distribution(&weights).ok_or_else(|| ModelError::shape("the weights of a mixture do not sum to 1"))?;
        refuse_if(columns.len() != domain.len(), "a mixture has another number of columns than its domain")?;
        for (column, &size) in columns.iter().zip(domain.sizes()) {
            let size = size as usize;
            let misfit = size == 0 || column.len() / size != weights.len() || column.len() % size != 0;
            refuse_if(misfit, "a column of a mixture has another size than in its domain")?;
            let unsound = column.chunks_exact(size).any(|component| distribution(component).is_none());
            refuse_if(unsound, "the probabilities of a mixture's column do not sum to 1")?;
        }
        let mixture = Self { domain: domain.clone(), weights, columns };
        mixture.check_rules(rules)?;
        Ok(mixture)
    }

    /// The same of parts that are known to fit, whatever they sum to.
    pub(crate) fn unchecked(domain: Domain, weights: Vec<f64>, columns: Vec<Vec<f64>>) -> Self {
        Self { domain, weights, columns }
    }

    /// Every component must have no weight at all on one part of every rule.
    pub(crate) fn check_rules(&self, rules: &[ImpossibleRule]) -> Result<(), ModelError> {
        for rule in rules {
            for (attribute, codes) in &rule.parts {
                if attribute.index() >= self.domain.len()
                    || codes.iter().any(|&code| code >= self.domain.size(*attribute))
                {
                    return Err(ModelError::shape("an impossible rule names a column or code that the domain lacks"));
                }
            }
            for component in 0..self.weights.len() {
                let clear = |codes: &[u32], of: &[f64]| codes.iter().all(|&code| of[code as usize] == 0.0);
                if !rule.parts.iter().any(|(attribute, codes)| clear(codes, self.column(attribute.index(), component)))
                {
                    return Err(ModelError::shape("a component of a mixture gives weight to an impossible row"));
                }
            }
        }
        Ok(())
    }

    /// The domain.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The components' weights, which sum to 1.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The probabilities of a column's codes in one component. Panics when there is no such column
    /// or component.
    pub fn column(&self, attribute: usize, component: usize) -> &[f64] {
        let size = self.domain.sizes()[attribute] as usize;
        &self.columns[attribute][component * size..(component + 1) * size]
    }

    /// For each column, every component's probabilities: `[component][code]`.
    pub fn columns(&self) -> &[Vec<f64>] {
        &self.columns
    }

    /// The probabilities of a clique's cells. The empty clique has one cell of 1.
    ///
    /// Refuses attributes that the domain lacks, and marginals of more than 2^27 cells.
    pub fn marginal(&self, clique: &Clique) -> Result<Factor, ModelError> {
        let mut values = vec![0.0; marginal_cells(&self.domain, clique)?];
        let places: Vec<usize> = clique.attributes().iter().map(|attribute| attribute.index()).collect();
        match places.split_first() {
            None => values.fill(1.0),
            Some((&first, rest)) => {
                let size = self.domain.sizes()[first] as usize;
                let share = values.len() / size;
                // Every code of the first column is summed by itself, in the order of the
                // components.
                values.par_chunks_mut(share).enumerate().for_each(|(code, cells)| {
                    let (mut product, mut next) = (Vec::new(), Vec::new());
                    for (component, &weight) in self.weights.iter().enumerate() {
                        let start = weight * self.columns[first][component * size + code];
                        if start > 0.0 {
                            self.expand(component, start, rest, &mut product, &mut next);
                            cells.iter_mut().zip(&product).for_each(|(cell, p)| *cell += p);
                        }
                    }
                });
            }
        }
        Factor::new(&self.domain, clique, values)
    }

    /// The outer product of some columns of one component, times a number.
    fn expand(&self, component: usize, start: f64, places: &[usize], product: &mut Vec<f64>, next: &mut Vec<f64>) {
        product.clear();
        product.push(start);
        for &place in places {
            let column = self.column(place, component);
            next.clear();
            next.extend(product.iter().flat_map(|&p| column.iter().map(move |&q| p * q)));
            std::mem::swap(product, next);
        }
    }
}

/// `Some` when the numbers are at least 0 and sum to 1.
fn distribution(values: &[f64]) -> Option<()> {
    let sum: f64 = values.iter().sum();
    (values.iter().all(|value| *value >= 0.0) && (sum - 1.0).abs() <= SUM_SLACK).then_some(())
}
