//! A junction tree with the marginals of its cliques, as a model holds it.

use std::sync::OnceLock;

use lookalike_schema::{AttrId, Clique, Domain, ImpossibleRule, Schema};

use crate::refinement::{check_refinements, coarse, refined};
use crate::sampling_plan::evidence::Scale;
use crate::sampling_plan::junction::{rooted, split, turned};
use crate::sampling_plan::{Parent, SamplingPlan, Weights};
use crate::{Calibrated, Factor, ModelError, Refinement, Rules, Tree};

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
    /// How many codes each hidden variable has: variables that are drawn with the columns and never
    /// shown.
    hidden: Vec<u32>,
    cliques: Vec<Clique>,
    /// For each clique, the earlier one it was reached from.
    above: Vec<Option<usize>>,
    marginals: Vec<Vec<f64>>,
    refinements: Vec<Option<Refinement>>,
    /// Made when a marginal out of the cliques is asked for.
    calibrated: OnceLock<Calibrated>,
}

impl PartialEq for TreeModel {
    fn eq(&self, other: &Self) -> bool {
        self.hidden == other.hidden
            && self.cliques == other.cliques
            && self.above == other.above
            && self.marginals == other.marginals
            && self.refinements == other.refinements
    }
}

/// The parts of a tree model, as a file has them.
pub(crate) struct TreeParts {
    pub hidden: Vec<u32>,
    pub cliques: Vec<Clique>,
    pub above: Vec<Option<usize>>,
    pub marginals: Vec<Vec<f64>>,
    pub refinements: Vec<Option<Refinement>>,
}

impl TreeModel {
    /// The calibrated tree, rooted at its first clique. Variables of the tree behind the columns
    /// are hidden.
    pub fn fitted(
        sizes: &[u32],
        rules: &Rules,
        impossible: &[ImpossibleRule],
        calibrated: &Calibrated,
        refinements: Vec<Option<Refinement>>,
    ) -> Result<Self, ModelError> {
        let refinements = check_refinements(sizes, refinements, |attribute, refinement| {
            refinement.checked(attribute, sizes[attribute], rules)
        })?;
        let all = calibrated.tree().domain().sizes();
        let hidden = all.get(sizes.len()..).unwrap_or_default().to_vec();
        if all.get(..sizes.len()) != Some(coarse(sizes, &refinements).sizes()) {
            return Err(ModelError::shape("the tree's columns are not the schema's, refined as told"));
        }
        Self::new(sizes, Self::parts(calibrated, hidden, refinements)?).checked(impossible)
    }

    fn parts(
        calibrated: &Calibrated,
        hidden: Vec<u32>,
        refinements: Vec<Option<Refinement>>,
    ) -> Result<TreeParts, ModelError> {
        let order = rooted(calibrated.tree());
        let place = |node: usize| order.iter().position(|entry| entry.0 == node);
        let above = order.iter().map(|entry| entry.1.and_then(place)).collect();
        let mut parts = TreeParts { hidden, cliques: Vec::new(), above, marginals: Vec::new(), refinements };
        for (node, _) in &order {
            parts.cliques.push(calibrated.tree().cliques()[*node].clone());
            parts.marginals.push(calibrated.clique_marginal(*node)?.into_values());
        }
        Ok(parts)
    }

    /// As it stands in a file: checked, and nothing rescaled.
    ///
    /// Shapes come first: rules are worked out code by code, and codes without a stored number must
    /// not cost memory.
    pub fn stored(schema: &Schema, parts: TreeParts) -> Result<(Self, Rules), ModelError> {
        let sizes = schema.domain().sizes();
        let fits = |refinement: &Option<Refinement>, size: u32| {
            refinement.as_ref().is_none_or(|refinement| refinement.fits(size))
        };
        if parts.refinements.len() != sizes.len()
            || !parts.refinements.iter().zip(sizes).all(|(refinement, &size)| fits(refinement, size))
        {
            return Err(ModelError::shape("the groups do not fit the schema"));
        }
        let mut model = Self::new(sizes, parts);
        model.check_shape()?;
        let rules = Rules::new(schema)?;
        let refinements = std::mem::take(&mut model.refinements);
        model.refinements = check_refinements(sizes, refinements, |attribute, refinement| {
            refinement.stored(attribute, sizes[attribute], &rules)
        })?;
        Ok((model.checked(schema.impossible())?, rules))
    }

