//! Fits that grow: measurements come one after the other, and what they do not touch is left alone.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use lookalike_schema::{Clique, Domain, ImpossibleRule};
use rayon::prelude::*;

use super::anderson::descend;
use super::estimate_on;
use super::options::{Fit, Measurement, Options, best_total};
use super::problem::FitProblem;
use crate::pgm::factor::array::marginal_cells;
use crate::pgm::factor::{Factor, LogFactor};
use crate::pgm::inference::Calibrated;
use crate::pgm::tree::JunctionTree;
use crate::sampling::live;
use crate::{Halt, ModelError, refuse_if};

/// A part is fitted anew when the total has moved by more than this many standard deviations since.
/// Its loss is then off by at most 1% of the half a cell that noise leaves.
const TOTAL_SLACK: f64 = 0.1;
/// Passes of the small fit that a new measurement gets by itself.
const ALONE_PASSES: u64 = 40;
/// Larger measurements are not fitted by themselves first: it would cost as much as the whole.
const ALONE_CELLS: u64 = 1 << 16;
/// About the steps that testing a clique takes: a part of the tree is triangulated anew.
const TEST_STEPS: usize = 1 << 16;
/// Probabilities below this count as this: logs must be finite.
const LEAST: f64 = 1e-80;

/// A model that takes measurements one by one, for methods that choose the next by looking at the
/// last.
///
/// The junction tree grows with each measurement. Its independent parts are separate: a part that
/// no new measurement touches is neither fitted nor passed over again. A part that is touched
/// starts from the potentials it had, and from a small fit of the new measurement by itself.
/// [`Fitter::refit`] stops early, as rounds want it; [`Fitter::finish`] fits in full.
#[derive(Clone, Debug)]
pub struct Fitter {
    options: Options,
    tree: JunctionTree,
    answers: Vec<KeptMeasurement>,
    parts: Vec<FittedPart>,
    /// Measurements before this one are in the parts.
    known: usize,
}

/// A measurement that is kept.
#[derive(Clone, Debug)]
struct KeptMeasurement {
    clique: Clique,
    values: Vec<f64>,
    variance: f64,
}

impl KeptMeasurement {
    fn measured(&self) -> Measurement<'_> {
        Measurement { clique: self.clique.clone(), values: &self.values, variance: self.variance }
    }
}

/// An independent part of the tree, fitted.
#[derive(Clone, Debug)]
struct FittedPart {
    attributes: Clique,
    model: Calibrated,
    /// The total that it was fitted with.
    total: f64,
    loss: f64,
    passes: u64,
}

/// What a [`Fitter::refit`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Refit {
    /// Half the weighted sum of squares that is left, over all measurements.
    pub loss: f64,
    /// The total that turns probabilities into counts.
    pub total: f64,
    /// Parts that were fitted.
    pub fitted: usize,
    /// Parts that there are.
    pub parts: usize,
    /// Passes over the fitted parts.
    pub passes: u64,
}

impl Fitter {
    /// Nothing measured: every possible row is alike.
    ///
    /// The options' `start` is not used; their total, when given, is that of every fit; tolerance
    /// and window are those of [`Fitter::finish`]. Refuses rules that do not fit the domain or
    /// leave no possible row.
    pub fn new(domain: &Domain, rules: &[ImpossibleRule], options: Options) -> Result<Self, ModelError> {
        let tree = JunctionTree::new(domain, &[], rules)?;
        let options = Options { start: Vec::new(), ..options };
        let mut fitter = Self { options, tree, answers: Vec::new(), parts: Vec::new(), known: 0 };
        fitter.refit()?;
        Ok(fitter)
    }

    /// From now on everything that takes long ends with an error when this says so.
    pub fn halt_with(&mut self, halt: Halt) {
        self.options.halt = halt;
    }

    /// What is asked before every piece of work.
    pub fn halt(&self) -> &Halt {
        &self.options.halt
    }

    /// The tree of all measurements so far.
    pub fn tree(&self) -> &JunctionTree {
        &self.tree
    }

    /// The same measurements on a domain with more attributes behind the ones there are, fitted
    /// again from where it stands. Rules are those of the whole domain.
    ///
    /// Refuses a domain that does not begin with the one there is, and as [`Fitter::new`] does.
    pub fn widened(mut self, domain: &Domain, rules: &[ImpossibleRule]) -> Result<Self, ModelError> {
        let sizes = self.tree.domain().sizes();
        refuse_if(domain.sizes().get(..sizes.len()) != Some(sizes), "a wider domain must begin with the one there is")?;
        let cliques: Vec<Clique> = self.answers.iter().map(|answer| answer.clique.clone()).collect();
        self.tree = JunctionTree::new(domain, &cliques, rules)?;
        self.refit()?;
        Ok(self)
    }

    /// Whether the tree would have at most `most` cells with another clique. Refuses attributes
    /// that the domain lacks.
    pub fn has_room_for(&self, clique: &Clique, most: u64) -> Result<bool, ModelError> {
        self.options.halt.check(TEST_STEPS)?;
        self.tree.has_room_for(clique, most)
    }

