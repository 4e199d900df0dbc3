//! The budget: fixed before the first look, dealt out as rounds go.
//!
//! How many tables are worth measuring is known only when the row count is: a plan whose length
//! depended on that could not be composed exactly. With delta above 0 the plan is therefore a fixed
//! number of equal *turns*, each a choice and some equal draws of noise. Where fewer tables are
//! worth measuring, a round takes several turns: it makes the first one's choice, leaves out the
//! others', and gives the table the mean of all their draws; `m` draws with variance `m s^2` are as
//! good as one with `s^2`.
//!
//! A look stands among the turns: a few times a choice, and the noisy distance of the chosen table
//! to the model. It comes where the columns have had the most that they may get, so that at small
//! budgets nothing has been spent on tables before it.
//!
//! With delta = 0 epsilons add, whatever depends on what, so a filter takes the shares as they
//! come; many draws would be worse there.

use lookalike_curator::{Curator, Noise};
use lookalike_measurement::answer;
use lookalike_privacy::{Budget, CalibratedPlan, MechanismKind, Neighbours, Plan, PlanItem, Rational, ScoreKind, Step};

use super::alone::dealt;
use crate::MethodError;
use crate::graphical::{Filter, Ones};
use crate::planned::{broken_plan, noise_of};

/// The share of the budget for the counts of every column alone.
pub(super) const ONE_SHARE: f64 = 0.05;
/// The share of the budget for the look's distances; its choices come out of the choices' share.
const LOOK_SHARE: f64 = 0.005;
/// How many tables are looked at.
pub(super) const LOOKED_AT: u32 = 3;
/// The share of the budget for choices.
const SELECT_SHARE: f64 = 0.1;
/// The most rounds for each column.
const ROUNDS_A_COLUMN: f64 = 2.5;
/// The same where epsilons add.
const PURE_ROUNDS_A_COLUMN: f64 = 1.0;
/// The share of the turns that columns may get beyond their own share.
pub(super) const MOST_FOR_COLUMNS: f64 = 0.3;
/// Choices of a turn: one among sets at random, one among those around the first.
const CHOICES: u32 = 2;
/// With more columns a turn has one choice: several hundred of them are what exact composition can
/// carry.
const MOST_CHOOSING_TWICE: usize = 100;
/// Draws of a turn: two, so that draws can also be shared evenly by the columns.
pub(super) const DRAWS_A_TURN: u32 = 2;

/// What the plan calls the look, and the draws.
const LOOK: &str = "distance of a chosen table";
const DRAWS: &str = "draws for a table";

/// The first step of a plan with this label.
fn first<'a>(plan: &'a CalibratedPlan, label: &str) -> Option<&'a Step> {
    plan.steps().iter().find(|planned| planned.label == label).map(|planned| &planned.step)
}

/// What one round may spend.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    pub epsilon: Rational,
    pub noise: Noise,
    /// How often the table is measured.
    pub times: u32,
}

/// The look at some chosen tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    /// The epsilon of each choice.
    pub epsilon: Rational,
    /// The noise of each distance.
    pub noise: Noise,
    /// It stands in the plan where so many turns are left.
    at: u32,
}

/// What is left.
#[derive(Debug)]
pub(super) enum Purse {
    /// A fixed plan.
    Planned { epsilon: Rational, choices: u32, look: Option<Look>, draw: Noise, variance: f64, turns: u32 },
    /// A filter over epsilon.
    Pure { filter: Filter, turns: u32 },
    /// Columns alone: nothing else to buy.
    Empty,
}

/// The most rounds that a table of so many columns gets.
pub(super) fn most_rounds(columns: usize, is_pure: bool) -> u32 {
    let a_column = if is_pure { PURE_ROUNDS_A_COLUMN } else { ROUNDS_A_COLUMN };
    if columns < 2 { 0 } else { (a_column * columns as f64).ceil() as u32 }
}

/// The choices of a turn.
fn choices(columns: usize) -> u32 {
    if columns > MOST_CHOOSING_TWICE { 1 } else { CHOICES }
}