    fn new(sizes: &[u32], parts: TreeParts) -> Self {
        let TreeParts { hidden, cliques, above, marginals, refinements } = parts;
        let columns = coarse(sizes, &refinements);
        let domain = Domain::new(columns.sizes().iter().chain(&hidden).copied().collect());
        Self { domain, hidden, cliques, above, marginals, refinements, calibrated: OnceLock::new() }
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
        let count = self.cliques.len();
        if self.above.len() != count || self.marginals.len() != count {
            return Err(wrong());
        }
        let mut tops = vec![0usize; self.domain.len()];
        for (number, (clique, above)) in self.cliques.iter().zip(&self.above).enumerate() {
            if clique.attributes().last().is_some_and(|last| last.index() >= self.domain.len()) {
                return Err(wrong());
            }
            if above.is_some_and(|above| above >= number) || above.is_none() != (number == 0) {
                return Err(wrong());
            }
            for attribute in clique.attributes() {
                let inherited = above.is_some_and(|above| self.cliques[above].contains(*attribute));
                tops[attribute.index()] += usize::from(!inherited);
            }
            if self.domain.cells(clique).is_none_or(|cells| cells != self.marginals[number].len() as u64) {
                return Err(ModelError::shape("a clique's marginal has another number of cells than the clique"));
            }
        }
        if tops.iter().all(|&tops| tops == 1) { Ok(()) } else { Err(wrong()) }
    }

    fn check_numbers(&self) -> Result<(), ModelError> {
        for (number, marginal) in self.marginals.iter().enumerate() {
            let sum: f64 = marginal.iter().sum();
            if marginal.iter().any(|&p| !(0.0..=1.0 + SLACK).contains(&p)) || (sum - 1.0).abs() > SLACK {
                return Err(ModelError::shape("a clique's marginal is not a distribution"));
            }
            let Some(above) = self.above[number] else { continue };
            let shared = self.shared(number);
            let (one, two) = (self.factor(number)?.sum_onto(&shared), self.factor(above)?.sum_onto(&shared));
            if one.values().iter().zip(two.values()).any(|(a, b)| (a - b).abs() > SLACK) {
                return Err(ModelError::shape("the marginals of two neighbouring cliques disagree"));
            }
        }
        Ok(())
    }

    /// No clique that sees all of a rule's columns may give its cells weight, and one of them must.
    fn check_rule(&self, rule: &ImpossibleRule) -> Result<(), ModelError> {
        let sees = Clique::new(rule.parts.iter().map(|part| part.0));
        let mut seen = false;
        for number in (0..self.cliques.len()).filter(|&number| sees.is_subset(&self.cliques[number])) {
            seen = true;
            let shape: Vec<usize> = self.domain.shape(&self.cliques[number]).iter().map(|&s| s as usize).collect();
            let steps = crate::sampling_plan::strides(&shape);
            let mut cells = vec![0usize];
            for (&attribute, (&size, &step)) in self.cliques[number].attributes().iter().zip(shape.iter().zip(&steps)) {
                let codes = rule.parts.iter().find(|part| part.0 == attribute).map(|part| part.1.as_slice());
                let own: Vec<u32> = match (codes, self.refinements.get(attribute.index()).unwrap_or(&None)) {
                    (Some(codes), Some(refinement)) => refinement.touched(codes),
                    (Some(codes), None) => codes.to_vec(),
                    (None, _) => (0..size as u32).collect(),
                };
                cells =
                    cells.iter().flat_map(|&cell| own.iter().map(move |&code| cell + code as usize * step)).collect();
            }
            if cells.iter().any(|&cell| self.marginals[number].get(cell).is_none_or(|&p| p > 0.0)) {
                return Err(ModelError::shape("a clique's marginal gives weight to an impossible combination"));
            }
        }
        if seen {
            Ok(())
        } else {
            Err(ModelError::shape("the columns of an [[impossible]] rule are in no clique together"))
        }
    }

    fn shared(&self, number: usize) -> Clique {
        self.above[number].map_or(Clique::new([]), |above| self.cliques[number].intersection(&self.cliques[above]))
    }

    fn factor(&self, number: usize) -> Result<Factor, ModelError> {
        Factor::new(&self.domain, &self.cliques[number], self.marginals[number].clone())
    }

