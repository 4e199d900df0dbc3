//! Columns first; with many of them a forest of pairs; then round by round the table that the model
//! gets most wrong, and on the way coarser copies of columns.

use lookalike_curator::Curator;
use lookalike_model::{Model, Rules};

use super::NAME;
use super::alone::alone;
use super::purse::Purse;
use super::rounds::{Column, PAIR_USEFULNESS, Run};
use crate::graphical::{Columns, GrowingModel, Limit, Merging, Ones, empty_model};
use crate::workload::Workload;
use crate::{MethodError, Observer, Request};

/// Values with a noisy count below this many standard deviations are put together.
const MERGE_THRESHOLD: f64 = 1.5;
/// The share of the turns that goes to columns as they are, before copies are made.
const PLAIN_SHARE: f64 = 0.4;
/// The mean count of a column's value should be this many times the noise of one.
pub(super) const COLUMN_USEFULNESS: f64 = 30.0;
/// Tables of fewer cells are not worth a round: with more noise than that, rounds take more turns.
pub(super) const LEAST_CELLS: f64 = 48.0;
/// With fewer rounds for each column than that, tables are not worth their noise, and columns get
/// everything.
pub(super) const FEWEST_ROUNDS: f64 = 0.33;
/// Fits end at this share of the loss that noise alone would leave; beyond, they learn the noise.
pub(super) const NOISE_SHARE: f64 = 0.72;

pub(super) fn fit(curator: &mut Curator, request: &Request, observer: &dyn Observer) -> Result<Model, MethodError> {
    // A schema that no row can fit is refused here, before anything is paid.
    Rules::new(curator.schema())?;
    let schema = curator.schema().clone();
    let workload = Workload::of(request, &schema)?;
    let columns = schema.domain().len();
    if columns == 0 {
        return empty_model(curator, observer, NAME);
    }
    let limit = Limit::of(request);
    observer.phase("measuring columns");
    let (noise, mut purse) = Purse::open(curator, columns)?;
    let mut ones = Ones::measure(curator, noise)?;
    let passes = more_columns(&purse, &ones);
    if let Some((noise, times)) = purse.for_columns(columns, passes) {
        ones.measure_more(curator, noise, &vec![times; columns])?;
    }
    observer.budget(curator.share_spent());
    observer.phase("measuring tables");
    let mut grown = None;
    if let Some(pace) = pace(&purse, &ones)? {
        let merging = Merging::for_pairs(MERGE_THRESHOLD, columns, limit.cells());
        let held = Columns::grouped(curator, merging.groupings(&schema, &ones)?)?;
        let mut model = GrowingModel::stopping_at(&schema, held, &ones, Some(NOISE_SHARE))?;
        model.stop_with(curator);
        let told = ones.columns().iter().zip(workload.column_weights());
        let told = told.map(|(one, weight)| Column { weight, variance: one.variance }).collect();
        let mut run = Run::new(curator, observer, purse, limit, model, pace, told);
        let later = ((1.0 - PLAIN_SHARE) * f64::from(run.turns())) as u32;
        run.skeleton()?;
        run.rounds(later)?;
        run.add_copies()?;
        run.rounds(0)?;
        (grown, purse) = run.end();
    }
    let model = match grown {
        Some(model) => model,
        None => alone(curator, &mut ones, &mut purse)?,
    };
    observer.phase("fitting");
    curator.check_cancelled()?;
    model.finish(&schema, NAME)
}

/// The turns that a round takes, so that there are tables worth measuring; none where that leaves
/// too few rounds.
fn pace(purse: &Purse, ones: &Ones) -> Result<Option<u32>, MethodError> {
    let mut pace = 1;
    while pace <= purse.turns() {
        if ones.total() >= PAIR_USEFULNESS * purse.mean_noise(pace)? * LEAST_CELLS {
            let rounds = f64::from(purse.turns()) / f64::from(pace);
            return Ok((rounds >= FEWEST_ROUNDS * ones.columns().len() as f64).then_some(pace));
        }
        pace = (pace + 1).max(pace * 4 / 3);
    }
    Ok(None)
}

/// The geometric mean of the columns' numbers of values.
fn typical_size(ones: &Ones) -> f64 {
    let logs: f64 = ones.columns().iter().map(|one| (one.values.len() as f64).ln()).sum();
    (logs / ones.columns().len().max(1) as f64).exp()
}

/// How often the columns' own counts are measured once more: until the noise of a value is small
/// beside the mean count of a value, but for three tenths of what there is at most. Everything that
/// follows rests on them: which values are put together, and in which proportions they come apart
/// again.
fn more_columns(purse: &Purse, ones: &Ones) -> u32 {
    let wanted = (ones.total() / (COLUMN_USEFULNESS * typical_size(ones))).powi(2);
    let known = ones.columns().first().map_or(wanted, |one| one.variance);
    purse.passes(known, wanted, ones.columns().len())
}
