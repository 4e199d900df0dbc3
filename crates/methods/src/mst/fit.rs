//! Plan, pay, choose a tree, measure, fit.

use std::f64::consts::FRAC_2_PI;

use lookalike_curator::{Curator, Noise};
use lookalike_model::{Model, Rules};
use lookalike_privacy::{Budget, Neighbours};
use lookalike_schema::Clique;

use super::params::{MstParams, NAME};
use crate::budget::{PlanBuilder, Purchase};
use crate::graphical::{Detail, GrowingModel, Limit, Merging};
use crate::independent::row_count_alone;
use crate::rounds::{
    ChoicePrice, ChosenClique, MeasurementOutcome, Policy, Round, RoundOffer, Run, SpanningForest, WeightedCandidate,
    pairs,
};
use crate::{MethodError, Observer, Request};

/// What is bought, from public facts alone: columns, choices of pairs, pairs.
pub(super) struct MstPlan {
    pub plan: PlanBuilder,
    pub ones: Purchase<Noise>,
    choice: Purchase<ChoicePrice>,
    pub pairs: Purchase<Noise>,
}

impl MstPlan {
    pub fn new(params: &MstParams, columns: usize, ones: usize, neighbours: Neighbours, budget: Budget) -> Self {
        let mut plan = PlanBuilder::new(neighbours, budget);
        // A table of one column has no choices and no pairs.
        let count = columns.saturating_sub(1);
        let ones = plan.marginals("one-way marginals", params.one_share, ones);
        let choice = plan.choices("choices of pairs", params.select_share, count);
        let pairs = plan.marginals("marginals of pairs", 1.0 - params.one_share - params.select_share, count);
        Self { plan, ones, choice, pairs }
    }
}

pub(super) fn fit(
    params: &MstParams,
    curator: &mut Curator,
    request: &Request,
    observer: &dyn Observer,
) -> Result<Model, MethodError> {
    // A schema that no row can fit is refused here, before anything is paid.
    Rules::new(curator.schema())?;
    let columns = curator.schema().domain().len();
    if columns == 0 {
        return row_count_alone(curator, observer, NAME);
    }
    let rounds = columns as u64 + 1;
    observer.phase("measuring columns");
    let detail = Detail::when(params.levels);
    let slots = detail.slots(curator.schema(), curator.budget().is_pure());
    let counted = detail.marginals(curator.schema(), slots);
    let wanted = MstPlan::new(params, columns, counted, curator.neighbours(), curator.budget());
    let bought = wanted.plan.commit(curator)?;
    let ones = detail.measure(curator, bought.get(wanted.ones)?, slots)?;
    observer.round(1, rounds);
    observer.budget(curator.share_spent());
    let merging = Merging::for_pairs(params.merge_threshold, columns, Limit::of(request).cells());
    let mean_noise = (bought.variance(wanted.pairs) * FRAC_2_PI).sqrt();
    let merging = detail.held(merging, slots, ones.total(), mean_noise);
    let model = GrowingModel::merged(curator, &ones, merging, None)?;
    let mut run = Run::new(curator, observer, model);
    if columns > 1 {
        observer.phase("choosing pairs");
        let spreads = spreads(&run.model, params.spread_power)?;
        let forest = SpanningForest::new(columns);
        let mut tree = Tree { columns, spreads, price: bought.get(wanted.choice)?, forest, chosen: Vec::new() };
        run.rounds(&mut tree)?;
        observer.phase("measuring pairs");
        run.measure_all(&tree.chosen, bought.get(wanted.pairs)?, 1)?;
        run.tell(rounds, rounds);
    }
    Detail::filled(run.finish(NAME)?, slots)
}

/// Spreads below this count as this, so that no pair of nearly constant columns makes all others'
/// choices noisy.
const LEAST_SPREAD: f64 = 0.05;

/// How spread out each column is under the model: the chance that two rows differ in it, to a
/// power.
///
/// The distance of a pair from independence is bounded by how little its columns are spread,
/// however closely they follow each other. A column that is nearly constant would always be joined
/// last, and to the widest column there is, not to the one it follows. Post-processing of the noisy
/// counts.
fn spreads(model: &GrowingModel, power: f64) -> Result<Vec<f64>, MethodError> {
    let singles: Vec<Clique> = model.columns().domain().attributes().map(Clique::single).collect();
    let spread = |counts: Vec<f64>| {
        let same: f64 = counts.iter().map(|count| (count / model.total()).powi(2)).sum();
        (1.0 - same).clamp(LEAST_SPREAD, 1.0).powf(power)
    };
    Ok(model.counts(&singles)?.into_iter().map(spread).collect())
}

/// A spanning tree, edge by edge: each is a private choice among the pairs that join two parts, and
/// all of them are measured at the end.
///
/// The scores do not change from choice to choice, so each pair is counted once.
struct Tree {
    columns: usize,
    spreads: Vec<f64>,
    price: ChoicePrice,
    forest: SpanningForest,
    chosen: Vec<Clique>,
}

impl Policy for Tree {
    const LABEL: &'static str = "a pair of the tree";

    fn next(&mut self, _run: &mut Run) -> Result<Option<Round>, MethodError> {
        let weigh = |pair: Clique| {
            let spread: f64 = pair.attributes().iter().map(|column| self.spreads[column.index()]).product();
            WeightedCandidate { clique: pair, weight: 1.0 / spread, offset: 0.0, expected: None }
        };
        let joining = pairs(self.columns).into_iter().filter(|pair| self.forest.joins(pair));
        let candidates: Vec<WeightedCandidate> = joining.map(weigh).collect();
        let offer = RoundOffer::Choice(candidates, self.price);
        let progress = (2 + self.chosen.len() as u64, self.columns as u64 + 1);
        Ok((self.chosen.len() + 1 < self.columns).then_some(Round { offer, draws: None, progress }))
    }

    fn learn(&mut self, _run: &Run, chosen: &[ChosenClique], _outcomes: &[MeasurementOutcome]) -> bool {
        for ChosenClique { clique, .. } in chosen {
            self.forest.join(clique);
            self.chosen.push(clique.clone());
        }
        false
    }
}
