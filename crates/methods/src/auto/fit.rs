//! Columns first, then round by round the table that the model gets most wrong; half-way, coarser copies of columns.

use lookalike_curator::{Candidate, Curator, Score, SelectQuery};
use lookalike_model::{Model, Rules};
use lookalike_schema::{AttrId, Clique};
use rayon::prelude::*;

use super::NAME;
use super::cluster;
use super::pool::{self, Bounds};
use super::purse::Purse;
use crate::graphical::{Columns, Copy, GrowingModel, Limit, Merging, Ones, empty_model};
use crate::planned::broken_plan;
use crate::workload::Workload;
use crate::{MethodError, Observer, Request};

/// Values with a noisy count below this many standard deviations are put together.
const MERGE_THRESHOLD: f64 = 1.5;
/// The share of the rounds that goes to columns as they are, before copies are made.
const PLAIN_SHARE: f64 = 0.4;
/// A table may have so many cells that its mean count is this many times the mean noise.
const USEFULNESS: f64 = 6.0;
/// The mean count of a column's value should be this many times the noise of one.
const COLUMN_USEFULNESS: f64 = 6.0;
/// Tables of fewer cells are not worth a round: with more noise than that, there are fewer rounds.
const LEAST_CELLS: f64 = 16.0;
/// The tree may be as large as the limit says for so many rounds; with more rounds it is smaller, as each passes over it.
const FULL_TREE_ROUNDS: f64 = 60.0;
/// Tables with more columns get no copies: the tree has enough to hold.
const MOST_COPIED: usize = 40;
/// What a choice takes off a table's distance: this share of the noise that measuring it would bring.
const NOISE_PENALTY: f64 = 0.5;
/// Fits end at this share of the loss that noise alone would leave; beyond, they learn the noise.
const NOISE_SHARE: f64 = 0.7;
/// The most candidates of a round, and the most row visits that their counts take.
const CANDIDATES: usize = 300;
const ROW_VISITS: f64 = 2e8;
const FEWEST_CANDIDATES: usize = 40;
/// Rows of the model that candidates are compared with.
const FEWEST_DRAWN: f64 = 2e4;
const MOST_DRAWN: f64 = 4e5;
/// Rows of the model that say which values are alike.
const MOST_PROFILED: f64 = 5e4;

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
    if let Some((noise, times)) = purse.for_columns(columns, passes)? {
        ones.measure_more(curator, noise, times)?;
    }
    let rounds = rounds(&purse, &ones)?;
    if rounds == 0 {
        // No table would stand out of its noise: everything goes to the columns.
        if let Some((noise, times)) = purse.for_columns(columns, u32::MAX)? {
            ones.measure_more(curator, noise, times)?;
        }
    }
    observer.budget(curator.share_spent());
    let merging = Merging::for_pairs(MERGE_THRESHOLD, columns, limit.cells());
    // Groups are for tables.
    let held = if rounds == 0 {
        Columns::plain(&schema)?
    } else {
        Columns::grouped(curator, merging.groupings(&schema, &ones)?)?
    };
    let model = GrowingModel::stopping_at(&schema, held, &ones, Some(NOISE_SHARE))?;
    let weights = workload.column_weights();
    let mut run = Run { curator, observer, purse, limit, model, rounds, weights, measured: Vec::new() };
    observer.phase("measuring tables");
    if rounds > 0 {
        let plain = (PLAIN_SHARE * f64::from(rounds)).ceil() as u32;
        run.rounds(0..plain)?;
        run.add_copies()?;
        run.rounds(plain..rounds)?;
    }
    observer.phase("fitting");
    run.curator.check_cancelled()?;
    run.model.finish(&schema, NAME)
}

/// As many rounds as leave tables worth measuring.
fn rounds(purse: &Purse, ones: &Ones) -> Result<u32, MethodError> {
    let mut rounds = purse.most();
    while rounds > 0 && ones.total() < USEFULNESS * purse.mean_noise(rounds)? * LEAST_CELLS {
        rounds = if rounds < 4 { rounds - 1 } else { rounds * 3 / 4 };
    }
    Ok(rounds)
}

/// The geometric mean of the columns' numbers of values.
fn typical_size(ones: &Ones) -> f64 {
    let logs: f64 = ones.columns().iter().map(|one| (one.values.len() as f64).ln()).sum();
    (logs / ones.columns().len().max(1) as f64).exp()
}

/// How often the columns' own counts are measured once more: until the noise of a value is small beside the mean count of a
/// value, but for half of what there is at most. Everything that follows rests on them: which values are put together, and in
/// which proportions they come apart again.
fn more_columns(purse: &Purse, ones: &Ones) -> u32 {
    let wanted = (ones.total() / (COLUMN_USEFULNESS * typical_size(ones))).powi(2);
    let known = ones.columns().first().map_or(wanted, |one| one.variance);
    purse.passes(known, wanted, ones.columns().len())
}

/// The rounds.
struct Run<'a> {
    curator: &'a mut Curator,
    observer: &'a dyn Observer,
    purse: Purse,
    limit: Limit,
    model: GrowingModel,
    rounds: u32,
    /// How much each column counts.
    weights: Vec<f64>,
    measured: Vec<Clique>,
}

