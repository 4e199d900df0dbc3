//! Round by round the table that the model gets most wrong.

use lookalike_curator::{Curator, Expected};
use lookalike_schema::{AttrId, Clique};

use super::drawn::{Drawn, MOST_COMPARED_BY_ROWS};
use super::learn::Lesson;
use super::pool::{self, Bounds};
use super::purse::Purse;
use crate::graphical::{GrowingModel, Limit};
use crate::{MethodError, Observer};

/// A table may have so many cells that its mean count is this many times the mean noise.
pub(super) const USEFULNESS: f64 = 9.0;
/// The same of a table of two columns.
pub(super) const PAIR_USEFULNESS: f64 = 1.0;
/// The same of a table of three columns.
const TRIPLE_USEFULNESS: f64 = 3.0;
/// The most cells of a table of three and more columns, whatever the budget could carry: a tree
/// holds few that are larger.
pub(super) const MOST_TABLE: f64 = 1_500.0;
/// With so many fits the tree may be as large as the limit says. With fewer it may be larger, up to
/// so many times: small models are where a tree is what is missing, and their fits are short.
const FULL_TREE_FITS: f64 = 67.0;
const LARGEST_TREE: f64 = 3.5;
/// The share of that which the first round may fill; it grows with the turns that are spent.
const FIRST_TREE: f64 = 0.05;
/// With more rounds than that, several tables are chosen before the next fit.
pub(super) const MOST_FITS: u32 = 60;
/// The same where tables share draws: what they have by chance hangs together less than relations
/// do.
const MOST_SHARED_FITS: u32 = 30;
/// An answer this many times as far from the model as noise alone would put it has taught
/// something.
pub(super) const TAUGHT: f64 = 1.0;
/// Two tables share a round's draws where chance is this many times the noise of one draw.
const CHANCE_LEADS: f64 = 2.0;
/// The most candidates of a round, and the most row visits that their counts take.
const CANDIDATES: usize = 600;
const ROW_VISITS: f64 = 8e8;
const FEWEST_CANDIDATES: usize = 40;
/// What a choice is made from.
pub(super) struct Offer {
    pub sets: Vec<Clique>,
    /// What the model says of each.
    pub expected: Vec<Expected>,
    /// The mean noise of measuring one.
    pub noise: f64,
    /// What comes after the first choice.
    pub then: Then,
}

/// What a second choice is for, where there is to be one.
pub(super) enum Then {
    /// There is none.
    Done,
    /// A set that is close to the first and better.
    Nearer(Nearer),
    /// Another table, which shares the draws of noise.
    Another,
}

/// What sets around a chosen one must keep to, and the model's rows to compare them with.
pub(super) struct Nearer {
    pub bounds: Bounds,
    pub drawn: Option<Drawn>,
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
    pub(super) measured: Vec<Clique>,
    /// The number of the next fit, which picks its candidates.
    fits: u64,
    /// How far the last round's answers were from the model, in units of their noise.
    last_taught: Option<f64>,
    /// The most that an answer was from the model, in units of its noise.
    pub(super) most_taught: f64,
    /// Where the last round's answers were no farther from the model than chance puts them: by how
    /// much that was beyond the noise of one draw.
    chance: Option<f64>,
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
            chance: None,
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
        let most = if self.shares_draws() { MOST_SHARED_FITS } else { MOST_FITS };
        (self.turns / self.pace).div_ceil(most).max(1)
    }

    fn round(&mut self) -> Result<(), MethodError> {
        let mut offer = self.offer()?;
        let mut lessons = Vec::new();
        for _ in 0..self.batch() {
            if self.purse.turns() == 0 || offer.sets.is_empty() {
                break;
            }
            let learnt = self.learn(&offer)?;
            offer.retain(|set| learnt.iter().all(|lesson| lesson.leaves_alone(set)));
            lessons.extend(learnt);
        }
        self.keep_pace(Lesson::mean(&lessons, |lesson| lesson.taught));
        self.chance = Lesson::only_chance(&lessons);
        self.model.refit()?;
        self.fits += 1;
        Ok(())
    }

    /// What a round chooses from.
    pub(super) fn offer(&self) -> Result<Offer, MethodError> {
        let shares = self.shares_draws();
        let noise = self.purse.mean_noise(self.pace)? * if shares { f64::sqrt(2.0) } else { 1.0 };
        let bounds = self.bounds(noise);
        // The curator, and all that holds it, stays on one thread.
        let (model, measured, number) = (&self.model, &self.measured[..], self.fits);
        let (sets, drawn) = rayon::join(|| candidates(model, measured, &bounds), || Drawn::worth_it(model, number));
        let (sets, drawn) = (sets?, drawn?);
        let expected = self.expected(drawn.as_ref(), &sets)?;
        let then = match self.purse.choices() {
            ..2 => Then::Done,
            _ if shares => Then::Another,
            _ => Then::Nearer(Nearer { bounds, drawn }),
        };
        Ok(Offer { sets, expected, noise, then })
    }

    /// Whether two tables share a round's draws. What is left to learn then is how these very rows
    /// differ by chance from others that are drawn alike; all tables have their part of that, and
    /// where noise is small beside it, more of them say more.
    fn shares_draws(&self) -> bool {
        self.pace == 1
            && self.seen.is_none()
            && self.purse.choices() > 1
            && self.chance.is_some_and(|chance| chance > CHANCE_LEADS)
    }

    /// Rounds that teach nothing beyond noise, twice in a row on average, are followed by rounds
    /// with less noise.
    fn keep_pace(&mut self, taught: f64) {
        match self.last_taught.take() {
            Some(last) if last + taught < 2.0 * TAUGHT => self.pace = (2 * self.pace).min(self.turns),
            _ => self.last_taught = Some(taught),
        }
    }

    pub(super) fn tell(&self) {
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

    /// What the model says of the sets. Answers that would take too long are left to drawn rows.
    pub(super) fn expected(&self, drawn: Option<&Drawn>, sets: &[Clique]) -> Result<Vec<Expected>, MethodError> {
        match drawn {
            Some(drawn) => drawn.expected(&self.model, sets),
            None => self.model.expected(sets).or_else(|_| {
                // A stop is asked about again at once.
                Drawn::new(&self.model, self.fits)?.expected(&self.model, sets)
            }),
        }
    }
}

/// The sets that a round chooses from.
fn candidates(model: &GrowingModel, measured: &[Clique], bounds: &Bounds) -> Result<Vec<Clique>, MethodError> {
    let fresh = pool::candidates(model, measured, bounds)?;
    if !fresh.is_empty() {
        return Ok(fresh);
    }
    // Everything that fits has been measured: the best is then to measure it better.
    let again = pool::candidates(model, &[], bounds)?;
    if !again.is_empty() {
        return Ok(again);
    }
    Ok((0..model.columns().len()).map(|column| Clique::single(AttrId(column as u32))).collect())
}

/// The cells of the tree in the end, as a share of the limit's.
pub(super) fn full_tree(fits: f64, rows: f64) -> f64 {
    // Exact answers for every candidate take a pass over the tree each.
    let largest = if rows > MOST_COMPARED_BY_ROWS { 1.0 } else { LARGEST_TREE };
    (FULL_TREE_FITS / fits.max(1.0)).powi(2).min(largest)
}
