//! Algorithms 4 and 6: plan, pay, choose, measure, fit.

use std::collections::BTreeSet;

use lookalike_curator::{CountQuery, Curator, Noise, Score, ScoreQuery};
use lookalike_measurement::NoisyCount;
use lookalike_model::{JunctionTree, Model, Rules, SampleRng};
use lookalike_schema::Clique;

use super::graph::{self, Bounds};
use super::initial;
use super::params::{NAME, PrivMrfParams};
use super::plan::{PrivMrfPlan, Wants};
use super::scores::{MOST_PAIR_CELLS, Scores};
use super::universe::{Universe, most_cells};
use crate::budget::{Bought, expected_noise};
use crate::graphical::{Columns, Detail, GrowingModel, Limit, Merging, OneWayMarginals};
use crate::rounds::{
    ChoicePrice, ChosenClique, Draws, MeasurementOutcome, Policy, Round, RoundOffer, Run, WeightedCandidate, pairs,
};
use crate::{MethodError, Observer, Request, total};

/// About the steps of putting a set into a tree.
const SET_STEPS: usize = 1 << 20;
/// What the public generator is for; part of its key.
const PURPOSE: &str = "privmrf";

pub(super) fn fit(
    params: &PrivMrfParams,
    curator: &mut Curator,
    request: &Request,
    observer: &dyn Observer,
) -> Result<Model, MethodError> {
    // A schema that no row can fit is refused here, before anything is paid.
    Rules::new(curator.schema())?;
    let public = total::public_count(curator)?;
    let wants = wants(params, curator, public.as_ref());
    observer.phase("counting");
    let plan = wants.plan(curator.budget())?;
    let bought = plan.plan.commit(curator)?;
    let model = begin(&wants, curator, &plan, &bought, public)?;
    observer.budget(curator.share_spent());
    let mut run = Run::new(curator, observer, model);
    if let Some(first) = plan.first {
        let noise = bought.get(first)?;
        observer.phase("scoring pairs");
        let scores = match plan.scores {
            Some(scores) => ask_scores(&mut run, bought.get(scores)?)?,
            None => Scores::new(wants.columns),
        };
        observer.budget(run.curator.share_spent());
        observer.phase("measuring");
        let bounds = bounds(params, Limit::of(request));
        let columns = run.model.columns();
        let cliques = graph::cliques(columns.domain(), columns.rules(), &scores, bounds, run.model.halt())?;
        let useful = |theta: f64| {
            let (domain, width) = (run.model.columns().domain(), params.width as usize);
            let cells = most_cells(run.model.total(), theta, expected_noise(noise));
            Universe::with_cells(domain, cliques.clone(), cells, width)
        };
        let (universe, later) = (useful(params.theta), useful(params.round_theta));
        let first = first_marginals(&run.model, &universe, &scores, params, bounds)?;
        run.measure_all(&first, noise, 1)?;
        run.refit()?;
        if let Some(each) = plan.rounds {
            let (price, noise) = (bought.get(each.choice)?, bought.get(each.marginal)?);
            let (rounds, round) = (wants.rounds() as u64, 0);
            run.rounds(&mut Rounds { params, universe: later, bounds, price, noise, rounds, round })?;
        }
    }
    Detail::filled(run.finish(NAME)?, wants.slots)
}

fn bounds(params: &PrivMrfParams, limit: Limit) -> Bounds {
    Bounds {
        clique: (params.clique_cells as u64).min(limit.cells()),
        total: (params.total_cells as u64).min(limit.cells()),
    }
}

/// What the budget is for. Columns that are counted alone are merged afterwards, so that every pair
/// can be scored.
fn wants(params: &PrivMrfParams, curator: &Curator, public: Option<&NoisyCount>) -> Wants {
    let domain = curator.schema().domain();
    let detail = Detail::when(params.levels);
    let slots = detail.slots(curator.schema(), curator.budget().is_pure());
    let all = pairs(domain.len());
    let scored = |pair: &&Clique| params.ones_share > 0.0 || is_scored(domain.cells(pair));
    Wants {
        params: *params,
        columns: domain.len(),
        slots,
        counted: detail.marginals(curator.schema(), slots),
        pairs: all.iter().filter(scored).count(),
        neighbours: curator.neighbours(),
        public_rows: public.map_or(0, |count| count.value.max(0) as u64),
    }
}

fn is_scored(cells: Option<u64>) -> bool {
    cells.is_some_and(|cells| cells <= MOST_PAIR_CELLS)
}