    /// Takes a measurement. The model changes with the next [`Fitter::refit`].
    ///
    /// Refuses as [`super::estimate()`] does.
    pub fn add(&mut self, clique: Clique, values: Vec<f64>, variance: f64) -> Result<(), ModelError> {
        let answer = KeptMeasurement { clique, values, variance };
        answer.measured().check(self.tree.domain())?;
        self.tree.add(&answer.clique)?;
        self.answers.push(answer);
        Ok(())
    }

    /// The total that the measurements so far speak for, or the one of the options.
    pub fn total(&self) -> f64 {
        let measured: Vec<Measurement> = self.answers.iter().map(KeptMeasurement::measured).collect();
        self.options.total.unwrap_or_else(|| best_total(&measured))
    }

    /// The standard deviation of the total, 0 when it is given.
    fn total_noise(&self) -> f64 {
        let precision: f64 =
            self.answers.iter().map(|answer| 1.0 / (answer.variance * answer.values.len() as f64)).sum();
        if self.options.total.is_some() || precision == 0.0 { 0.0 } else { precision.sqrt().recip() }
    }

    /// Fits what the measurements since the last time have changed, well enough for choosing the
    /// next.
    pub fn refit(&mut self) -> Result<Refit, ModelError> {
        // A round's model need not be the best one: the noise of its measurements is larger than
        // what is left.
        let tolerance = self.options.tolerance.max(1e-3) * 5.0;
        let options = Options { tolerance, window: 5, total: Some(self.total()), ..self.options.clone() };
        let slack = TOTAL_SLACK * self.total_noise();
        let total = options.total.unwrap_or(1.0);
        let fresh: Vec<usize> = (self.known..self.answers.len()).collect();
        let mut old = std::mem::take(&mut self.parts);
        let mut report = Refit { total, ..Refit::default() };
        for nodes in self.tree.parts() {
            self.options.halt.check(nodes.len())?;
            let attributes = nodes.iter().fold(Clique::new([]), |all, &node| all.union(&self.tree.cliques()[node]));
            let touched = fresh.iter().any(|&answer| overlaps(&self.answers[answer].clique, &attributes));
            let same = old.iter().position(|part| part.attributes == attributes && (part.total - total).abs() <= slack);
            let part = match same {
                Some(place) if !touched => old.swap_remove(place),
                _ => {
                    report.fitted += 1;
                    let part = self.fit_part(&nodes, attributes, &old, &options)?;
                    report.passes += part.passes;
                    part
                }
            };
            report.loss += part.loss;
            self.parts.push(part);
        }
        report.parts = self.parts.len();
        self.known = self.answers.len();
        Ok(report)
    }

    /// Fits everything from nothing, for when a fit that began where the last one ended has gone
    /// astray: mirror steps hardly move a cell that an earlier step has all but emptied. Keeps the
    /// better of the two.
    pub fn restart(&mut self) -> Result<Refit, ModelError> {
        let before: f64 = self.parts.iter().map(|part| part.loss).sum();
        let old = std::mem::take(&mut self.parts);
        let known = std::mem::replace(&mut self.known, self.answers.len());
        let report = self.refit()?;
        if report.loss >= before && known == self.answers.len() {
            self.parts = old;
            return Ok(Refit { loss: before, ..report });
        }
        Ok(report)
    }

    /// How many values have been measured that are not impossible.
    pub fn measured_cells(&self) -> usize {
        self.answers.iter().map(|answer| self.tree.possible_cells(&answer.clique)).sum()
    }

    /// Fits one part, starting from the parts that it was made of.
    fn fit_part(
        &self,
        nodes: &[usize],
        attributes: Clique,
        old: &[FittedPart],
        options: &Options,
    ) -> Result<FittedPart, ModelError> {
        let inside = |answer: &&KeptMeasurement| answer.clique.is_subset(&attributes);
        let before = old.iter().filter(|part| part.attributes.is_subset(&attributes));
        let mut start: Vec<LogFactor> = before.flat_map(|part| part.model.potentials()).collect();
        let mut handled = Clique::new([]);
        for answer in self.answers.iter().filter(inside).filter(|answer| self.is_first(answer, old)) {
            start.push(self.column_start(answer)?);
            handled = handled.union(&answer.clique);
        }
        for answer in self.answers[self.known..].iter().filter(inside) {
            // Two that overlap would both correct what they share.
            if !overlaps(&answer.clique, &handled) {
                self.fit_alone(answer, old, options, &mut start)?;
                handled = handled.union(&answer.clique);
            }
        }
        let measured: Vec<Measurement> = self.answers.iter().filter(inside).map(KeptMeasurement::measured).collect();
        let mut options = Options { start, ..options.clone() };
        let mut problem = FitProblem::new(Arc::new(self.tree.part(nodes)), &measured, &options)?;
        options.start = Vec::new();
        descend(&mut problem, &options)?;
        let (total, loss, passes) = (problem.total, problem.loss, problem.passes);
        Ok(FittedPart { attributes, model: problem.into_model()?, total, loss, passes })
    }

