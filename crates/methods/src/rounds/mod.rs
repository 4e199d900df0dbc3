//! One loop for every method that chooses what to measure: candidates, selection, measurement, fit,
//! and a stop.
//!
//! A method is a [`Policy`]: it says what a round chooses from and what it pays, and what follows
//! from an outcome. [`Run::rounds`] does the rest.

pub mod expected;
pub mod forest;
pub mod outcome;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use lookalike_curator::{Candidate, Curator, Expected, Noise, Score, ScoreQuery, SelectQuery};
use lookalike_model::Model;
use lookalike_privacy::{Rational, Step};
use lookalike_schema::Clique;

pub use expected::Expectations;
pub use forest::{SpanningForest, pairs};
pub use outcome::{Draws, MeasurementOutcome};

use crate::budget::{Buys, broken_plan};
use crate::graphical::GrowingModel;
use crate::{MethodError, Observer};

/// A clique that may be measured, and how its score is weighed: `weight * (L1 distance + offset)`.
#[derive(Clone, Debug)]
pub struct WeightedCandidate {
    /// The clique, over the model's columns.
    pub clique: Clique,
    /// Its weight, 0 or above.
    pub weight: f64,
    /// Added to the distance before weighting, such as minus the distance that the noise of a
    /// measurement would leave.
    pub offset: f64,
    /// What the model expects of it, where that is known already.
    pub expected: Option<Expected>,
}

/// What a choice costs, and how it is made.
#[derive(Clone, Copy, Debug)]
pub enum ChoicePrice {
    /// The exponential mechanism with this epsilon.
    Exponential(Rational),
    /// Noise on every candidate's distance; the largest wins.
    NoisyMaximum(Noise),
}

impl Buys for ChoicePrice {
    fn of(step: &Step) -> Option<Self> {
        Rational::of(step).map(Self::Exponential).or(Noise::of(step).map(Self::NoisyMaximum))
    }
}

/// A chosen clique, and what the model expects of it.
#[derive(Clone, Debug)]
pub struct ChosenClique {
    /// The clique.
    pub clique: Clique,
    /// What the model expects, in the curator's order of cells.
    pub expected: Expected,
}

/// One round.
pub struct Round {
    /// What it is about.
    pub offer: RoundOffer,
    /// How what was chosen is measured; `None` when it is only chosen.
    pub draws: Option<Draws>,
    /// Rounds done after it, of rounds planned.
    pub progress: (u64, u64),
}

/// What a round is about.
pub enum RoundOffer {
    /// A choice.
    Choice(Vec<WeightedCandidate>, ChoicePrice),
    /// What was chosen before.
    Chosen(ChosenClique),
}

/// What comes after a choice.
pub enum SecondChoice {
    /// Nothing.
    Omitted,
    /// A choice among these in the place of the first one; and what the next round is to choose
    /// from, where that is not known yet.
    Instead(Vec<WeightedCandidate>, Vec<Clique>),
    /// No choice, but this clique is measured in the place of the first one.
    Replaced(ChosenClique),
    /// A choice among these beside the first one, with which it shares the draws.
    Beside(Vec<WeightedCandidate>),
}

/// What makes a method out of the loop.
pub trait Policy {
    /// For the statement: what is chosen.
    const LABEL: &'static str;

    /// The next round; `None` is the stop.
    fn next(&mut self, run: &mut Run) -> Result<Option<Round>, MethodError>;

    /// What comes after the first choice of a round, for the same price again.
    fn second(&self, _run: &Run, _first: &ChosenClique) -> Result<SecondChoice, MethodError> {
        Ok(SecondChoice::Omitted)
    }

    /// What follows from a round: whether the model is fitted now. There are no outcomes where
    /// nothing was measured.
    fn learn(&mut self, run: &Run, chosen: &[ChosenClique], outcomes: &[MeasurementOutcome]) -> bool;

    /// What follows from a fit, and from all outcomes since the last one.
    fn fitted(&mut self, _run: &Run, _outcomes: &[MeasurementOutcome]) -> Result<(), MethodError> {
        Ok(())
    }
}