impl Run<'_> {
    fn rounds(&mut self, numbers: std::ops::Range<u32>) -> Result<(), MethodError> {
        for number in numbers {
            self.curator.check_cancelled()?;
            let noise = self.purse.mean_noise(self.rounds - number)?;
            let sets = self.candidates(number, noise)?;
            let round = self.purse.round(self.rounds - number)?;
            let chosen = self.choose(&sets, noise, number, round.epsilon)?;
            self.model.measure_mean(self.curator, &chosen, round.noise, round.times)?;
            self.model.refit()?;
            self.measured.push(chosen);
            self.observer.round(u64::from(number) + 1, u64::from(self.rounds));
            self.observer.budget(self.curator.share_spent());
        }
        Ok(())
    }

    fn candidates(&self, number: u32, noise: f64) -> Result<Vec<Clique>, MethodError> {
        let total = self.model.total();
        let bounds = Bounds {
            round: u64::from(number),
            candidates: ((ROW_VISITS / total) as usize).clamp(FEWEST_CANDIDATES, CANDIDATES),
            table: total / (USEFULNESS * noise),
            tree: self.limit.part(FULL_TREE_ROUNDS / f64::from(self.rounds)),
            target: None,
        };
        let fresh = pool::candidates(&self.model, &self.measured, &bounds)?;
        if !fresh.is_empty() {
            return Ok(fresh);
        }
        // Everything that fits has been measured: the best is then to measure it better.
        let again = pool::candidates(&self.model, &[], &bounds)?;
        if !again.is_empty() {
            return Ok(again);
        }
        Ok((0..self.model.columns().len()).map(|column| Clique::single(AttrId(column as u32))).collect())
    }

    /// The table whose rows are farthest from the model, beyond the noise of measuring it: a private choice.
    fn choose(
        &mut self,
        sets: &[Clique],
        noise: f64,
        number: u32,
        epsilon: lookalike_privacy::Rational,
    ) -> Result<Clique, MethodError> {
        let columns = self.model.columns();
        let total = self.model.total();
        let rows = total.clamp(FEWEST_DRAWN, MOST_DRAWN) as u64;
        let drawn = self.model.drawn(rows, u64::from(number))?;
        let scale = total / rows as f64;
        let weights: Vec<f64> = sets.iter().map(|set| self.weight(set)).collect();
        let most = weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let candidate = |(set, weight): (&Clique, f64)| {
            let counts = counts(columns, &drawn, set, scale);
            let offset = -NOISE_PENALTY * noise * counts.len() as f64;
            let expected = columns.to_asked(set, counts).into();
            let score = Score::DistanceToModel { clique: columns.asked(set), expected };
            Candidate { score, weight: weight / most, offset }
        };
        let candidates = sets.par_iter().zip(weights).map(candidate).collect();
        let query = SelectQuery { label: "a table to measure".into(), candidates, epsilon };
        let place = self.curator.select(&query)?.index;
        sets.get(place).cloned().ok_or_else(broken_plan)
    }

    /// The mean weight of a set's columns.
    fn weight(&self, set: &Clique) -> f64 {
        let columns = self.model.columns();
        let sum: f64 =
            set.attributes().iter().map(|attribute| self.weights[columns.column_of(attribute.index())]).sum();
        sum / set.len() as f64
    }

    /// Coarser copies of every column, by what the model knows so far.
    fn add_copies(&mut self) -> Result<(), MethodError> {
        let sizes = self.model.columns().domain().sizes().to_vec();
        if sizes.len() > MOST_COPIED {
            return Ok(());
        }
        let rows = self.model.total().clamp(FEWEST_DRAWN, MOST_PROFILED) as u64;
        let drawn = self.model.drawn(rows, u64::from(self.rounds))?;
        let made: Vec<_> =
            (0..sizes.len()).into_par_iter().map(|column| cluster::levels(profiles(&drawn, &sizes, column))).collect();
        let mut copies: Vec<Copy> = Vec::new();
        for (column, levels) in made.into_iter().enumerate() {
            let mut from = column;
            for grouping in levels {
                copies.push(Copy { column, from, grouping });
                from = sizes.len() + copies.len() - 1;
            }
        }
        self.model = self.model.clone().with_copies(self.curator, &copies)?;
        Ok(())
    }
}

/// The counts of a set in drawn rows, in the model's order of cells, scaled.
fn counts(columns: &Columns, drawn: &[Vec<u32>], set: &Clique, scale: f64) -> Vec<f64> {
    let sizes = columns.domain().sizes();
    let mut keys = vec![0u32; drawn.first().map_or(0, Vec::len)];
    for attribute in set.attributes() {
        let size = sizes[attribute.index()];
        keys.iter_mut().zip(&drawn[attribute.index()]).for_each(|(key, code)| *key = *key * size + code);
    }
    let mut counts = vec![0.0; columns.cells(set) as usize];
    keys.iter().for_each(|&key| counts[key as usize] += scale);
    counts
}

/// For each value of a column, how often it goes with each value of each other column.
fn profiles(drawn: &[Vec<u32>], sizes: &[u32], column: usize) -> Vec<Vec<f64>> {
    let values = sizes[column] as usize;
    let mut profiles = vec![Vec::new(); values];
    for (other, &size) in sizes.iter().enumerate().filter(|&(other, _)| other != column) {
        let size = size as usize;
        let mut table = vec![0.0; values * size];
        let pairs = drawn[column].iter().zip(&drawn[other]);
        pairs.for_each(|(&own, &other)| table[own as usize * size + other as usize] += 1.0);
        profiles.iter_mut().zip(table.chunks(size)).for_each(|(profile, row)| profile.extend_from_slice(row));
    }
    profiles
}
