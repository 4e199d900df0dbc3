//! Measure the columns, then round by round what the model gets most wrong.

use lookalike_curator::{Curator, Noise};
use lookalike_measurement::answer;
use lookalike_model::{Model, Rules};
use lookalike_privacy::Step;
use lookalike_schema::Clique;

use super::candidates::{Bounds, Pool};
use super::params::{AimParams, NAME};
use crate::graphical::{Candidates, Columns, Filter, GrowingModel, Limit, Merging, Ones, empty_model};
use crate::planned::broken_plan;
use crate::workload::Workload;
use crate::{MethodError, Observer, Request};

/// Parts of the rounds' budget for each column that the first round's is one of; as published.
const PARTS_A_COLUMN: f64 = 16.0;
/// The same where epsilons add: noise then falls with the budget itself, not with its root.
const PURE_PARTS_A_COLUMN: f64 = 2.0;

/// What a round has: amounts of the filter's currency.
#[derive(Clone, Copy, Debug)]
struct Purse {
    select: f64,
    measure: f64,
}

pub(super) fn fit(
    params: &AimParams,
    curator: &mut Curator,
    request: &Request,
    observer: &dyn Observer,
) -> Result<Model, MethodError> {
    // A schema that no row can fit is refused here, before anything is paid.
    Rules::new(curator.schema())?;
    let schema = curator.schema().clone();
    let workload = Workload::of(request, &schema)?;
    let columns = schema.domain().len();
    if columns == 0 {
        return empty_model(curator, observer, NAME);
    }
    let limit = Limit::of(request);
    let pool = Pool::new(&workload, params.candidates as usize);
    observer.phase("measuring columns");
    let mut filter = Filter::open(curator)?;
    // Without a set of two columns in the workload there is nothing else to buy.
    let share = if pool.is_empty() { 1.0 } else { params.one_share };
    let noise = filter.noise(share * filter.total() / columns as f64)?;
    let ones = Ones::measure(curator, noise)?;
    filter.spent(&filter.step_of(noise), columns);
    observer.budget(curator.share_spent());
    let merging = Merging::for_pairs(params.merge_threshold, columns, limit.cells());
    let groups = merging.groupings(&schema, &ones)?;
    let held = Columns::grouped(curator, groups)?;
    let mut model = GrowingModel::new(&schema, held, &ones)?;
    model.stop_with(curator);
    let mut run = Run { params, curator, observer, filter, limit, pool, model, candidates: Candidates::new() };
    if share < 1.0 {
        observer.phase("measuring tables");
        run.rounds()?;
    }
    observer.phase("fitting");
    run.curator.check_cancelled()?;
    run.model.finish(&schema, NAME)
}

/// The rounds.
struct Run<'a> {
    params: &'a AimParams,
    curator: &'a mut Curator,
    observer: &'a dyn Observer,
    filter: Filter,
    limit: Limit,
    pool: Pool,
    model: GrowingModel,
    candidates: Candidates,
}

impl Run<'_> {
    fn rounds(&mut self) -> Result<(), MethodError> {
        let columns = self.model.columns().len() as f64;
        let a_column = if self.filter.is_pure() { PURE_PARTS_A_COLUMN } else { PARTS_A_COLUMN };
        let parts = self.params.rounds.unwrap_or((a_column * columns).min(self.limit.rounds() as f64));
        let mut purse = self.split(self.filter.left() / parts);
        let mut round = 0;
        loop {
            round += 1;
            self.curator.check_cancelled()?;
            // What would not be enough for two more rounds is spent in one.
            let last = self.filter.left() <= 2.0 * (purse.select + purse.measure);
            if last {
                purse = self.split(self.filter.left());
            }
            let taught = self.round(round, purse)?;
            self.observer.round(round, if last { round } else { round.max(parts as u64) });
            self.observer.budget(self.curator.share_spent());
            if last {
                return Ok(());
            }
            if !taught {
                // Half the noise, of measurements and choices alike.
                let more = if self.filter.is_pure() { 2.0 } else { 4.0 };
                purse = Purse { select: more * purse.select, measure: more * purse.measure };
            }
        }
    }

    fn split(&self, amount: f64) -> Purse {
        let select = self.params.select_share * amount;
        Purse { select, measure: amount - select }
    }

    /// Chooses, measures and fits. Whether the model has learned more than noise would have taught
    /// it.
    fn round(&mut self, round: u64, purse: Purse) -> Result<bool, MethodError> {
        let epsilon = self.filter.selection(purse.select)?;
        let noise = self.filter.noise(purse.measure)?;
        let step = self.filter.step_of(noise);
        let bounds = Bounds {
            round,
            cells: self.limit.part(1.0 - self.filter.left() / self.filter.total()),
            noise: mean_noise(noise, &step),
        };
        let wishes = self.pool.wishes(&self.model, &bounds)?;
        let place = self.candidates.select(self.curator, &self.model, &wishes, "a table to measure", epsilon)?;
        self.filter.spent(&Step::Exponential { epsilon }, 1);
        let chosen: Clique = wishes.get(place).ok_or_else(broken_plan)?.clique.clone();
        let asked = std::slice::from_ref(&chosen);
        let before = self.model.counts(asked)?.pop().ok_or_else(broken_plan)?;
        self.model.measure(self.curator, asked, noise)?;
        self.filter.spent(&step, 1);
        self.model.refit()?;
        self.candidates.touch(&self.model.part_around(&chosen));
        let after = self.model.counts(asked)?.pop().ok_or_else(broken_plan)?;
        let moved: f64 = before.iter().zip(&after).map(|(before, after)| (before - after).abs()).sum();
        Ok(moved > bounds.noise * before.len() as f64)
    }
}

/// The mean distance from 0 of one cell's noise.
fn mean_noise(noise: Noise, step: &Step) -> f64 {
    let variance = answer::variance(step);
    match noise {
        Noise::Gaussian(_) => (variance * std::f64::consts::FRAC_2_PI).sqrt(),
        Noise::Laplace(_) => (0.5 * variance).sqrt(),
    }
}