/// A run: the door, the model so far, and what it rests on.
pub struct Run<'a> {
    /// The door.
    pub curator: &'a mut Curator,
    /// Who watches.
    pub observer: &'a dyn Observer,
    /// The model.
    pub model: GrowingModel,
    /// The cliques that were measured, in order.
    pub measured: Vec<Clique>,
    /// The most that an answer was from the model, in units of its noise; 0 before the first.
    pub most_error_to_noise: f64,
    /// What later rounds are to choose from, the next one first: told to the door beforehand, so
    /// that it is counted together with what is needed now.
    pub soon: VecDeque<Vec<Clique>>,
    /// Whether what is chosen is fitted between its answer and what was expected of it.
    pub shrinks: bool,
    /// How many of the cliques the last fit knew.
    fitted: usize,
    expectations: Expectations,
}

impl<'a> Run<'a> {
    /// A run whose model knows single columns at most.
    pub fn new(curator: &'a mut Curator, observer: &'a dyn Observer, model: GrowingModel) -> Self {
        let expectations = Expectations::default();
        let (measured, soon) = (Vec::new(), VecDeque::new());
        let (most_error_to_noise, shrinks, fitted) = (0.0, false, 0);
        Self { curator, observer, model, measured, most_error_to_noise, soon, shrinks, fitted, expectations }
    }

    /// Rounds until the policy stops.
    pub fn rounds<P: Policy>(&mut self, policy: &mut P) -> Result<(), MethodError> {
        let mut since_fit = Vec::new();
        loop {
            self.curator.check_cancelled()?;
            let Some(round) = policy.next(self)? else { return Ok(()) };
            let chosen = match round.offer {
                RoundOffer::Choice(candidates, price) => self.choose(policy, &candidates, price)?,
                RoundOffer::Chosen(chosen) => vec![chosen],
            };
            let outcomes = match round.draws {
                Some(draws) => self.measure(&chosen, draws)?,
                None => Vec::new(),
            };
            let fits = policy.learn(self, &chosen, &outcomes);
            since_fit.extend(outcomes);
            if fits {
                self.refit()?;
                policy.fitted(self, &std::mem::take(&mut since_fit))?;
            }
            self.tell(round.progress.0, round.progress.1);
        }
    }

    /// Chooses one of the candidates; or, as the policy wants it, another one after it, or two.
    ///
    /// # Privacy
    /// The cost is `price` for each choice. The score is the L1 distance of the clique's counts to
    /// the model's, which is scaled by the noisy row count and fixed before the rows are looked at.
    /// Its sensitivity is the largest weight times 1 (add/remove, times the contribution) or 2
    /// (replace-one).
    pub fn choose<P: Policy>(
        &mut self,
        policy: &P,
        candidates: &[WeightedCandidate],
        price: ChoicePrice,
    ) -> Result<Vec<ChosenClique>, MethodError> {
        let first = self.select(P::LABEL, candidates, price)?;
        Ok(match policy.second(self, &first)? {
            SecondChoice::Instead(candidates, next) => {
                self.foresee(&next);
                self.soon.extend((!next.is_empty()).then_some(next));
                vec![self.select(P::LABEL, &candidates, price)?]
            }
            SecondChoice::Beside(candidates) if !candidates.is_empty() => {
                let second = self.select(P::LABEL, &candidates, price)?;
                vec![first, second]
            }
            SecondChoice::Replaced(other) => vec![other],
            SecondChoice::Omitted | SecondChoice::Beside(_) => vec![first],
        })
    }