/// The model of the columns with rare values put together; or, without looking at columns alone, of
/// the columns as they are and the row count.
fn begin(
    wants: &Wants,
    curator: &mut Curator,
    plan: &PrivMrfPlan,
    bought: &Bought,
    public: Option<NoisyCount>,
) -> Result<GrowingModel, MethodError> {
    let count = match (public, plan.count) {
        (Some(count), _) => Some(count),
        (None, Some(count)) => Some(curator.row_count(&CountQuery { noise: bought.get(count)? })?),
        (None, None) => None,
    };
    if let Some(ones) = plan.ones {
        let detail = Detail::when(wants.params.levels);
        let ones = detail.measure(curator, bought.get(ones)?, wants.slots)?;
        let merging = Merging { threshold: wants.params.merge, ..Merging::default() };
        let noise = plan.first.map(|first| bought.get(first)).transpose()?;
        let merging = detail.held(merging, wants.slots, ones.total(), noise.map_or(0.0, expected_noise));
        return GrowingModel::merged(curator, &ones, merging, None);
    }
    let schema = curator.schema();
    let ones = OneWayMarginals::new(count, Vec::new());
    let mut model = GrowingModel::new(schema, Columns::plain(schema)?, &ones, None)?;
    model.stop_with(curator);
    Ok(model)
}

/// R of every pair that is not too large.
fn ask_scores(run: &mut Run, noise: Noise) -> Result<Scores, MethodError> {
    let columns = run.model.columns();
    let mut asked = pairs(columns.len());
    asked.retain(|pair| is_scored(Some(columns.cells(pair))));
    let query = |pair: &Clique| {
        let asked = columns.asked(pair);
        let score = Score::Dependence { child: asked.attributes()[0], parents: Clique::single(asked.attributes()[1]) };
        ScoreQuery { score, noise }
    };
    let queries: Vec<ScoreQuery> = asked.iter().map(query).collect();
    let answers = run.curator.noisy_scores(&queries)?;
    Ok(Scores::of(columns.len(), &asked, answers.iter().map(|answer| answer.rows())))
}

/// The first marginals. One whose tree would become too large gives way to its column alone: the
/// rules of thumb that triangulate a graph may do worse on a part of it than on the whole.
fn first_marginals(
    model: &GrowingModel,
    universe: &Universe,
    scores: &Scores,
    params: &PrivMrfParams,
    bounds: Bounds,
) -> Result<Vec<Clique>, MethodError> {
    let (columns, halt) = (model.columns(), model.halt());
    let mut tree = JunctionTree::new(columns.domain(), &[], columns.rules())?;
    let mut first = Vec::new();
    let chosen = initial::choose(universe, scores, params.first, halt)?;
    for (set, column) in chosen.into_iter().zip(columns.domain().attributes()) {
        halt.check(SET_STEPS)?;
        let fits = tree.has_room_for(&set, bounds.total.max(tree.cells()))?;
        let set = if fits { set } else { Clique::single(column) };
        tree.add(&set)?;
        first.push(set);
    }
    Ok(first)
}

/// The rounds: the candidate whose counts are farthest from the model's, and its marginal.
struct Rounds<'a> {
    params: &'a PrivMrfParams,
    universe: Universe,
    bounds: Bounds,
    price: ChoicePrice,
    /// Of a marginal.
    noise: Noise,
    rounds: u64,
    round: u64,
}

impl Policy for Rounds<'_> {
    const LABEL: &'static str = "marginal of a round";

    /// Where nothing useful is left that was not measured, one of those that were is measured
    /// again: the choice and the marginal are planned in any case.
    fn next(&mut self, run: &mut Run) -> Result<Option<Round>, MethodError> {
        if self.round == self.rounds {
            return Ok(None);
        }
        let known: BTreeSet<&Clique> = run.measured.iter().collect();
        let most = self.bounds.total.max(run.model.cells());
        let mut fits = |set: &Clique| !known.contains(set) && run.model.has_room_for(set, most).is_ok_and(|room| room);
        let mut rng = SampleRng::new(self.params.shuffle, PURPOSE, self.round);
        let mut sets = self.universe.sample(self.params.candidates as usize, &mut rng, &mut fits);
        // Whoever was told to stop has found too few.
        run.curator.check_cancelled()?;
        if sets.is_empty() {
            sets = known.into_iter().cloned().collect();
        }
        self.round += 1;
        let mean_noise = expected_noise(self.noise);
        let offset = |set: &Clique| -(self.params.penalty * mean_noise) * run.model.columns().cells(set) as f64;
        let weigh = |clique: Clique| WeightedCandidate { offset: offset(&clique), clique, weight: 1.0, expected: None };
        let offer = RoundOffer::Choice(sets.into_iter().map(weigh).collect(), self.price);
        let draws = Some(Draws { noise: self.noise, times: 1, mean_noise });
        Ok(Some(Round { offer, draws, progress: (self.round, self.rounds) }))
    }

    /// After the last round the final fit comes at once.
    fn learn(&mut self, _run: &Run, _chosen: &[ChosenClique], _outcomes: &[MeasurementOutcome]) -> bool {
        self.round < self.rounds
    }
}
