//! Round by round the table that the model gets most wrong.

use lookalike_curator::{Candidate, Curator, Expected, Score, SelectQuery};
use lookalike_privacy::Rational;
use lookalike_schema::{AttrId, Clique};
use rayon::prelude::*;

use super::cluster;
use super::pool::{self, Bounds};
use super::purse::Purse;
use crate::graphical::{Columns, Copy, GrowingModel, Limit};
use crate::planned::broken_plan;
use crate::{MethodError, Observer};

/// A table may have so many cells that its mean count is this many times the mean noise.
pub(super) const USEFULNESS: f64 = 9.0;
/// The same of a table of two columns.
pub(super) const PAIR_USEFULNESS: f64 = 1.0;
/// The same of a table of three columns.
const TRIPLE_USEFULNESS: f64 = 3.0;
/// The most cells of a table of three and more columns, whatever the budget could carry: a tree holds few that are larger.
pub(super) const MOST_TABLE: f64 = 1_500.0;
/// With so many fits the tree may be as large as the limit says. With fewer it may be larger, up to so many times: small models are
/// where a tree is what is missing, and their fits are short.
const FULL_TREE_FITS: f64 = 67.0;
const LARGEST_TREE: f64 = 3.5;
/// The share of that which the first round may fill; it grows with the turns that are spent.
const FIRST_TREE: f64 = 0.05;
/// With more rounds than that, several tables are chosen before the next fit.
pub(super) const MOST_FITS: u32 = 60;
/// Tables with more columns get no copies: the tree has enough to hold.
const MOST_COPIED: usize = 40;
/// What a choice takes off a table's distance: this share of the noise that measuring it would bring.
const NOISE_PENALTY: f64 = 0.5;
/// An answer this many times as far from the model as noise alone would put it has taught something.
pub(super) const TAUGHT: f64 = 1.0;
/// The most candidates of a round, and the most row visits that their counts take.
const CANDIDATES: usize = 600;
const ROW_VISITS: f64 = 8e8;
const FEWEST_CANDIDATES: usize = 40;
/// Rows of the model that candidates are compared with.
const FEWEST_DRAWN: f64 = 2e4;
const MOST_DRAWN: f64 = 4e5;
/// Tables of more rows are compared with exact answers of the model: so few rows of it would add more scatter than there is to find,
/// and candidates are few there.
const MOST_COMPARED_BY_ROWS: f64 = 4.0 * MOST_DRAWN;
/// Rows of the model that say which values are alike.
const MOST_PROFILED: f64 = 5e4;

/// Rows of the model, and how many of the table's rows one of them stands for.
pub(super) struct Drawn {
    codes: Vec<Vec<u32>>,
    scale: f64,
}

/// What a choice is made from.
pub(super) struct Offer {
    pub sets: Vec<Clique>,
    /// What the model says of each.
    pub expected: Vec<Expected>,
    /// The mean noise of measuring one.
    pub noise: f64,
    /// What a second choice is made with, where there is to be one.
    pub nearer: Option<Nearer>,
}

/// What sets around a chosen one must keep to, and the model's rows to compare them with.
pub(super) struct Nearer {
    bounds: Bounds,
    drawn: Option<Drawn>,
}

impl Offer {
    /// Leaves out some sets.
    pub fn retain(&mut self, keep: impl Fn(&Clique) -> bool) {
        let kept = std::mem::take(&mut self.sets).into_iter().zip(std::mem::take(&mut self.expected));
        (self.sets, self.expected) = kept.filter(|(set, _)| keep(set)).unzip();
    }
}

/// What is known of a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    /// How much it counts.
    pub weight: f64,
    /// The variance of the noise of its own counts.
    pub variance: f64,
}

/// The rounds.
pub(super) struct Run<'a> {
    pub(super) curator: &'a mut Curator,
    observer: &'a dyn Observer,
    pub(super) purse: Purse,
    limit: Limit,
    pub(super) model: GrowingModel,
    /// Turns that a round takes.
    pub(super) pace: u32,
    /// Turns at the start.
    turns: u32,
    pub(super) columns: Vec<Column>,
    measured: Vec<Clique>,
    /// The number of the next fit, which picks its candidates.
    fits: u64,
    /// How far the last round's answers were from the model, in units of their noise.
    last_taught: Option<f64>,
    /// The most that an answer was from the model, in units of its noise.
    pub(super) most_taught: f64,
    /// A table that was looked at and is worth measuring, and what the model says of it.
    pub(super) seen: Option<(Clique, Expected)>,
    /// Whether no table is worth its noise.
    pub(super) gave_up: bool,
}

impl<'a> Run<'a> {
    pub fn new(
        curator: &'a mut Curator,
        observer: &'a dyn Observer,
        purse: Purse,
        limit: Limit,
        model: GrowingModel,
        pace: u32,
        columns: Vec<Column>,
    ) -> Self {
        let turns = purse.turns();
        Self {
            curator,
            observer,
            purse,
            limit,
            model,
            pace,
            turns,
            columns,
            measured: Vec::new(),
            fits: 0,
            last_taught: None,
            most_taught: 0.0,
            seen: None,
            gave_up: false,
        }
    }

