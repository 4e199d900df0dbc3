//! A junction tree with the marginals of its cliques, as a model holds it.

use std::sync::OnceLock;

use lookalike_schema::{AttrId, Clique, Domain, ImpossibleRule, Schema};

use super::refinement::{Refinement, Refinements};
use crate::pgm::factor::layout::{covers, digit_sums, shape};
use crate::sampling::plan::evidence::Scale;
use crate::sampling::plan::junction::{split, turned};
use crate::sampling::plan::{Parent, SamplingPlan};
use crate::{Calibrated, Factor, JunctionTree, ModelError, Rules, refuse_if};

/// A clique's stored marginal may miss a sum of 1, and two neighbours' marginals of what they share
/// may miss each other, by this much.
const SLACK: f64 = 1e-6;

/// The cliques in the order in which rows are drawn, each with its marginal.
///
/// The numbers are kept as they stand in the file, since rows rest on their very bits.
#[derive(Clone, Debug)]
pub(crate) struct TreeModel {
    /// Sizes of the tree's own columns: those of groups where a column is refined. Hidden variables
    /// come last.
    domain: Domain,
    parts: TreeParts,
    /// Made when a marginal out of the cliques is asked for.
    calibrated: OnceLock<Calibrated>,
}

impl PartialEq for TreeModel {
    fn eq(&self, other: &Self) -> bool {
        self.parts == other.parts
    }
}

/// The parts of a tree model, as a file has them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TreeParts {
    /// How many codes each hidden variable has: variables that are drawn with the columns and never
    /// shown.
    pub hidden: Vec<u32>,
    /// The cliques, from the root on.
    pub cliques: Vec<Clique>,
    /// For each clique, the earlier one it was reached from.
    pub above: Vec<Option<usize>>,
    pub marginals: Vec<Vec<f64>>,
    pub refinements: Refinements,
}

impl TreeModel {
    /// The calibrated tree, rooted at its first clique. Variables of the tree behind the columns
    /// are hidden.
    pub fn fitted(
        schema: &Schema,
        rules: &Rules,
        calibrated: &Calibrated,
        refinements: Vec<Option<Refinement>>,
    ) -> Result<Self, ModelError> {
        let sizes = schema.domain().sizes();
        let refinements = Refinements::fitted(sizes, refinements, rules)?;
        let all = calibrated.tree().domain().sizes();
        let hidden = all.get(sizes.len()..).unwrap_or_default().to_vec();
        let differs = all.get(..sizes.len()) != Some(refinements.coarse(sizes).sizes());
        refuse_if(differs, "the tree's columns are not the schema's, refined as told")?;
        let order = calibrated.tree().rooted();
        let place = |node: usize| order.iter().position(|entry| entry.0 == node);
        let above = order.iter().map(|entry| entry.1.and_then(place)).collect();
        let cliques = order.iter().map(|entry| calibrated.tree().cliques()[entry.0].clone()).collect();
        let marginals = order.iter().map(|entry| Ok(calibrated.clique_marginal(entry.0)?.into_values()));
        let marginals = marginals.collect::<Result<_, ModelError>>()?;
        let parts = TreeParts { hidden, cliques, above, marginals, refinements };
        Self::new(sizes, parts).checked(schema.impossible())
    }

    /// As it stands in a file: checked, and nothing rescaled.
    ///
    /// Shapes come first: rules are worked out code by code, and codes without a stored number must
    /// not cost memory.
    pub fn stored(schema: &Schema, parts: TreeParts) -> Result<(Self, Rules), ModelError> {
        let sizes = schema.domain().sizes();
        let mut model = Self::new(sizes, parts);
        model.check_shape()?;
        let rules = Rules::new(schema)?;
        model.parts.refinements = model.parts.refinements.stored(sizes, &rules)?;
        Ok((model.checked(schema.impossible())?, rules))
    }

    fn new(sizes: &[u32], parts: TreeParts) -> Self {
        let columns = parts.refinements.coarse(sizes);
        let domain = Domain::new(columns.sizes().iter().chain(&parts.hidden).copied().collect());
        Self { domain, parts, calibrated: OnceLock::new() }
    }