    /// The cliques, from the root on.
    pub fn cliques(&self) -> &[Clique] {
        &self.cliques
    }

    /// For each clique, the earlier one it hangs on.
    pub fn above(&self) -> &[Option<usize>] {
        &self.above
    }

    /// The marginals of the cliques.
    pub fn marginals(&self) -> &[Vec<f64>] {
        &self.marginals
    }

    /// How many codes each hidden variable has.
    pub fn hidden(&self) -> &[u32] {
        &self.hidden
    }

    /// Columns that are held at a coarse level.
    pub fn refinements(&self) -> &[Option<Refinement>] {
        &self.refinements
    }

    pub fn in_words(&self) -> String {
        let columns = self.refinements.len();
        let shown = |clique: &Clique| clique.attributes().iter().filter(|column| column.index() < columns).count();
        let largest = self.cliques.iter().map(shown).max().unwrap_or(0);
        let count = self.cliques.len();
        let groups = if count == 1 { "one group".to_string() } else { format!("{count} groups") };
        format!(
            "The rows follow the joint shape of {groups} of up to {largest} columns, which overlap in a tree. Columns that \
             share no group are related only through the columns between them: finer relations among them are not held."
        )
    }

    /// A walk from the root: each clique's new columns given those that it shares with the one
    /// before. Coarse columns are hidden, and refined right after.
    pub fn sampling_plan(&self) -> SamplingPlan {
        let sizes: Vec<u32> = self
            .refinements
            .iter()
            .zip(self.domain.sizes())
            .map(|(refinement, &size)| {
                refinement.as_ref().map_or(size, |refinement| refinement.grouping.codes() as u32)
            })
            .collect();
        let mut sampling_plan = SamplingPlan::new(&sizes);
        let mut names: Vec<usize> = (0..sizes.len()).collect();
        for (attribute, name) in
            names.iter_mut().enumerate().filter(|(attribute, _)| self.refinements[*attribute].is_some())
        {
            *name = sampling_plan.hide(self.domain.sizes()[attribute]);
        }
        names.extend(self.hidden.iter().map(|&size| sampling_plan.hide(size)));
        let named =
            |attributes: &[AttrId]| attributes.iter().map(|attribute| names[attribute.index()]).collect::<Vec<_>>();
        for (number, clique) in self.cliques.iter().enumerate() {
            let shared = self.shared(number);
            let (parents, children) = split(clique, &shared);
            if children.is_empty() {
                continue;
            }
            let weights = turned(&self.domain, clique, &shared, &self.marginals[number]);
            sampling_plan.push(named(&parents).into_iter().map(Parent::plain).collect(), named(&children), weights);
            for attribute in children {
                let Some(Some(refinement)) = self.refinements.get(attribute.index()) else { continue };
                let mut weights = Weights::new();
                refinement.rows().into_iter().for_each(|row| weights.push(row));
                sampling_plan.push(vec![Parent::plain(names[attribute.index()])], vec![attribute.index()], weights);
            }
        }
        sampling_plan
    }

    /// The probabilities of any columns' cells.
    pub fn marginal(&self, clique: &Clique) -> Result<Vec<f64>, ModelError> {
        let home = (0..self.cliques.len()).filter(|&number| clique.is_subset(&self.cliques[number]));
        let coarse = match home.min_by_key(|&number| (self.marginals[number].len(), number)) {
            Some(number) => self.factor(number)?.sum_onto(clique).into_values(),
            None => self.calibrated()?.marginal(clique)?.into_values(),
        };
        refined(&self.domain, &self.refinements, clique, coarse)
    }

    fn calibrated(&self) -> Result<&Calibrated, ModelError> {
        if let Some(made) = self.calibrated.get() {
            return Ok(made);
        }
        let edges: Vec<(usize, usize)> =
            self.above.iter().enumerate().filter_map(|(number, above)| above.map(|above| (above, number))).collect();
        let tree = Tree::joined(&self.domain, self.cliques.clone(), &edges)?;
        let factors = (0..self.cliques.len()).map(|number| self.factor(number)).collect::<Result<Vec<_>, _>>()?;
        let made = Calibrated::from_marginals(&tree, &factors)?;
        Ok(self.calibrated.get_or_init(|| made))
    }
}