    /// The turns that are left.
    pub fn turns(&self) -> u32 {
        self.purse.turns()
    }

    /// The model, unless no table was worth its noise; and what is left.
    pub fn end(self) -> (Option<GrowingModel>, Purse) {
        ((!self.gave_up).then_some(self.model), self.purse)
    }

    /// Chooses, measures and fits until no more than so many turns are left.
    pub fn rounds(&mut self, until: u32) -> Result<(), MethodError> {
        while self.purse.turns() > until && !self.gave_up {
            self.curator.check_cancelled()?;
            self.look()?;
            if !self.gave_up {
                self.round()?;
            }
        }
        Ok(())
    }

    /// The tables that are chosen before the next fit.
    fn batch(&self) -> u32 {
        (self.turns / self.pace).div_ceil(MOST_FITS).max(1)
    }

    fn round(&mut self) -> Result<(), MethodError> {
        let mut offer = self.offer()?;
        let mut taught = Vec::new();
        for _ in 0..self.batch() {
            if self.purse.turns() == 0 || offer.sets.is_empty() {
                break;
            }
            let (chosen, distance) = self.learn(&offer)?;
            taught.push(distance);
            // What shares a pair of columns with it will look otherwise after the fit.
            offer.retain(|set| set.intersection(&chosen).len() < 2.min(set.len()));
        }
        self.keep_pace(taught.iter().sum::<f64>() / taught.len().max(1) as f64);
        self.model.refit()?;
        self.fits += 1;
        Ok(())
    }

    /// What a round chooses from.
    pub(super) fn offer(&self) -> Result<Offer, MethodError> {
        let noise = self.purse.mean_noise(self.pace)?;
        let bounds = self.bounds(noise);
        let sets = self.candidates(&bounds)?;
        let drawn = self.drawn()?;
        let expected = self.expected(drawn.as_ref(), &sets)?;
        Ok(Offer { sets, expected, noise, nearer: Some(Nearer { bounds, drawn }) })
    }

    /// Chooses a set and measures it: the set, and how far the answer is from what was expected, in units of its noise.
    pub(super) fn learn(&mut self, offer: &Offer) -> Result<(Clique, f64), MethodError> {
        let round = self.purse.round(self.purse.next(self.pace))?;
        let (chosen, said) = match self.seen.take() {
            Some(seen) => seen,
            None => self.pick(offer, round.epsilon)?,
        };
        let before = self.model.columns().from_asked(&chosen, said.values().to_vec());
        let answer = self.model.measure_mean(self.curator, &chosen, round.noise, round.times)?;
        let distance: f64 = before.iter().zip(&answer).map(|(before, after)| (before - after).abs()).sum();
        self.measured.push(chosen.clone());
        self.tell();
        let taught = distance / (offer.noise * answer.len() as f64);
        self.most_taught = self.most_taught.max(taught);
        Ok((chosen, taught))
    }

    /// Chooses one of the sets, or where that is wanted one that is close to it: the set, and what the model says of it.
    pub(super) fn pick(&mut self, offer: &Offer, epsilon: Rational) -> Result<(Clique, Expected), MethodError> {
        let place = self.choose(&offer.sets, &offer.expected, offer.noise, epsilon)?;
        let mut chosen = offer.sets.get(place).cloned().ok_or_else(broken_plan)?;
        let mut said = offer.expected[place].clone();
        let twice = self.purse.choices() > 1;
        if let Some(Nearer { bounds, drawn }) = offer.nearer.as_ref().filter(|_| twice) {
            let around = pool::around(&self.model, &self.measured, bounds, &chosen)?;
            let expected = self.expected(drawn.as_ref(), &around)?;
            let place = self.choose(&around, &expected, offer.noise, epsilon)?;
            chosen = around.get(place).cloned().ok_or_else(broken_plan)?;
            said = expected[place].clone();
        }
        Ok((chosen, said))
    }

    /// Rounds that teach nothing beyond noise, twice in a row on average, are followed by rounds with less noise.
    fn keep_pace(&mut self, taught: f64) {
        match self.last_taught.take() {
            Some(last) if last + taught < 2.0 * TAUGHT => self.pace = (2 * self.pace).min(self.turns),
            _ => self.last_taught = Some(taught),
        }
    }

    fn tell(&self) {
        self.observer.round(u64::from(self.turns - self.purse.turns()), u64::from(self.turns));
        self.observer.budget(self.curator.share_spent());
    }

    /// The most cells of a table, when a round's noise has this mean.
    pub(super) fn most_cells(&self, noise: f64) -> f64 {
        self.model.total() / (PAIR_USEFULNESS * noise)
    }