    fn checked(self, impossible: &[ImpossibleRule]) -> Result<Self, ModelError> {
        self.check_shape()?;
        self.check_numbers()?;
        impossible.iter().try_for_each(|rule| self.check_rule(rule))?;
        let sampling_plan = self.sampling_plan();
        let nothing_known = vec![None; sampling_plan.sizes.len()];
        match sampling_plan.given(&nothing_known, Scale::Conditional) {
            Ok(all) if all.probability > 0.0 => Ok(self),
            _ => Err(ModelError::shape("the tree's marginals leave no possible row")),
        }
    }

    /// Every column is in a clique, and the cliques that hold it hang together.
    fn check_shape(&self) -> Result<(), ModelError> {
        let wrong = || ModelError::shape("the cliques are not those of a junction tree");
        let TreeParts { cliques, above, marginals, .. } = &self.parts;
        if above.len() != cliques.len() || marginals.len() != cliques.len() {
            return Err(wrong());
        }
        let mut tops = vec![0usize; self.domain.len()];
        for (number, (clique, above)) in cliques.iter().zip(above).enumerate() {
            let is_root = above.is_none();
            if !covers(&self.domain, clique) || above.is_some_and(|above| above >= number) || is_root != (number == 0) {
                return Err(wrong());
            }
            for attribute in clique.attributes() {
                let inherited = above.is_some_and(|above| cliques[above].contains(*attribute));
                tops[attribute.index()] += usize::from(!inherited);
            }
            let misfit = self.domain.cells(clique) != Some(marginals[number].len() as u64);
            refuse_if(misfit, "a clique's marginal has another number of cells than the clique")?;
        }
        if tops.iter().all(|&tops| tops == 1) { Ok(()) } else { Err(wrong()) }
    }

    fn check_numbers(&self) -> Result<(), ModelError> {
        for (number, marginal) in self.parts.marginals.iter().enumerate() {
            let sum: f64 = marginal.iter().sum();
            let unsound = marginal.iter().any(|&p| !(0.0..=1.0 + SLACK).contains(&p)) || (sum - 1.0).abs() > SLACK;
            refuse_if(unsound, "a clique's marginal is not a distribution")?;
            let Some(above) = self.parts.above[number] else { continue };
            let shared = self.shared(number);
            let (one, two) = (self.factor(number)?.sum_onto(&shared), self.factor(above)?.sum_onto(&shared));
            let apart = one.values().iter().zip(two.values()).any(|(a, b)| (a - b).abs() > SLACK);
            refuse_if(apart, "the marginals of two neighbouring cliques disagree")?;
        }
        Ok(())
    }

    /// No clique that sees all of a rule's columns may give its cells weight, and one of them must.
    fn check_rule(&self, rule: &ImpossibleRule) -> Result<(), ModelError> {
        let sees = Clique::new(rule.parts.iter().map(|part| part.0));
        let mut seen = false;
        let all = self.parts.cliques.iter().zip(&self.parts.marginals);
        for (clique, marginal) in all.filter(|(clique, _)| sees.is_subset(clique)) {
            seen = true;
            let shape = shape(&self.domain, clique);
            let forbidden = |(&attribute, &size): (&AttrId, &usize)| {
                let part = rule.parts.iter().find(|part| part.0 == attribute);
                let mut marks = vec![part.is_none(); size];
                let codes = part.map(|part| self.parts.refinements.touched(attribute.index(), &part.1));
                codes.into_iter().flatten().for_each(|code| marks[code as usize] = true);
                marks
            };
            let forbidden: Vec<Vec<bool>> = clique.attributes().iter().zip(&shape).map(forbidden).collect();
            let outside = digit_sums(&shape, |axis, code| usize::from(!forbidden[axis][code]));
            let broken = outside.iter().zip(marginal).any(|(&outside, &p)| outside == 0 && p > 0.0);
            refuse_if(broken, "a clique's marginal gives weight to an impossible combination")?;
        }
        if seen {
            return Ok(());
        }
        Err(ModelError::shape("the columns of an [[impossible]] rule are in no clique together"))
    }

    /// What a clique shares with the one it was reached from.
    fn shared(&self, number: usize) -> Clique {
        let cliques = &self.parts.cliques;
        self.parts.above[number].map_or(Clique::new([]), |above| cliques[number].intersection(&cliques[above]))
    }

