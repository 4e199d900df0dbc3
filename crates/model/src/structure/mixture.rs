//! A mixture as a model holds it: with columns that are held at a coarse level.

use lookalike_schema::{AttrId, Clique, Domain, ImpossibleRule, Schema};

use super::refinement::{Refinement, Refinements};
use crate::mixture::Mixture;
use crate::sampling::plan::{Parent, SamplingPlan, Weights};
use crate::{ModelError, Rules, refuse_if};

/// A mixture over the schema's columns, some of them as groups.
///
/// The numbers are kept as they stand in the file, since rows rest on their very bits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MixtureModel {
    mixture: Mixture,
    refinements: Refinements,
}

impl MixtureModel {
    pub fn fitted(
        schema: &Schema,
        rules: &Rules,
        mixture: &Mixture,
        refinements: Vec<Option<Refinement>>,
    ) -> Result<Self, ModelError> {
        let refinements = Refinements::fitted(schema.domain().sizes(), refinements, rules)?;
        Self { mixture: mixture.clone(), refinements }.checked(schema)
    }

    /// As it stands in a file: checked, and nothing rescaled.
    ///
    /// Shapes come first: rules are worked out code by code, and codes without a stored number must
    /// not cost memory.
    pub fn stored(
        schema: &Schema,
        weights: Vec<f64>,
        columns: Vec<Vec<f64>>,
        refinements: Refinements,
    ) -> Result<(Self, Rules), ModelError> {
        let sizes = schema.domain().sizes();
        let mixture = Mixture::new(&refinements.coarse(sizes), &[], weights, columns)?;
        let rules = Rules::new(schema)?;
        let refinements = refinements.stored(sizes, &rules)?;
        Ok((Self { mixture, refinements }.checked(schema)?, rules))
    }

    fn checked(self, schema: &Schema) -> Result<Self, ModelError> {
        let differs = self.mixture.domain() != &self.refinements.coarse(schema.domain().sizes());
        refuse_if(differs, "the mixture's columns are not the schema's, refined as told")?;
        // A group that no code can be drawn of must have no weight.
        for (attribute, refinement) in self.refinements.refined() {
            for (group, codes) in refinement.rows().iter().enumerate() {
                let drawable = codes.iter().any(|entry| entry.1 > 0.0);
                let column = |component| self.mixture.column(attribute, component)[group];
                if !drawable && (0..self.mixture.weights().len()).any(|component| column(component) > 0.0) {
                    return Err(ModelError::shape("a mixture gives weight to a group without any possible value"));
                }
            }
        }
        let groups =
            |(attribute, codes): &(AttrId, Vec<u32>)| (*attribute, self.refinements.touched(attribute.index(), codes));
        let rule = |rule: &ImpossibleRule| ImpossibleRule { parts: rule.parts.iter().map(groups).collect() };
        self.mixture.check_rules(&schema.impossible().iter().map(rule).collect::<Vec<_>>())?;
        Ok(self)
    }

    /// The mixture over coarse columns.
    pub fn mixture(&self) -> &Mixture {
        &self.mixture
    }

    /// Columns that are held at a coarse level.
    pub fn refinements(&self) -> &Refinements {
        &self.refinements
    }

    pub fn in_words(&self) -> String {
        format!(
            "The rows follow a mixture of {} kinds of row, fitted to all measured marginals at once: an approximate model, taken \
             because an exact one would not have fitted the memory. Relations that were measured are held about as well as the \
             noise allows; others only as far as they follow from those.",
            self.mixture.weights().len()
        )
    }

    /// The probabilities of any columns' cells.
    pub fn marginal(&self, clique: &Clique) -> Result<Vec<f64>, ModelError> {
        self.marginal_but(clique, &|_| false)
    }

    /// The same with some coarse columns left as groups.
    pub fn marginal_but(&self, clique: &Clique, keep: &dyn Fn(AttrId) -> bool) -> Result<Vec<f64>, ModelError> {
        let coarse = self.mixture.marginal(clique)?.into_values();
        self.refinements.spread(self.mixture.domain(), clique, coarse, keep)
    }

    /// The component, which is hidden; then every column given it, coarse ones refined right after.
    pub fn sampling_plan(&self, sizes: &[u32]) -> SamplingPlan {
        let mut sampling_plan = SamplingPlan::new(sizes);
        let weights = self.mixture.weights();
        let component = sampling_plan.hide(weights.len() as u32);
        sampling_plan.push(vec![], vec![component], Weights::dense(weights, weights.len()));
        for (attribute, column) in self.mixture.columns().iter().enumerate() {
            let size = self.mixture.domain().sizes()[attribute];
            let refinement = self.refinements.get(attribute);
            let drawn = refinement.map_or(attribute, |_| sampling_plan.hide(size));
            sampling_plan.push(vec![Parent::plain(component)], vec![drawn], Weights::dense(column, size as usize));
            if let Some(refinement) = refinement {
                sampling_plan.push(vec![Parent::plain(drawn)], vec![attribute], refinement.draws());
            }
        }
        sampling_plan
    }
}

/// The joint probabilities of some columns, ascending, under the sampling plan of a mixture,
/// perhaps conditioned since: the components' sum, where a junction tree would have a table over
/// components and columns.
pub(crate) fn marginal_of(sampling_plan: &SamplingPlan, columns: &[usize]) -> Result<Vec<f64>, ModelError> {
    let wrong = || ModelError::shape("this is not the sampling plan of a mixture");
    let giving =
        |variable: usize| sampling_plan.draws.iter().find(|draw| draw.children == [variable]).ok_or_else(wrong);
    let component = sampling_plan.draws.first().and_then(|draw| draw.children.first()).copied().ok_or_else(wrong)?;
    let components = sampling_plan.sizes[component] as usize;
    let mut tables = Vec::with_capacity(columns.len());
    for &column in columns {
        let draw = giving(column)?;
        let parent = draw.parents.first().ok_or_else(wrong)?.variable;
        let size = sampling_plan.sizes[column] as usize;
        let own = draw.weights.shares(size);
        tables.push(if parent == component {
            own
        } else {
            let groups = sampling_plan.sizes[parent] as usize;
            let coarse = giving(parent)?.weights.shares(groups);
            let mut fine = vec![0.0; components * size];
            for (fine, coarse) in fine.chunks_exact_mut(size).zip(coarse.chunks_exact(groups)) {
                for (&share, codes) in coarse.iter().zip(own.chunks_exact(size)) {
                    fine.iter_mut().zip(codes).for_each(|(fine, code)| *fine += share * code);
                }
            }
            fine
        });
    }
    let domain = Domain::new(columns.iter().map(|&column| sampling_plan.sizes[column]).collect());
    let weights = giving(component)?.weights.shares(components);
    let all = Clique::new(domain.attributes());
    Ok(Mixture::unchecked(domain, weights, tables).marginal(&all)?.into_values())
}
