//! Measure the columns, then round by round what the model gets most wrong.

use lookalike_curator::Curator;
use lookalike_model::{Model, Rules};

use super::candidates::{Bounds, Pool};
use super::params::{AimParams, NAME};
use crate::budget::BudgetFilter;
use crate::graphical::{Detail, GrowingModel, Limit, Merging};
use crate::independent::row_count_alone;
use crate::rounds::{ChoicePrice, ChosenClique, Draws, MeasurementOutcome, Policy, Round, RoundOffer, Run};
use crate::workload::Workload;
use crate::{MethodError, Observer, Request};

/// Parts of the rounds' budget for each column that the first round's is one of; as published.
const PARTS_A_COLUMN: f64 = 16.0;
/// The same where epsilons add: noise then falls with the budget itself, not with its root.
const PURE_PARTS_A_COLUMN: f64 = 2.0;

pub(super) fn fit(
    params: &AimParams,
    curator: &mut Curator,
    request: &Request,
    observer: &dyn Observer,
) -> Result<Model, MethodError> {
    // A schema that no row can fit is refused here, before anything is paid.
    Rules::new(curator.schema())?;
    let workload = Workload::of(request, curator.schema())?;
    let columns = curator.schema().domain().len();
    if columns == 0 {
        return row_count_alone(curator, observer, NAME);
    }
    let limit = Limit::of(request);
    let pool = Pool::new(&workload, params.candidates as usize);
    observer.phase("measuring columns");
    let mut filter = BudgetFilter::open(curator)?;
    // Without a set of two columns in the workload there is nothing else to buy.
    let share = if pool.is_empty() { 1.0 } else { params.one_share };
    let detail = Detail::when(params.levels);
    let slots = detail.slots(curator.schema(), filter.is_pure());
    let bought = detail.marginals(curator.schema(), slots);
    let noise = filter.buy_marginals(share * filter.total() / bought as f64, bought)?;
    let ones = detail.measure(curator, noise, slots)?;
    observer.budget(curator.share_spent());
    let merging = Merging::for_pairs(params.merge_threshold, columns, limit.cells());
    let rounds = (share < 1.0).then(|| Annealing::new(params, filter, limit, pool, columns));
    let mean_noise = rounds.as_ref().map(|rounds| rounds.filter.mean_noise(rounds.measure)).transpose()?;
    let merging = detail.held(merging, slots, ones.total(), mean_noise.unwrap_or_default());
    let model = GrowingModel::merged(curator, &ones, merging, None)?;
    let mut run = Run::new(curator, observer, model);
    if let Some(mut rounds) = rounds {
        observer.phase("measuring tables");
        run.rounds(&mut rounds)?;
    }
    Detail::filled(run.finish(NAME)?, slots)
}

/// The budget schedule of the rounds: as much for each as for the one before, and four times as
/// much after a round that taught nothing beyond its noise.
struct Annealing<'a> {
    params: &'a AimParams,
    filter: BudgetFilter,
    limit: Limit,
    pool: Pool,
    /// The parts that the first round's budget is one of.
    parts: f64,
    /// What a round has, as amounts of the filter.
    select: f64,
    measure: f64,
    /// The mean noise of the round's measurement.
    noise: f64,
    round: u64,
    is_last: bool,
}

impl<'a> Annealing<'a> {
    fn new(params: &'a AimParams, filter: BudgetFilter, limit: Limit, pool: Pool, columns: usize) -> Self {
        let a_column = if filter.is_pure() { PURE_PARTS_A_COLUMN } else { PARTS_A_COLUMN };
        let parts = params.rounds.unwrap_or((a_column * columns as f64).min(limit.rounds() as f64));
        let first = filter.left() / parts;
        let (select, measure, noise, round, is_last) = (0.0, 0.0, 0.0, 0, false);
        let mut rounds = Self { params, filter, limit, pool, parts, select, measure, noise, round, is_last };
        rounds.split(first);
        rounds
    }

    fn split(&mut self, amount: f64) {
        self.select = self.params.select_share * amount;
        self.measure = amount - self.select;
    }
}

impl Policy for Annealing<'_> {
    const LABEL: &'static str = "a table to measure";

    fn next(&mut self, run: &mut Run) -> Result<Option<Round>, MethodError> {
        if self.is_last {
            return Ok(None);
        }
        self.round += 1;
        // What would not be enough for two more rounds is spent in one.
        self.is_last = self.filter.left() <= 2.0 * (self.select + self.measure);
        if self.is_last {
            self.split(self.filter.left());
        }
        self.noise = self.filter.mean_noise(self.measure)?;
        let cells = self.limit.part(1.0 - self.filter.left() / self.filter.total());
        let candidates = self.pool.weighted(&run.model, &Bounds { round: self.round, cells, noise: self.noise })?;
        let price = ChoicePrice::Exponential(self.filter.buy_choice(self.select)?);
        let noise = self.filter.buy_marginals(self.measure, 1)?;
        let draws = Some(Draws { noise, times: 1, mean_noise: self.noise });
        let progress = (self.round, if self.is_last { self.round } else { self.round.max(self.parts as u64) });
        Ok(Some(Round { offer: RoundOffer::Choice(candidates, price), draws, progress }))
    }

    fn learn(&mut self, _run: &Run, _chosen: &[ChosenClique], _outcomes: &[MeasurementOutcome]) -> bool {
        true
    }

    /// A model that has not learned more than noise would have taught it is given half the noise,
    /// of measurements and choices alike.
    fn fitted(&mut self, run: &Run, outcomes: &[MeasurementOutcome]) -> Result<(), MethodError> {
        for outcome in outcomes {
            let after = run.model.counts(std::slice::from_ref(&outcome.clique))?.concat();
            let moved: f64 = outcome.expected.iter().zip(&after).map(|(before, after)| (before - after).abs()).sum();
            if moved <= self.noise * after.len() as f64 {
                let more = if self.filter.is_pure() { 2.0 } else { 4.0 };
                (self.select, self.measure) = (more * self.select, more * self.measure);
            }
        }
        Ok(())
    }
}
