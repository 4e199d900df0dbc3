//! Columns first; with many of them a forest of pairs; then round by round the table that the model
//! gets most wrong, and on the way coarse levels of columns.

use lookalike_curator::Curator;
use lookalike_model::{Model, Rules};
use lookalike_schema::{AttrId, Clique, Schema};

use super::coarse_levels::add_coarse_levels;
use super::forecast::typical;
use super::forest::ForestRounds;
use super::ladder::Ladder;
use super::params::{AutoParams, NAME};
use super::schedule::{BudgetSchedule, signal};
use super::state::{ColumnFacts, State};
use super::tables::TableRounds;
use crate::graphical::{Detail, GrowingModel, Limit, Merging, OneWayMarginals};
use crate::independent::row_count_alone;
use crate::rounds::Run;
use crate::workload::Workload;
use crate::{MethodError, Observer, Request, total};

/// The most classes of a target.
const MOST_CLASSES: u32 = 12;

pub(super) fn fit(
    params: &AutoParams,
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
    observer.phase("measuring columns");
    let (slots, params) = params.for_schema(curator.schema(), curator.budget().is_pure());
    let params = &if params.buys_row_count(slots, curator.budget()) {
        let rows = total::row_count(curator, params.row_count_share)?.value as f64;
        params.for_signal(signal(rows, columns, curator.neighbours(), curator.remaining()?)?)
    } else {
        params
    };
    let (noise, mut schedule) = BudgetSchedule::open(params, curator, slots)?;
    let mut ones = params.detail().measure(curator, noise, slots)?;
    let passes = more_columns(params, &schedule, &ones);
    if let Some((noise, times)) = schedule.for_columns(columns, passes) {
        ones.measure_more(curator, noise, &vec![times; columns])?;
    }
    observer.budget(curator.share_spent());
    observer.phase("measuring tables");
    if let Some(pace) = pace(params, &schedule, &ones)? {
        let merging = Merging::for_pairs(params.merge_threshold, columns, limit.cells());
        let merging = params.detail().held(merging, slots, ones.total(), schedule.mean_noise(pace)?);
        let model = GrowingModel::merged(curator, &ones, merging, Some(params.noise_share))?;
        let told = ones.columns().iter().zip(workload.column_weights());
        let told = told.map(|(one, weight)| ColumnFacts { weight, variance: one.variance }).collect();
        let mut state = State::new(params, schedule, limit, pace, told);
        let mut run = Run::new(curator, observer, model);
        run.shrinks = params.shrinkage && slots > 1;
        let ladder = if params.ladder && slots > 1 { Ladder::add(&mut run, &merging)? } else { Ladder::default() };
        let target =
            workload.target().filter(|&target| has_rare_class(params, &run.curator.schema().clone(), &ones, target));
        measure_tables(&mut run, &mut state, &ladder, target)?;
        if !state.gave_up {
            let model = run.finish(NAME)?;
            return Detail::filled(model, if params.copula { slots } else { 1 });
        }
        schedule = state.schedule;
    }
    // No table stands out of its noise: everything that is left goes to the columns, whose values
    // are not grouped.
    if let Some((noise, times)) = schedule.rest_for_columns(&ones)? {
        ones.measure_more(curator, noise, &times)?;
    }
    let model = GrowingModel::alone(curator, &ones, Some(params.noise_share))?;
    Run::new(curator, observer, model).finish(NAME)
}

/// Pairs as a forest, tables of the columns as they are, coarse levels, tables of all of it.
fn measure_tables(
    run: &mut Run,
    state: &mut State,
    ladder: &Ladder,
    target: Option<AttrId>,
) -> Result<(), MethodError> {
    let kept = if target.is_some() { (state.params.target_share * f64::from(state.slots)) as u32 } else { 0 };
    let later = ((1.0 - state.params.plain_share) * f64::from(state.slots)) as u32;
    if let Some(mut forest) = ForestRounds::new(state, ladder, &run.model)? {
        run.rounds(&mut forest)?;
        run.refit()?;
    }
    run.rounds(&mut TableRounds::new(state, later))?;
    if state.params.coarse_levels && !state.gave_up {
        add_coarse_levels(run, ladder)?;
    }
    run.rounds(&mut TableRounds::new(state, kept))?;
    match target {
        Some(target) if !state.gave_up => measure_target(run, state, target),
        _ => Ok(()),
    }
}

/// Whether a class of the target is so rare that the noise of the column's own counts hides how
/// many rows it has. Nobody predicts one of many values.
fn has_rare_class(params: &AutoParams, schema: &Schema, ones: &OneWayMarginals, target: AttrId) -> bool {
    let classes = schema.codec(target).present();
    let one = &ones.columns()[target.index()];
    let least = params.target_noise * one.variance.sqrt();
    (2..=MOST_CLASSES).contains(&classes) && one.values[..classes as usize].iter().any(|&count| count < least)
}

/// Tables make a rare class larger: their noise is cut at 0, cell by cell. The column's own counts
/// say how large it is.
fn measure_target(run: &mut Run, state: &mut State, target: AttrId) -> Result<(), MethodError> {
    if let Some((noise, times)) = state.schedule.rest_for_one()? {
        run.model.measure(run.curator, &[Clique::single(target)], noise, times, &[])?;
    }
    Ok(())
}

/// The slots that a round takes, so that there are tables worth measuring; none where that leaves
/// too few rounds.
fn pace(params: &AutoParams, schedule: &BudgetSchedule, ones: &OneWayMarginals) -> Result<Option<u32>, MethodError> {
    let mut pace = 1;
    while pace <= schedule.slots() {
        if ones.total() >= params.pair_usefulness * schedule.mean_noise(pace)? * params.least_cells {
            let rounds = f64::from(schedule.slots()) / f64::from(pace);
            return Ok((rounds >= params.fewest_rounds * ones.columns().len() as f64).then_some(pace));
        }
        pace = (pace + 1).max(pace * 4 / 3);
    }
    Ok(None)
}

/// How often the columns' own counts are measured once more: until the noise of a value is small
/// beside the mean count of a value, but for three tenths of what there is at most. Everything that
/// follows rests on them: which values are put together, and in which proportions they come apart
/// again.
fn more_columns(params: &AutoParams, schedule: &BudgetSchedule, ones: &OneWayMarginals) -> u32 {
    let sizes: Vec<f64> = ones.columns().iter().map(|one| one.counts() as f64).collect();
    let wanted = (ones.total() / (params.column_usefulness * typical(&sizes))).powi(2);
    let known = ones.columns().first().map_or(wanted, |one| one.variance);
    schedule.passes(params, known, wanted, ones.columns().len())
}