/// The most turns that columns may get beyond their own share: the look comes behind them.
fn most_for_columns(columns: usize, turns: u32) -> u32 {
    (most_passes(columns, turns) * columns as u32).div_ceil(DRAWS_A_TURN)
}

/// How often they may be measured for that.
fn most_passes(columns: usize, turns: u32) -> u32 {
    (f64::from(DRAWS_A_TURN * turns) * MOST_FOR_COLUMNS / columns.max(1) as f64) as u32
}

/// The plan for a delta above 0, from public facts alone.
pub(super) fn plan(columns: usize, neighbours: Neighbours) -> Plan {
    let rounds = most_rounds(columns, false);
    let item = |label: &str, kind, share, copies| PlanItem {
        label: label.into(),
        kind,
        sensitivity: neighbours.marginal(),
        share,
        copies,
    };
    let ones = if rounds == 0 { 1.0 } else { ONE_SHARE };
    let mut items = vec![item("one-way marginals", MechanismKind::Gaussian, ones, columns as u32)];
    let turns = f64::from(rounds);
    let choice = || {
        item(
            "choice of a table",
            MechanismKind::Exponential,
            SELECT_SHARE / (turns + f64::from(LOOKED_AT)),
            choices(columns),
        )
    };
    for turn in 0..rounds {
        // No look where a contribution is too large for noise on a score.
        if turn == most_for_columns(columns, rounds)
            && let Ok(sensitivity) = neighbours.score(ScoreKind::Distance, 0)
        {
            for _ in 0..LOOKED_AT {
                let look = item(LOOK, MechanismKind::Gaussian, LOOK_SHARE / f64::from(LOOKED_AT), 1);
                items.extend([choice(), PlanItem { sensitivity: sensitivity.clone(), ..look }]);
            }
        }
        items.push(choice());
        let share = (1.0 - ONE_SHARE - LOOK_SHARE - SELECT_SHARE) / turns;
        items.push(item(DRAWS, MechanismKind::Gaussian, share, DRAWS_A_TURN));
    }
    Plan { items }
}

impl Purse {
    /// Commits the plan or the filter. The noise of the columns' own counts, which are to be bought
    /// first, and the rest.
    pub fn open(curator: &mut Curator, columns: usize) -> Result<(Noise, Self), MethodError> {
        if curator.budget().is_pure() {
            let mut filter = Filter::open(curator)?;
            let most = most_rounds(columns, true);
            let noise = filter.noise(pure_share(columns) * filter.total() / columns as f64)?;
            let step = filter.step_of(noise);
            filter.spent(&step, columns);
            return Ok((noise, if most == 0 { Self::Empty } else { Self::Pure { filter, turns: most } }));
        }
        let plan = curator.commit(&plan(columns, curator.neighbours()))?;
        let step = |place: usize| plan.steps().get(place).map(|planned| &planned.step).ok_or_else(broken_plan);
        let ones = noise_of(step(0)?)?;
        let most = most_rounds(columns, false);
        if most == 0 {
            return Ok((ones, Self::Empty));
        }
        let Step::Exponential { epsilon } = step(columns)? else { return Err(broken_plan()) };
        let choices = choices(columns);
        let draw = first(&plan, DRAWS).ok_or_else(broken_plan)?;
        let variance = answer::variance(draw);
        let at = most - most_for_columns(columns, most);
        let look = first(&plan, LOOK).map(noise_of).transpose()?.map(|noise| Look { epsilon: *epsilon, noise, at });
        Ok((ones, Self::Planned { epsilon: *epsilon, choices, look, draw: noise_of(draw)?, variance, turns: most }))
    }

    /// The turns that are left: the most rounds that may still be.
    pub fn turns(&self) -> u32 {
        match self {
            Self::Planned { turns, .. } | Self::Pure { turns, .. } => *turns,
            Self::Empty => 0,
        }
    }

    /// How often a round chooses. Once where epsilons add: a second choice would halve the first
    /// one's epsilon.
    pub fn choices(&self) -> u32 {
        if let Self::Planned { choices, .. } = self { *choices } else { 1 }
    }