    fn factor(&self, number: usize) -> Result<Factor, ModelError> {
        Factor::new(&self.domain, &self.parts.cliques[number], self.parts.marginals[number].clone())
    }

    /// All that a file holds of it.
    pub fn parts(&self) -> &TreeParts {
        &self.parts
    }

    pub fn in_words(&self) -> String {
        let columns = self.parts.refinements.columns();
        let shown = |clique: &Clique| clique.attributes().iter().filter(|column| column.index() < columns).count();
        let largest = self.parts.cliques.iter().map(shown).max().unwrap_or(0);
        let count = self.parts.cliques.len();
        let groups = if count == 1 { "one group".to_string() } else { format!("{count} groups") };
        format!(
            "The rows follow the joint shape of {groups} of up to {largest} columns, which overlap in a tree. Columns that \
             share no group are related only through the columns between them: finer relations among them are not held."
        )
    }

    /// A walk from the root: each clique's new columns given those that it shares with the one
    /// before. Coarse columns are hidden, and refined right after.
    pub fn sampling_plan(&self) -> SamplingPlan {
        let refinements = &self.parts.refinements;
        let mut sizes = self.domain.sizes()[..refinements.columns()].to_vec();
        refinements.refined().for_each(|(attribute, one)| sizes[attribute] = one.grouping.codes() as u32);
        let mut sampling_plan = SamplingPlan::new(&sizes);
        let mut names: Vec<usize> = (0..sizes.len()).collect();
        for (attribute, _) in refinements.refined() {
            names[attribute] = sampling_plan.hide(self.domain.sizes()[attribute]);
        }
        names.extend(self.parts.hidden.iter().map(|&size| sampling_plan.hide(size)));
        let named =
            |attributes: &[AttrId]| attributes.iter().map(|attribute| names[attribute.index()]).collect::<Vec<_>>();
        for (number, clique) in self.parts.cliques.iter().enumerate() {
            let shared = self.shared(number);
            let (parents, children) = split(clique, &shared);
            if children.is_empty() {
                continue;
            }
            let weights = turned(&self.domain, clique, &shared, &self.parts.marginals[number]);
            sampling_plan.push(named(&parents).into_iter().map(Parent::plain).collect(), named(&children), weights);
            for attribute in children.iter().map(|attribute| attribute.index()) {
                if let Some(refinement) = refinements.get(attribute) {
                    sampling_plan.push(vec![Parent::plain(names[attribute])], vec![attribute], refinement.draws());
                }
            }
        }
        sampling_plan
    }

    /// The probabilities of any columns' cells.
    pub fn marginal(&self, clique: &Clique) -> Result<Vec<f64>, ModelError> {
        self.marginal_but(clique, &|_| false)
    }

    /// The same with some coarse columns left as groups.
    pub fn marginal_but(&self, clique: &Clique, keep: &dyn Fn(AttrId) -> bool) -> Result<Vec<f64>, ModelError> {
        self.parts.refinements.spread(&self.domain, clique, self.coarse_marginal(clique)?, keep)
    }

    /// The same of the tree's own columns: of groups where a column is refined.
    pub fn coarse_marginal(&self, clique: &Clique) -> Result<Vec<f64>, ModelError> {
        let TreeParts { cliques, marginals, .. } = &self.parts;
        let home = (0..cliques.len()).filter(|&number| clique.is_subset(&cliques[number]));
        let coarse = match home.min_by_key(|&number| (marginals[number].len(), number)) {
            Some(number) => self.factor(number)?.sum_onto(clique),
            None => self.calibrated()?.marginal(clique)?,
        };
        Ok(coarse.into_values())
    }

    fn calibrated(&self) -> Result<&Calibrated, ModelError> {
        if let Some(made) = self.calibrated.get() {
            return Ok(made);
        }
        let TreeParts { cliques, above, .. } = &self.parts;
        let edges = above.iter().enumerate().filter_map(|(number, above)| above.map(|above| (above, number)));
        let tree = JunctionTree::joined(&self.domain, cliques.clone(), &edges.collect::<Vec<_>>())?;
        let factors = (0..cliques.len()).map(|number| self.factor(number)).collect::<Result<Vec<_>, _>>()?;
        let made = Calibrated::from_marginals(&tree, &factors)?;
        Ok(self.calibrated.get_or_init(|| made))
    }
}
