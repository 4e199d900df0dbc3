//! What the rounds go by: what is left, and what the answers so far were like.

use lookalike_curator::Expected;
use lookalike_schema::Clique;

use super::candidates::{Bounds, most_by_chance};
use super::drawn::MOST_COMPARED_BY_ROWS;
use super::params::AutoParams;
use super::schedule::BudgetSchedule;
use crate::graphical::{Columns, GrowingModel, Limit};
use crate::rounds::{ChosenClique, MeasurementOutcome, Run, WeightedCandidate};

/// With this many fits the tree may be as large as the limit says.
const FULL_TREE_FITS: f64 = 67.0;
/// With fewer fits it may be larger, up to this many times: small models are where a tree is what
/// is missing, and their fits are short.
const LARGEST_TREE: f64 = 3.5;
/// The share of that which the first round may fill; it grows with the slots that are spent.
const FIRST_TREE: f64 = 0.05;
/// The most row visits that the counts of a round's candidates take.
const ROW_VISITS: f64 = 8e8;
const FEWEST_CANDIDATES: usize = 40;

/// What is known of a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColumnFacts {
    /// How much it counts.
    pub weight: f64,
    /// The variance of the noise of its own counts.
    pub variance: f64,
}

pub(super) struct State<'a> {
    pub params: &'a AutoParams,
    pub schedule: BudgetSchedule,
    pub limit: Limit,
    /// Slots that a round takes.
    pub pace: u32,
    /// Slots at the start.
    pub slots: u32,
    pub columns: Vec<ColumnFacts>,
    /// The number of the next fit, which picks its candidates.
    pub fits: u64,
    /// How far the last round's answers were from the model, in units of their noise.
    last_error: Option<f64>,
    /// Where the last round's answers were no farther from the model than chance puts them: by how
    /// much that was beyond the noise of one draw.
    chance: Option<f64>,
    /// A table that the signal test found worth measuring.
    pub found: Option<ChosenClique>,
    /// Whether no table is worth its noise.
    pub gave_up: bool,
}

impl<'a> State<'a> {
    pub fn new(
        params: &'a AutoParams,
        schedule: BudgetSchedule,
        limit: Limit,
        pace: u32,
        columns: Vec<ColumnFacts>,
    ) -> Self {
        let (slots, fits, last_error, chance, found) = (schedule.slots(), 0, None, None, None);
        Self { params, schedule, limit, pace, slots, columns, fits, last_error, chance, found, gave_up: false }
    }

    pub fn progress(&self) -> (u64, u64) {
        (u64::from(self.slots - self.schedule.slots()), u64::from(self.slots))
    }

    /// The tables that are chosen before the next fit.
    pub fn batch(&self) -> u32 {
        let most = if self.shares_draws() { self.params.shared_fits } else { self.params.fits };
        (self.slots / self.pace).div_ceil(most).max(1)
    }

    /// Whether two tables share a round's draws. What is left to learn then is how these very rows
    /// differ by chance from others that are drawn alike; all tables have their part of that, and
    /// where noise is small beside it, more of them say more.
    pub fn shares_draws(&self) -> bool {
        self.pace == 1
            && self.found.is_none()
            && self.schedule.choices() > 1
            && self.chance.is_some_and(|chance| chance > self.params.chance_leads)
    }

    /// Rounds that teach nothing beyond noise, twice in a row on average, are followed by rounds
    /// with less noise.
    pub fn fitted(&mut self, outcomes: &[MeasurementOutcome]) {
        self.fits += 1;
        self.chance = only_chance(outcomes, self.params.only_chance);
        let error = MeasurementOutcome::mean(outcomes, |outcome| outcome.error_to_noise);
        match self.last_error.take() {
            Some(last) if last + error < 2.0 * self.params.taught => self.pace = (2 * self.pace).min(self.slots),
            _ => self.last_error = Some(error),
        }
    }

    /// The most cells of a table of two columns, when a round's noise has this mean.
    pub fn most_cells(&self, model: &GrowingModel, noise: f64) -> f64 {
        model.total() / (self.params.pair_usefulness * noise)
    }

