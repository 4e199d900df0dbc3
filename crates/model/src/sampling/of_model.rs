//! Rows and probabilities of a model, perhaps under a condition.

use std::collections::BTreeMap;

use lookalike_schema::{Clique, Filter};

use super::plan::SamplingPlan;
use super::plan::evidence::Evidence;
use super::sampler::RowSampler;
use super::settings::{Replacement, Sampling};
use super::v1;
use crate::copula::Exchange;
use crate::pgm::factor::array::marginal_cells;
use crate::structure::Structure;
use crate::{Model, ModelError};

impl Model {
    /// A sampler of rows. Same model file and sampling: same rows on any platform and thread count.
    ///
    /// Refuses a filter that names columns or codes that the schema lacks, whose rows have
    /// probability 0, or for which a network is too entangled.
    pub fn sampler(&self, sampling: &Sampling) -> Result<RowSampler, ModelError> {
        let Sampling { rows, seed, replacement, filter } = sampling;
        let replacement = replacement.unwrap_or(self.replacement());
        if let (Structure::Product(product), Replacement::With, None) = (self.structure(), replacement, filter) {
            return Ok(RowSampler::v1(v1::ProductSampler::new(product, self.rules()), *rows, *seed));
        }
        let mut parts = self.boxes(filter.as_ref().unwrap_or(&Filter::everything()))?;
        parts.retain(|part| part.1 > 0.0);
        if parts.is_empty() {
            return Err(ModelError::Impossible);
        }
        let exchange = match (self.structure(), self.copula()) {
            (Structure::Tree(tree), Some(copula)) => Some(Exchange::new(copula, self.schema(), tree, filter.as_ref())?),
            _ => None,
        };
        let sampler = RowSampler::of_plans(&parts, self.measured(), *rows, *seed, replacement).exchanging(exchange);
        Ok(sampler.settling(filter.as_ref().filter(|filter| filter.is_split())))
    }

    /// The probability that a row is in the set. Refuses as [`Model::sampler`] does, but for a
    /// probability of 0.
    pub fn probability(&self, filter: &Filter) -> Result<f64, ModelError> {
        Ok(self.boxes(filter)?.iter().map(|part| part.1).sum::<f64>().clamp(0.0, 1.0))
    }

    /// The probabilities of a clique's cells among the rows of the set, laid out as in
    /// [`Model::marginal`]; they sum to 1.
    ///
    /// Multiply by [`Model::probability`] for shares of all rows. Refuses a set of probability 0,
    /// and as [`Model::marginal`] and [`Model::probability`] do.
    pub fn marginal_where(&self, clique: &Clique, filter: &Filter) -> Result<Vec<f64>, ModelError> {
        let cells = marginal_cells(self.schema().domain(), clique)?;
        let columns: Vec<usize> = clique.attributes().iter().map(|attribute| attribute.index()).collect();
        self.over_boxes(filter, cells, |sampling_plan| self.structure().marginal_of(sampling_plan, &columns))
    }

    /// Probabilities among the rows of the set, from those that `table` gives for each box.
    pub(crate) fn over_boxes(
        &self,
        filter: &Filter,
        cells: usize,
        table: impl Fn(&SamplingPlan) -> Result<Vec<f64>, ModelError>,
    ) -> Result<Vec<f64>, ModelError> {
        let parts = self.boxes(filter)?;
        let total: f64 = parts.iter().map(|part| part.1).sum();
        if total.is_nan() || total <= 0.0 {
            return Err(ModelError::Impossible);
        }
        let mut sums = vec![0.0; cells];
        for (sampling_plan, probability) in parts.iter().filter(|part| part.1 > 0.0) {
            let share = probability / total;
            sums.iter_mut().zip(table(sampling_plan)?).for_each(|(sum, p)| *sum += share * p);
        }
        Ok(sums)
    }

    /// For each box, the sampling plan given the box, and the box's probability. Draws that a box
    /// does not touch are shared.
    fn boxes(&self, filter: &Filter) -> Result<Vec<(SamplingPlan, f64)>, ModelError> {
        let sampling_plan = self.structure().sampling_plan(self.schema(), self.rules())?;
        let conditioned = |place: usize| {
            let conditioned = sampling_plan.condition(&evidence(&sampling_plan, filter, place)?)?;
            Ok((conditioned.sampling_plan, conditioned.probability))
        };
        (0..filter.boxes().len()).map(conditioned).collect()
    }
}

/// What a box says, of a bin that the condition cuts the share of its values.
fn evidence(sampling_plan: &SamplingPlan, filter: &Filter, place: usize) -> Result<Evidence, ModelError> {
    let mut known: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (attribute, codes) in &filter.boxes()[place].parts {
        let Some(&size) = sampling_plan.sizes[..sampling_plan.columns].get(attribute.index()) else {
            return Err(ModelError::shape("a filter names a column that the model lacks"));
        };
        let mut possible = vec![0.0; size as usize];
        for &code in codes {
            let slot = possible.get_mut(code as usize);
            *slot.ok_or_else(|| ModelError::shape("a filter names a code that its column lacks"))? = 1.0;
        }
        let entry = known.entry(attribute.index()).or_insert_with(|| vec![1.0; size as usize]);
        entry.iter_mut().zip(possible).for_each(|(both, possible)| *both *= possible);
    }
    for (attribute, code, share) in filter.shares(place) {
        if let Some(known) = known.get_mut(&attribute.index()) {
            known[code as usize] *= share;
        }
    }
    Ok((0..sampling_plan.sizes.len()).map(|variable| known.remove(&variable)).collect())
}