    /// The most cells of the tree.
    pub(super) fn most_held(&self) -> u64 {
        let fits = f64::from((self.turns / self.pace).min(MOST_FITS));
        // Large tables early on would leave no room for the others.
        let done = 1.0 - f64::from(self.purse.turns()) / f64::from(self.turns);
        self.limit.part((FIRST_TREE + (1.0 - FIRST_TREE) * done) * full_tree(fits, self.model.total()))
    }

    fn bounds(&self, noise: f64) -> Bounds {
        let total = self.model.total();
        let chance = pool::most_by_chance(total, noise, self.most_taught);
        let most = MOST_TABLE.min(chance);
        Bounds {
            round: self.fits,
            candidates: ((ROW_VISITS / total) as usize).clamp(FEWEST_CANDIDATES, CANDIDATES),
            pair: self.most_cells(noise).min(chance),
            triple: (total / (TRIPLE_USEFULNESS * noise)).min(most),
            table: (total / (USEFULNESS * noise)).min(most),
            tree: self.most_held(),
        }
    }

    fn candidates(&self, bounds: &Bounds) -> Result<Vec<Clique>, MethodError> {
        let fresh = pool::candidates(&self.model, &self.measured, bounds)?;
        if !fresh.is_empty() {
            return Ok(fresh);
        }
        // Everything that fits has been measured: the best is then to measure it better.
        let again = pool::candidates(&self.model, &[], bounds)?;
        if !again.is_empty() {
            return Ok(again);
        }
        Ok((0..self.model.columns().len()).map(|column| Clique::single(AttrId(column as u32))).collect())
    }

    /// Rows of the model as it stands; none where exact answers are better.
    fn drawn(&self) -> Result<Option<Drawn>, MethodError> {
        if self.model.total() > MOST_COMPARED_BY_ROWS { Ok(None) } else { self.draw().map(Some) }
    }

    fn draw(&self) -> Result<Drawn, MethodError> {
        let total = self.model.total();
        let rows = total.clamp(FEWEST_DRAWN, MOST_DRAWN) as u64;
        Ok(Drawn { codes: self.model.drawn(rows, self.fits)?, scale: total / rows as f64 })
    }

    /// What the model says of the sets. Answers that would take too long are left to drawn rows.
    fn expected(&self, drawn: Option<&Drawn>, sets: &[Clique]) -> Result<Vec<Expected>, MethodError> {
        let Some(drawn) = drawn else {
            return self.model.expected(sets).or_else(|_| self.expected(Some(&self.draw()?), sets));
        };
        let columns = self.model.columns();
        let one = |set: &Clique| columns.to_asked(set, counts(columns, &drawn.codes, set, drawn.scale)).into();
        Ok(sets.par_iter().map(one).collect())
    }

    /// The table whose rows are farthest from the model, beyond the noise of measuring it: a private choice.
    fn choose(
        &mut self,
        sets: &[Clique],
        expected: &[Expected],
        noise: f64,
        epsilon: Rational,
    ) -> Result<usize, MethodError> {
        let columns = self.model.columns();
        let weights: Vec<f64> = sets.iter().map(|set| self.weight(set)).collect();
        let most = weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let candidate = |((set, expected), weight): ((&Clique, &Expected), f64)| {
            let offset = -NOISE_PENALTY * noise * expected.values().len() as f64;
            let score = Score::DistanceToModel { clique: columns.asked(set), expected: expected.clone() };
            Candidate { score, weight: weight / most, offset }
        };
        let candidates = sets.iter().zip(expected).zip(weights).map(candidate).collect();
        let query = SelectQuery { label: "a table to measure".into(), candidates, epsilon };
        Ok(self.curator.select(&query)?.index)
    }

    /// The mean weight of a set's columns.
    fn weight(&self, set: &Clique) -> f64 {
        let columns = self.model.columns();
        let sum: f64 =
            set.attributes().iter().map(|attribute| self.columns[columns.column_of(attribute.index())].weight).sum();
        sum / set.len() as f64
    }

    /// Coarser copies of every column, by what the model knows so far.
    pub fn add_copies(&mut self) -> Result<(), MethodError> {
        let sizes = self.model.columns().domain().sizes().to_vec();
        if self.gave_up || sizes.len() > MOST_COPIED {
            return Ok(());
        }
        let rows = self.model.total().clamp(FEWEST_DRAWN, MOST_PROFILED) as u64;
        let drawn = self.model.drawn(rows, u64::MAX)?;
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

/// The cells of the tree in the end, as a share of the limit's.
pub(super) fn full_tree(fits: f64, rows: f64) -> f64 {
    // Exact answers for every candidate take a pass over the tree each.
    let largest = if rows > MOST_COMPARED_BY_ROWS { 1.0 } else { LARGEST_TREE };
    (FULL_TREE_FITS / fits.max(1.0)).powi(2).min(largest)
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