    /// Whether this is the first that is heard of a column, and about the column alone.
    fn is_first(&self, answer: &KeptMeasurement, old: &[FittedPart]) -> bool {
        let before = if old.is_empty() { &[][..] } else { &self.answers[..self.known] };
        answer.clique.len() == 1
            && !before.iter().any(|known| overlaps(&known.clique, &answer.clique))
            && self
                .answers
                .iter()
                .find(|known| known.clique == answer.clique)
                .is_some_and(|known| std::ptr::eq(known, answer))
    }

    /// Where such a column begins: at its own counts, none of them empty. Steps from an even start
    /// go too far for columns with one rare value, and steps that come from there are short.
    fn column_start(&self, answer: &KeptMeasurement) -> Result<LogFactor, ModelError> {
        let least = answer.variance.sqrt().max(f64::MIN_POSITIVE);
        let logs = answer.values.iter().map(|value| value.max(least).ln()).collect();
        LogFactor::new(self.tree.domain(), &answer.clique, logs)
    }

    /// Fits a new measurement and those inside it on a table of their own, everything else being as
    /// it was: what their potentials change is a good start for the whole.
    fn fit_alone(
        &self,
        answer: &KeptMeasurement,
        old: &[FittedPart],
        options: &Options,
        start: &mut Vec<LogFactor>,
    ) -> Result<(), ModelError> {
        let domain = self.tree.domain();
        if answer.clique.is_empty() || answer.values.len() as u64 > ALONE_CELLS || old.is_empty() {
            return Ok(());
        }
        let Some(base) = marginals_of(domain, old, std::slice::from_ref(&answer.clique))?.pop() else { return Ok(()) };
        let base = base.values().iter().map(|p| p.max(LEAST).ln()).collect();
        let base = LogFactor::new(domain, &answer.clique, base)?;
        let tree = JunctionTree::new(domain, std::slice::from_ref(&answer.clique), &[])?;
        let Some(home) = tree.home(&answer.clique) else { return Ok(()) };
        let known = self.answers.iter().filter(|other| other.clique.is_subset(&answer.clique));
        let measured: Vec<Measurement> = known.map(KeptMeasurement::measured).collect();
        let options = Options { start: vec![base.clone()], passes: ALONE_PASSES, ..options.clone() };
        let mut problem = FitProblem::new(Arc::new(tree.part(&[home])), &measured, &options)?;
        descend(&mut problem, &options)?;
        for mut potential in problem.into_model()?.potentials() {
            if potential.clique() == answer.clique {
                potential.values_mut().iter_mut().zip(base.values()).for_each(|(log, base)| *log -= base);
            }
            start.push(potential);
        }
        Ok(())
    }

    /// The marginals of many cliques under the last refit, in their order, sharing work: exact,
    /// whatever parts they reach over.
    ///
    /// Refuses as [`Calibrated::marginals`] does.
    pub fn marginals(&self, cliques: &[Clique]) -> Result<Vec<Factor>, ModelError> {
        marginals_of(self.tree.domain(), &self.parts, cliques)
    }

    /// Rows of the last refit, drawn without replacement: one vector of codes an attribute. Same
    /// fit and seed: same rows.
    ///
    /// Refuses only when it is told to stop.
    pub fn drawn(&self, rows: u64, seed: u64) -> Result<Vec<Vec<u32>>, ModelError> {
        let parts: Vec<&Calibrated> = self.parts.iter().map(|part| &part.model).collect();
        live::drawn(self.tree.domain().sizes(), &parts, rows, seed, &self.options.halt)
    }

    fn potentials(&self) -> Vec<LogFactor> {
        self.parts.iter().flat_map(|part| part.model.potentials()).collect()
    }

    /// A full fit of all measurements, from where the rounds have left off.
    pub fn finish(mut self) -> Result<Fit, ModelError> {
        let options = Options { start: self.potentials(), ..self.options.clone() };
        self.parts.clear();
        let measured: Vec<Measurement> = self.answers.iter().map(KeptMeasurement::measured).collect();
        estimate_on(Arc::new(self.tree), &measured, options)
    }
}

fn overlaps(one: &Clique, two: &Clique) -> bool {
    one.attributes().iter().any(|&attribute| two.contains(attribute))
}

/// Marginals of independent parts: each part answers for its own columns.
fn marginals_of(domain: &Domain, parts: &[FittedPart], cliques: &[Clique]) -> Result<Vec<Factor>, ModelError> {
    cliques.iter().try_for_each(|clique| marginal_cells(domain, clique).map(|_| ()))?;
    let mut answers = vec![Factor::filled(domain, &Clique::new([]), 1.0)?; cliques.len()];
    let found: Vec<Vec<(usize, Factor)>> = parts
        .par_iter()
        .map(|part| {
            let shares = cliques.iter().map(|clique| clique.intersection(&part.attributes)).enumerate();
            let (places, asked): (Vec<usize>, Vec<Clique>) = shares.filter(|(_, share)| !share.is_empty()).unzip();
            Ok(places.into_iter().zip(part.model.marginals(&asked)?).collect())
        })
        .collect::<Result<_, ModelError>>()?;
    for (place, share) in found.into_iter().flatten() {
        answers[place] = answers[place].multiply(&share)?;
    }
    Ok(answers)
}