    /// The look, when its place in the plan has come: once.
    pub fn look(&mut self) -> Option<Look> {
        let Self::Planned { look, turns, .. } = self else { return None };
        if look.is_some_and(|look| look.at == *turns) { look.take() } else { None }
    }

    /// The mean distance from 0 of a cell's noise when a round takes so many turns.
    pub fn mean_noise(&self, taken: u32) -> Result<f64, MethodError> {
        let taken = taken.max(1);
        Ok(match self {
            Self::Planned { variance, .. } => {
                (variance / f64::from(DRAWS_A_TURN * taken) * std::f64::consts::FRAC_2_PI).sqrt()
            }
            Self::Pure { filter, turns } => {
                let share = filter.left() * f64::from(taken) / f64::from((*turns).max(taken));
                let noise = filter.noise((1.0 - SELECT_SHARE) * share)?;
                (0.5 * answer::variance(&filter.step_of(noise))).sqrt()
            }
            Self::Empty => f64::INFINITY,
        })
    }

    /// The turns of the next round, when rounds take so many: what would be too little for another
    /// round is taken with it.
    pub fn next(&self, pace: u32) -> u32 {
        let turns = match self {
            // No round steps over the look's place.
            Self::Planned { look: Some(look), turns, .. } if *turns > look.at => *turns - look.at,
            _ => self.turns(),
        };
        if turns < 2 * pace { turns } else { pace }
    }

    /// What a round of so many turns may spend.
    pub fn round(&mut self, taken: u32) -> Result<Round, MethodError> {
        match self {
            Self::Planned { epsilon, draw, turns, .. } => {
                *turns = turns.checked_sub(taken).ok_or_else(broken_plan)?;
                Ok(Round { epsilon: *epsilon, noise: *draw, times: DRAWS_A_TURN * taken })
            }
            Self::Pure { filter, turns } => {
                let share = filter.left() * f64::from(taken) / f64::from(*turns);
                *turns = turns.checked_sub(taken).ok_or_else(broken_plan)?;
                let epsilon = filter.selection(SELECT_SHARE * share)?;
                let noise = filter.noise((1.0 - SELECT_SHARE) * share)?;
                filter.spent(&Step::Exponential { epsilon }, 1);
                filter.spent(&filter.step_of(noise), 1);
                Ok(Round { epsilon, noise, times: 1 })
            }
            Self::Empty => Err(broken_plan()),
        }
    }

    /// How often all columns must be measured to get from one variance to another; at most for a
    /// part of what is left.
    pub fn passes(&self, known: f64, wanted: f64, columns: usize) -> u32 {
        match self {
            Self::Planned { variance, turns, .. } => {
                let missing = (1.0 / wanted.max(1e-300) - 1.0 / known.max(1e-300)).max(0.0);
                ((missing * variance).ceil() as u32).min(most_passes(columns, *turns))
            }
            // Its share was large enough from the start.
            Self::Pure { .. } | Self::Empty => 0,
        }
    }

    /// Takes what measuring every column costs, so many times: the noise, and how often.
    pub fn for_columns(&mut self, columns: usize, passes: u32) -> Option<(Noise, u32)> {
        let Self::Planned { draw, turns, .. } = self else { return None };
        let times = (DRAWS_A_TURN * *turns / columns.max(1) as u32).min(passes);
        *turns -= (times * columns as u32).div_ceil(DRAWS_A_TURN);
        (times > 0).then_some((*draw, times))
    }

    /// Takes everything that is left, for the columns: the noise, and how often each of them is
    /// measured with it.
    pub fn rest_for_columns(&mut self, ones: &Ones) -> Result<Option<(Noise, Vec<u32>)>, MethodError> {
        let columns = ones.columns();
        Ok(match self {
            Self::Planned { draw, variance, turns, .. } => {
                let draws = DRAWS_A_TURN * std::mem::take(turns);
                (draws > 0).then(|| (*draw, dealt(columns, ones.total(), *variance, draws)))
            }
            // Where epsilons add, many draws are worse than one.
            Self::Pure { filter, .. } => {
                Some((filter.noise(filter.left() / columns.len().max(1) as f64)?, vec![1; columns.len()]))
            }
            Self::Empty => None,
        })
    }
}

