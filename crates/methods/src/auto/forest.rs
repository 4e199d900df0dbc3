//! Many columns: first the pairs that are farthest from independent, as a spanning forest.

use lookalike_curator::Expected;
use lookalike_schema::{AttrId, Clique};

use super::ladder::Ladder;
use super::state::{State, scaled};
use crate::MethodError;
use crate::budget::broken_plan;
use crate::graphical::GrowingModel;
use crate::rounds::{
    ChosenClique, MeasurementOutcome, Policy, Round, RoundOffer, Run, SecondChoice, SpanningForest, WeightedCandidate,
};

/// Pairs that join columns that nothing joins yet, farthest from independent first; then one fit.
///
/// As long as the pairs are a forest, none says anything about another that is not in it, so that
/// their distances to the product of the columns stay what choices should go by, without a fit
/// between them.
///
/// Pairs are compared at coarse levels where there are some, all on one footing, and the chosen one
/// is measured in as much detail as its noise carries.
pub(super) struct ForestRounds<'a, 'b> {
    state: &'a mut State<'b>,
    ladder: &'a Ladder,
    candidates: Vec<WeightedCandidate>,
    /// The mean noise of measuring a pair.
    noise: f64,
    forest: SpanningForest,
    /// Pairs in a row that taught nothing.
    missed: u32,
}

impl<'a, 'b> ForestRounds<'a, 'b> {
    /// The rounds; `None` where there are so few pairs that tables come first.
    pub fn new(
        state: &'a mut State<'b>,
        ladder: &'a Ladder,
        model: &GrowingModel,
    ) -> Result<Option<Self>, MethodError> {
        let columns = model.columns().len();
        let few = columns * (columns - 1) / 2 < state.params.forest_pairs as usize && ladder.is_empty();
        if !state.params.forest || few {
            return Ok(None);
        }
        let noise = state.schedule.mean_noise(state.pace)?;
        let coarse = |column| ladder.coarse(model, column, state.params.common_groups);
        let attributes: Vec<usize> = (0..columns).map(coarse).collect();
        let pairs = small_pairs(&attributes, model.columns().domain().sizes(), state.most_cells(model, noise));
        let expected = products(model, &pairs)?;
        let candidates = state.weigh(model.columns(), pairs, expected, noise);
        Ok(Some(Self { state, ladder, candidates, noise, forest: SpanningForest::new(columns), missed: 0 }))
    }

    /// The most cells of a pair as it is measured.
    fn most_measured(&self, run: &Run) -> f64 {
        run.model.total() / (self.state.params.finest_usefulness * self.noise)
    }
}

impl Policy for ForestRounds<'_, '_> {
    const LABEL: &'static str = "a table to measure";

    fn next(&mut self, run: &mut Run) -> Result<Option<Round>, MethodError> {
        if run.measured.is_empty() {
            let most = self.most_measured(run);
            let finest = |it: &WeightedCandidate| self.ladder.finest(&run.model, &it.clique, most);
            let measured: Vec<Clique> = self.candidates.iter().map(finest).collect();
            run.foresee(&measured);
        }
        let is_over = self.missed >= self.state.params.forest_patience;
        if is_over || self.candidates.is_empty() || self.state.schedule.slots() == 0 {
            return Ok(None);
        }
        let (price, draws) = self.state.schedule.round(self.state.pace, self.noise)?;
        let offer = RoundOffer::Choice(scaled(self.candidates.clone()), price);
        Ok(Some(Round { offer, draws: Some(draws), progress: self.state.progress() }))
    }

    fn second(&self, run: &Run, first: &ChosenClique) -> Result<SecondChoice, MethodError> {
        let clique = self.ladder.finest(&run.model, &first.clique, self.most_measured(run));
        if clique == first.clique {
            return Ok(SecondChoice::Omitted);
        }
        let expected = run.model.expected(std::slice::from_ref(&clique))?.pop().ok_or_else(broken_plan)?;
        Ok(SecondChoice::Replaced(ChosenClique { clique, expected }))
    }

    fn learn(&mut self, run: &Run, _chosen: &[ChosenClique], outcomes: &[MeasurementOutcome]) -> bool {
        for outcome in outcomes {
            let taught = outcome.error_to_noise > self.state.params.taught;
            self.missed = if taught { 0 } else { self.missed + 1 };
            self.forest.join(&run.model.columns().columns_of(&outcome.clique));
        }
        self.candidates.retain(|it| self.forest.joins(&run.model.columns().columns_of(&it.clique)));
        false
    }
}

/// Pairs of these attributes with something to learn and at most `most` cells.
fn small_pairs(attributes: &[usize], sizes: &[u32], most: f64) -> Vec<Clique> {
    let small =
        |&(a, b): &(usize, usize)| sizes[a] > 1 && sizes[b] > 1 && f64::from(sizes[a]) * f64::from(sizes[b]) <= most;
    let pairs = (0..attributes.len()).flat_map(|b| (0..b).map(move |a| (attributes[a], attributes[b])));
    pairs.filter(small).map(|(a, b)| Clique::new([AttrId(a as u32), AttrId(b as u32)])).collect()
}

/// Counts of pairs as if columns were independent.
fn products(model: &GrowingModel, pairs: &[Clique]) -> Result<Vec<Expected>, MethodError> {
    let columns = model.columns();
    let counts = model.counts_alone()?;
    let total = model.total();
    let product = |pair: &Clique| {
        let [first, second] = pair.attributes() else { return Vec::new().into() };
        let (first, second) = (&counts[first.index()], &counts[second.index()]);
        let product = first.iter().flat_map(|a| second.iter().map(move |b| a * b / total)).collect();
        columns.to_asked(pair, product).into()
    };
    Ok(pairs.iter().map(product).collect())
}