    /// What limits the choice of a round whose noise has this mean.
    pub fn bounds(&self, run: &Run, noise: f64) -> Bounds {
        let (params, total) = (self.params, run.model.total());
        let chance = most_by_chance(params, total, noise, run.most_error_to_noise);
        let most = params.most_cells.min(chance);
        let fits = f64::from((self.slots / self.pace).min(params.fits));
        // Large tables early on would leave no room for the others.
        let done = 1.0 - f64::from(self.schedule.slots()) / f64::from(self.slots);
        Bounds {
            round: self.fits,
            candidates: ((ROW_VISITS / total) as usize).clamp(FEWEST_CANDIDATES, params.candidates as usize),
            width: params.width as usize,
            pair: self.most_cells(&run.model, noise).min(chance),
            triple: (total / (params.triple_usefulness * noise)).min(most),
            table: (total / (params.usefulness * noise)).min(most),
            tree: self
                .limit
                .part(params.tree_share * (FIRST_TREE + (1.0 - FIRST_TREE) * done) * full_tree(fits, total)),
        }
    }

    /// Sets as candidates: by the mean weight of their columns, and by how far they are beyond the
    /// noise of measuring them.
    pub fn weigh(
        &self,
        columns: &Columns,
        sets: Vec<Clique>,
        expected: Vec<Expected>,
        noise: f64,
    ) -> Vec<WeightedCandidate> {
        let weigh = |(clique, expected): (Clique, Expected)| {
            let column = |attribute: usize| self.columns[columns.column_of(attribute)].weight;
            let sum: f64 = clique.attributes().iter().map(|attribute| column(attribute.index())).sum();
            let offset = -self.params.noise_penalty * noise * expected.values().len() as f64;
            WeightedCandidate { weight: sum / clique.len() as f64, clique, offset, expected: Some(expected) }
        };
        sets.into_iter().zip(expected).map(weigh).collect()
    }
}

/// The candidates with their weights as parts of the largest.
pub(super) fn scaled(candidates: impl IntoIterator<Item = WeightedCandidate>) -> Vec<WeightedCandidate> {
    let mut candidates: Vec<WeightedCandidate> = candidates.into_iter().collect();
    let most = candidates.iter().map(|it| it.weight).fold(f64::MIN_POSITIVE, f64::max);
    candidates.iter_mut().for_each(|it| it.weight /= most);
    candidates
}

/// What chance does, in units of the noise of one draw, where these answers showed nothing else.
fn only_chance(outcomes: &[MeasurementOutcome], most: f64) -> Option<f64> {
    let only = MeasurementOutcome::mean(outcomes, |outcome| outcome.error_to_chance) <= most;
    (only && !outcomes.is_empty()).then(|| MeasurementOutcome::mean(outcomes, |outcome| outcome.chance_to_noise))
}

/// The cells of the tree in the end, as a share of the limit's.
pub(super) fn full_tree(fits: f64, rows: f64) -> f64 {
    // Exact answers for every candidate take a pass over the tree each.
    let largest = if rows > MOST_COMPARED_BY_ROWS { 1.0 } else { LARGEST_TREE };
    (FULL_TREE_FITS / fits.max(1.0)).powi(2).min(largest)
}

#[cfg(test)]
mod tests {
    use lookalike_schema::AttrId;

    use super::*;

    #[test]
    fn only_chance_is_left_when_answers_are_no_farther_on_average() {
        let outcome = |error_to_chance: f64, chance_to_noise: f64| MeasurementOutcome {
            clique: Clique::new([0, 1, 2].map(AttrId)),
            expected: Vec::new(),
            error_to_noise: 3.0,
            error_to_chance,
            chance_to_noise,
        };
        assert_eq!(only_chance(&[], 1.1), None);
        assert_eq!(only_chance(&[outcome(0.8, 3.0), outcome(1.3, 5.0)], 1.1), Some(4.0));
        assert_eq!(only_chance(&[outcome(0.8, 3.0), outcome(1.5, 5.0)], 1.1), None);
    }
}