/// What a budget buys, before anything is known of the rows: for forecasts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prices {
    /// The variance of a column's own counts.
    pub ones: f64,
    /// The variance of a table that takes one turn.
    pub turn: f64,
    /// The turns.
    pub turns: f64,
    /// Whether epsilons add: a table of `m` turns then has `m * m` times less variance, else `m`
    /// times less.
    pub is_pure: bool,
}

impl Prices {
    pub fn new(columns: usize, budget: Budget, neighbours: Neighbours) -> Result<Self, MethodError> {
        let is_pure = budget.is_pure();
        let turns = f64::from(most_rounds(columns, is_pure));
        if is_pure {
            let filter = Filter::over(budget, neighbours)?;
            let variance = |amount: f64| Ok::<_, MethodError>(answer::variance(&filter.step_of(filter.noise(amount)?)));
            let share = pure_share(columns);
            let ones = variance(share * filter.total() / columns as f64)?;
            let rest = (1.0 - share) * (1.0 - SELECT_SHARE) * filter.total();
            let turn = if turns > 0.0 { variance(rest / turns)? } else { ones };
            return Ok(Self { ones, turn, turns, is_pure });
        }
        let plan = plan(columns, neighbours).calibrate(budget).map_err(lookalike_curator::CuratorError::from)?;
        let variance = |place: usize| plan.steps().get(place).map_or(0.0, |planned| answer::variance(&planned.step));
        let ones = variance(0);
        let turn = if plan.steps().len() > columns {
            answer::variance(first(&plan, DRAWS).ok_or_else(broken_plan)?) / f64::from(DRAWS_A_TURN)
        } else {
            ones
        };
        Ok(Self { ones, turn, turns, is_pure })
    }
}

/// The share of the columns' own counts where epsilons add. Without n-hat nobody knows whether
/// tables pay: columns get what they would have among as many tables.
fn pure_share(columns: usize) -> f64 {
    1.0 / (1.0 + 2.0 * f64::from(most_rounds(columns, true)) / columns.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use lookalike_privacy::{Delta, Epsilon, Relation};

    use super::*;

    fn neighbours() -> Neighbours {
        Neighbours::new(Relation::AddRemove, 1).unwrap()
    }

    /// The look stands where columns have had the most that they may get, so that no way of dealing
    /// out turns steps over it.
    #[test]
    fn every_purse_comes_to_the_look() {
        for columns in 2..=130 {
            let plan = plan(columns, neighbours());
            let place = plan.items.iter().position(|item| item.label == LOOK).unwrap();
            let before = plan.items[..place].iter().filter(|item| item.label == DRAWS).count() as u32;
            let turns = most_rounds(columns, false);
            let one = Rational::new(1, 1).unwrap();
            let look = Look { epsilon: one, noise: Noise::Gaussian(one), at: turns - before };
            for (passes, pace) in (0..4).flat_map(|passes| (1..12).map(move |pace| (passes, pace))) {
                let draw = Noise::Gaussian(one);
                let mut purse =
                    Purse::Planned { epsilon: one, choices: 2, look: Some(look), draw, variance: 1.0, turns };
                let passes = purse.passes(f64::INFINITY, 1.0 / f64::from(passes.max(1)), columns).min(passes);
                purse.for_columns(columns, passes);
                let mut looks = 0;
                while purse.turns() > 0 {
                    looks += u32::from(purse.look().is_some());
                    purse.round(purse.next(pace)).unwrap();
                }
                assert_eq!(looks, 1, "{columns} columns, {passes} passes, pace {pace}");
            }
        }
    }

    /// A contribution that no noise on a score can carry: the plan is one without a look, and can
    /// be paid for.
    #[test]
    fn a_large_contribution_leaves_the_look_out() {
        let neighbours = Neighbours::new(Relation::AddRemove, 2_000_000).unwrap();
        let plan = plan(4, neighbours);
        assert!(plan.items.iter().all(|item| item.label != LOOK));
        let budget = Budget { epsilon: Epsilon::new(1.0).unwrap(), delta: Delta::new(1e-6).unwrap() };
        assert!(plan.calibrate(budget).is_ok());
    }
}