    fn select(
        &mut self,
        label: &str,
        candidates: &[WeightedCandidate],
        price: ChoicePrice,
    ) -> Result<ChosenClique, MethodError> {
        let unknown: Vec<&Clique> = candidates.iter().filter(|it| it.expected.is_none()).map(|it| &it.clique).collect();
        let mut fresh = self.expectations.of(&self.model, &unknown)?.into_iter();
        let expected: Option<Vec<Expected>> =
            candidates.iter().map(|it| it.expected.clone().or_else(|| fresh.next())).collect();
        let expected = expected.ok_or_else(broken_plan)?;
        let columns = self.model.columns();
        let score = |(it, expected): (&WeightedCandidate, &Expected)| Score::DistanceToModel {
            clique: columns.asked(&it.clique),
            expected: expected.clone(),
        };
        let scores = candidates.iter().zip(&expected).map(score);
        let place = match price {
            ChoicePrice::Exponential(epsilon) => {
                let weighed = |(score, it): (Score, &WeightedCandidate)| Candidate {
                    score,
                    weight: it.weight,
                    offset: it.offset,
                };
                let candidates = scores.zip(candidates).map(weighed).collect();
                self.curator.select(&SelectQuery { label: label.into(), candidates, epsilon })?.index
            }
            ChoicePrice::NoisyMaximum(noise) => {
                let queries: Vec<ScoreQuery> = scores.map(|score| ScoreQuery { score, noise }).collect();
                let answers = self.curator.noisy_scores(&queries)?;
                let better = |one: &(usize, i64), two: &(usize, i64)| one.1.cmp(&two.1).then(two.0.cmp(&one.0));
                answers.iter().map(|answer| answer.value).enumerate().max_by(better).map_or(0, |(place, _)| place)
            }
        };
        let chosen = candidates.get(place).zip(expected.into_iter().nth(place));
        chosen.map(|(it, expected)| ChosenClique { clique: it.clique.clone(), expected }).ok_or_else(broken_plan)
    }

    /// Measures what was chosen; several share the draws.
    fn measure(&mut self, chosen: &[ChosenClique], draws: Draws) -> Result<Vec<MeasurementOutcome>, MethodError> {
        let cliques: Vec<Clique> = chosen.iter().map(|it| it.clique.clone()).collect();
        let times = draws.times / cliques.len() as u32;
        let columns = self.model.columns();
        let expected = chosen.iter().map(|it| columns.from_asked(&it.clique, it.expected.values().to_vec()));
        let expected: Vec<Vec<f64>> = expected.collect();
        self.measured.extend_from_slice(&cliques);
        let known = if self.shrinks { &expected[..] } else { &[] };
        let answers = self.model.measure(self.curator, &cliques, draws.noise, times, known)?;
        let outcomes = cliques.into_iter().zip(expected).zip(&answers);
        let outcomes: Vec<MeasurementOutcome> = outcomes
            .map(|((clique, expected), answer)| MeasurementOutcome::new(clique, expected, answer, &draws, times))
            .collect();
        let most = outcomes.iter().fold(self.most_error_to_noise, |most, it| most.max(it.error_to_noise));
        self.most_error_to_noise = most;
        Ok(outcomes)
    }

    /// Tells the door which cliques are likely to be asked for soon, so that it counts them in a
    /// pass that it has to make anyway.
    pub fn foresee<'c>(&mut self, cliques: impl IntoIterator<Item = &'c Clique>) {
        let columns = self.model.columns();
        let asked: Vec<Clique> = cliques.into_iter().map(|clique| columns.asked(clique)).collect();
        self.curator.foresee(&asked);
    }

    /// Measures cliques that no choice stands before, each `times` times, in one pass.
    ///
    /// # Privacy
    /// The cost is that of [`GrowingModel::measure`].
    pub fn measure_all(&mut self, cliques: &[Clique], noise: Noise, times: u32) -> Result<Vec<Vec<f64>>, MethodError> {
        self.measured.extend_from_slice(cliques);
        self.model.measure(self.curator, cliques, noise, times, &[])
    }

    /// Fits what was measured since the last time.
    pub fn refit(&mut self) -> Result<(), MethodError> {
        self.model.refit()?;
        for clique in &self.measured[std::mem::replace(&mut self.fitted, self.measured.len())..] {
            self.expectations.touch(&self.model, clique);
        }
        Ok(())
    }

    /// Tells who watches how far the run has come.
    pub fn tell(&self, done: u64, planned: u64) {
        self.observer.round(done, planned);
        self.observer.budget(self.curator.share_spent());
        self.observer.passes(self.curator.passes());
    }

    /// The fitted model of the schema's own columns.
    pub fn finish(self, method: &str) -> Result<Model, MethodError> {
        self.observer.phase("fitting");
        self.curator.check_cancelled()?;
        self.model.finish(self.curator.schema(), method)
    }
}
