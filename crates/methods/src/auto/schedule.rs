//! The budget schedule: fixed before the first look, dealt out as rounds go.
//!
//! How many tables are worth measuring is known only when the row count is: a plan whose length
//! depended on that could not be composed exactly. With delta above 0 the plan is therefore a fixed
//! number of equal *slots*, each a choice and some equal draws of noise. Where fewer tables are
//! worth measuring, a round takes several slots: it makes the first one's choice, leaves out the
//! others', and gives the table the mean of all their draws; `m` draws with variance `m s^2` are as
//! good as one with `s^2`.
//!
//! A signal test stands among the slots: a few times a choice, and the noisy distance of the chosen
//! table to the model. It comes where the columns have had the most that they may get, so that at
//! small budgets nothing has been spent on tables before it.
//!
//! With delta = 0 epsilons add, whatever depends on what, so a filter takes the shares as they
//! come; many draws would be worse there.

use lookalike_curator::{Curator, Noise};
use lookalike_privacy::{Budget, Neighbours, ScoreKind};

use super::columns::dealt;
use super::params::AutoParams;
use crate::budget::{BudgetFilter, PlanBuilder, Purchase, broken_plan};
use crate::graphical::OneWayMarginals;
use crate::rounds::{ChoicePrice, Draws};
use crate::{MethodError, PublicFacts};

/// With more columns a slot has one choice: several hundred of them are what exact composition can
/// carry.
const MOST_CHOOSING_TWICE: usize = 100;
/// Draws of a slot: two, so that draws can also be shared evenly by the columns.
pub(super) const DRAWS_A_SLOT: u32 = 2;

/// The signal test of some chosen tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct SignalPrice {
    /// What each choice costs.
    pub choice: ChoicePrice,
    /// The noise of each distance.
    pub noise: Noise,
    /// It stands in the plan where this many slots are left.
    at: u32,
}

/// What is left.
#[derive(Debug)]
pub(super) enum BudgetSchedule {
    /// A fixed plan.
    Planned { choice: ChoicePrice, choices: u32, signal: Option<SignalPrice>, draw: Noise, variance: f64, slots: u32 },
    /// A filter over epsilon.
    Filtered { filter: BudgetFilter, slots: u32, select_share: f64 },
    /// Columns alone: nothing else to buy.
    Spent,
}

/// The most rounds that a table of `columns` columns gets.
pub(super) fn most_rounds(params: &AutoParams, columns: usize, is_pure: bool) -> u32 {
    let a_column = if is_pure { params.pure_rounds } else { params.rounds };
    if columns < 2 { 0 } else { (a_column * columns as f64).ceil() as u32 }
}

/// The choices of a slot: one among sets at random, one among those around the first.
fn choices(params: &AutoParams, columns: usize) -> u32 {
    if columns > MOST_CHOOSING_TWICE || !params.second_choice { 1 } else { 2 }
}

/// The most slots that columns may get beyond their own share: the signal test comes behind them.
fn most_for_columns(params: &AutoParams, columns: usize, slots: u32) -> u32 {
    (most_passes(params, columns, slots) * columns as u32).div_ceil(DRAWS_A_SLOT)
}

/// How often they may be measured for that.
fn most_passes(params: &AutoParams, columns: usize, slots: u32) -> u32 {
    if !params.column_passes {
        return 0;
    }
    (f64::from(DRAWS_A_SLOT * slots) * params.column_share / columns.max(1) as f64) as u32
}

/// The number of rows over the noise that a column's counts would have if all of the budget went to
/// one marginal of each column.
pub(super) fn signal(rows: f64, columns: usize, neighbours: Neighbours, budget: Budget) -> Result<f64, MethodError> {
    let mut plan = PlanBuilder::new(neighbours, budget);
    let once = plan.marginals("one-way marginals", 1.0, columns);
    Ok(rows / plan.forecast_quickly(budget)?.variance(once).sqrt())
}

/// The plan for a delta above 0, from public facts alone.
struct SlotPlan {
    plan: PlanBuilder,
    ones: Purchase<Noise>,
    /// The choice and the draws of the first slot.
    slot: Option<(Purchase<ChoicePrice>, Purchase<Noise>)>,
    /// The first distance of the signal test.
    signal: Option<Purchase<Noise>>,
}

impl SlotPlan {
    fn new(params: &AutoParams, columns: usize, counted: usize, neighbours: Neighbours, budget: Budget) -> Self {
        let rounds = most_rounds(params, columns, false);
        let mut plan = PlanBuilder::new(neighbours, budget);
        let share = if rounds == 0 { 1.0 } else { params.one_share };
        let ones = plan.marginals("one-way marginals", share, counted);
        let tested = if params.signal_test { params.signal_tables } else { 0 };
        let signal_share = if params.signal_test { params.signal_share } else { 0.0 };
        let (slots, copies) = (f64::from(rounds), choices(params, columns) as usize);
        let choice = |plan: &mut PlanBuilder| -> Purchase<ChoicePrice> {
            plan.choices("choice of a table", params.select_share / (slots + f64::from(tested)), copies)
        };
        let (mut slot, mut signal) = (None, None);
        for number in 0..rounds {
            // No test where a contribution is too large for noise on a score.
            if number == most_for_columns(params, columns, rounds)
                && let Ok(sensitivity) = neighbours.score(ScoreKind::Distance, 0)
            {
                for _ in 0..tested {
                    choice(&mut plan);
                    let share = signal_share / f64::from(tested);
                    let distance = plan.scores("distance of a chosen table", sensitivity.clone(), share, 1);
                    signal = signal.or(Some(distance));
                }
            }
            let choice = choice(&mut plan);
            let share = (1.0 - params.one_share - signal_share - params.select_share) / slots;
            let draws = plan.marginals("draws for a table", share, DRAWS_A_SLOT as usize);
            slot = slot.or(Some((choice, draws)));
        }
        Self { plan, ones, slot, signal }
    }
}

impl BudgetSchedule {
    /// Commits the plan or the filter. The noise of the columns' own counts, which are to be bought
    /// first, each `passes` times, and the rest.
    pub fn open(params: &AutoParams, curator: &mut Curator, passes: u32) -> Result<(Noise, Self), MethodError> {
        let columns = curator.schema().domain().len();
        let budget = curator.budget();
        let counted = params.detail().marginals(curator.schema(), passes);
        let slots = most_rounds(params, columns, budget.is_pure());
        if budget.is_pure() {
            let mut filter = BudgetFilter::open(curator)?;
            let amount = pure_share(params, columns) * filter.total() / counted as f64;
            let noise = filter.buy_marginals(amount, counted)?;
            let select_share = params.select_share;
            return Ok((noise, if slots == 0 { Self::Spent } else { Self::Filtered { filter, slots, select_share } }));
        }
        let wanted = SlotPlan::new(params, columns, counted, curator.neighbours(), budget);
        let bought = wanted.plan.commit(curator)?;
        let ones = bought.get(wanted.ones)?;
        let Some((choice, draws)) = wanted.slot else { return Ok((ones, Self::Spent)) };
        let (choice, draw, variance) = (bought.get(choice)?, bought.get(draws)?, bought.variance(draws));
        let at = slots - most_for_columns(params, columns, slots);
        let signal = wanted.signal.map(|signal| bought.get(signal)).transpose()?;
        let signal = signal.map(|noise| SignalPrice { choice, noise, at });
        let choices = choices(params, columns);
        Ok((ones, Self::Planned { choice, choices, signal, draw, variance, slots }))
    }

    /// The slots that are left: the most rounds that may still be.
    pub fn slots(&self) -> u32 {
        match self {
            Self::Planned { slots, .. } | Self::Filtered { slots, .. } => *slots,
            Self::Spent => 0,
        }
    }

    /// How often a round chooses. Once where epsilons add: a second choice would halve the first
    /// one's epsilon.
    pub fn choices(&self) -> u32 {
        if let Self::Planned { choices, .. } = self { *choices } else { 1 }
    }

    /// The signal test, when its place in the plan has come: once.
    pub fn signal_test(&mut self) -> Option<SignalPrice> {
        let Self::Planned { signal, slots, .. } = self else { return None };
        if signal.is_some_and(|signal| signal.at == *slots) { signal.take() } else { None }
    }

    /// The mean distance from 0 of a cell's noise when a round takes `taken` slots.
    pub fn mean_noise(&self, taken: u32) -> Result<f64, MethodError> {
        let taken = taken.max(1);
        Ok(match self {
            Self::Planned { variance, .. } => {
                (variance / f64::from(DRAWS_A_SLOT * taken) * std::f64::consts::FRAC_2_PI).sqrt()
            }
            Self::Filtered { filter, slots, select_share } => {
                let share = filter.left() * f64::from(taken) / f64::from((*slots).max(taken));
                filter.mean_noise((1.0 - select_share) * share)?
            }
            Self::Spent => f64::INFINITY,
        })
    }

    /// The slots of the next round, when rounds take `pace`: what would be too little for another
    /// round is taken with it.
    fn next(&self, pace: u32) -> u32 {
        let slots = match self {
            // No round steps over the signal test's place.
            Self::Planned { signal: Some(signal), slots, .. } if *slots > signal.at => *slots - signal.at,
            _ => self.slots(),
        };
        if slots < 2 * pace { slots } else { pace }
    }

    /// What the next round may spend, when rounds take `pace` slots: on a choice, and on measuring
    /// with this mean noise.
    pub fn round(&mut self, pace: u32, mean_noise: f64) -> Result<(ChoicePrice, Draws), MethodError> {
        let taken = self.next(pace);
        let (choice, noise, times) = match self {
            Self::Planned { choice, draw, slots, .. } => {
                *slots = slots.checked_sub(taken).ok_or_else(broken_plan)?;
                (*choice, *draw, DRAWS_A_SLOT * taken)
            }
            Self::Filtered { filter, slots, select_share } => {
                let share = filter.left() * f64::from(taken) / f64::from(*slots);
                *slots = slots.checked_sub(taken).ok_or_else(broken_plan)?;
                let choice = ChoicePrice::Exponential(filter.buy_choice(*select_share * share)?);
                (choice, filter.buy_marginals((1.0 - *select_share) * share, 1)?, 1)
            }
            Self::Spent => return Err(broken_plan()),
        };
        Ok((choice, Draws { noise, times, mean_noise }))
    }

    /// How often all columns must be measured to get from one variance to another; at most for a
    /// part of what is left.
    pub fn passes(&self, params: &AutoParams, known: f64, wanted: f64, columns: usize) -> u32 {
        match self {
            Self::Planned { variance, slots, .. } => {
                let missing = (1.0 / wanted.max(1e-300) - 1.0 / known.max(1e-300)).max(0.0);
                ((missing * variance).ceil() as u32).min(most_passes(params, columns, *slots))
            }
            // Its share was large enough from the start.
            Self::Filtered { .. } | Self::Spent => 0,
        }
    }

    /// Takes what measuring every column `passes` times costs: the noise, and how often.
    pub fn for_columns(&mut self, columns: usize, passes: u32) -> Option<(Noise, u32)> {
        let Self::Planned { draw, slots, .. } = self else { return None };
        let times = (DRAWS_A_SLOT * *slots / columns.max(1) as u32).min(passes);
        *slots -= (times * columns as u32).div_ceil(DRAWS_A_SLOT);
        (times > 0).then_some((*draw, times))
    }

    /// Takes everything that is left, for one column: the noise, and how often it is measured.
    pub fn rest_for_one(&mut self) -> Result<Option<(Noise, u32)>, MethodError> {
        let taken = self.slots();
        Ok(match self {
            Self::Planned { draw, slots, .. } => {
                *slots = 0;
                (taken > 0).then_some((*draw, DRAWS_A_SLOT * taken))
            }
            Self::Filtered { filter, slots, .. } if taken > 0 => {
                *slots = 0;
                Some((filter.buy_marginals(filter.left(), 1)?, 1))
            }
            Self::Filtered { .. } | Self::Spent => None,
        })
    }

    /// Takes everything that is left, for the columns: the noise, and how often each of them is
    /// measured with it.
    pub fn rest_for_columns(&mut self, ones: &OneWayMarginals) -> Result<Option<(Noise, Vec<u32>)>, MethodError> {
        let columns = ones.columns();
        Ok(match self {
            Self::Planned { draw, variance, slots, .. } => {
                let draws = DRAWS_A_SLOT * std::mem::take(slots);
                (draws > 0).then(|| (*draw, dealt(columns, ones.total(), *variance, draws)))
            }
            // Where epsilons add, many draws are worse than one.
            Self::Filtered { filter, .. } => {
                let amount = filter.left() / columns.len().max(1) as f64;
                Some((filter.buy_marginals(amount, columns.len())?, vec![1; columns.len()]))
            }
            Self::Spent => None,
        })
    }
}

/// What a budget buys, before anything is known of the rows: for forecasts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prices {
    /// The variance of a column's own counts.
    pub ones: f64,
    /// The variance of a table that takes one slot.
    pub slot: f64,
    /// The slots.
    pub slots: f64,
    /// The epsilon of a choice.
    pub choice: f64,
    /// Whether epsilons add: a table of `m` slots then has `m * m` times less variance, else `m`
    /// times less.
    pub is_pure: bool,
}

impl Prices {
    pub fn new(params: &AutoParams, passes: u32, facts: &PublicFacts) -> Result<Self, MethodError> {
        let &PublicFacts { schema, neighbours, budget, .. } = facts;
        let columns = schema.domain().len();
        let (counted, passes) = (params.detail().marginals(schema, passes), f64::from(passes));
        let is_pure = budget.is_pure();
        let slots = f64::from(most_rounds(params, columns, is_pure));
        if is_pure {
            let filter = BudgetFilter::over(budget, neighbours)?;
            let share = pure_share(params, columns);
            let ones = filter.variance(share * filter.total() / counted as f64)? / passes;
            let rest = (1.0 - share) * (1.0 - params.select_share) * filter.total();
            let slot = if slots > 0.0 { filter.variance(rest / slots)? } else { ones };
            let choice = (1.0 - share) * params.select_share * filter.total() / slots.max(1.0);
            return Ok(Self { ones, slot, slots, choice, is_pure });
        }
        let wanted = SlotPlan::new(params, columns, counted, neighbours, budget);
        let bought = wanted.plan.forecast(budget)?;
        let ones = bought.variance(wanted.ones) / passes;
        let slot = wanted.slot.map_or(ones, |(_, draws)| bought.variance(draws) / f64::from(DRAWS_A_SLOT));
        let choice = match wanted.slot.map(|(choice, _)| bought.get(choice)).transpose()? {
            Some(ChoicePrice::Exponential(epsilon)) => epsilon.to_f64(),
            _ => 0.0,
        };
        Ok(Self { ones, slot, slots, choice, is_pure })
    }
}

/// The share of the columns' own counts where epsilons add. Without n-hat nobody knows whether
/// tables pay: columns get what they would have among as many tables.
fn pure_share(params: &AutoParams, columns: usize) -> f64 {
    1.0 / (1.0 + 2.0 * f64::from(most_rounds(params, columns, true)) / columns.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use lookalike_privacy::{Delta, Epsilon, Rational, Relation};

    use super::*;

    const BUDGET: (f64, f64) = (1.0, 1e-6);

    fn wanted(columns: usize, contribution: u32) -> SlotPlan {
        let neighbours = Neighbours::new(Relation::AddRemove, contribution).unwrap();
        SlotPlan::new(&AutoParams::default(), columns, columns, neighbours, budget())
    }

    fn budget() -> Budget {
        Budget { epsilon: Epsilon::new(BUDGET.0).unwrap(), delta: Delta::new(BUDGET.1).unwrap() }
    }

    /// The signal test stands where columns have had the most that they may get, so that no way of
    /// dealing out slots steps over it.
    #[test]
    fn every_schedule_comes_to_the_signal_test() {
        let params = AutoParams::default();
        for columns in 2..=130 {
            let wanted = wanted(columns, 1);
            let labels: Vec<&str> = wanted.plan.plan().items.iter().map(|item| item.label.as_str()).collect();
            let place = labels.iter().position(|label| label.starts_with("distance")).unwrap();
            let before = labels[..place].iter().filter(|label| label.starts_with("draws")).count() as u32;
            let slots = most_rounds(&params, columns, false);
            let one = Rational::new(1, 1).unwrap();
            let choice = ChoicePrice::Exponential(one);
            let signal = SignalPrice { choice, noise: Noise::Gaussian(one), at: slots - before };
            for (passes, pace) in (0..4).flat_map(|passes| (1..12).map(move |pace| (passes, pace))) {
                let draw = Noise::Gaussian(one);
                let mut schedule =
                    BudgetSchedule::Planned { choice, choices: 2, signal: Some(signal), draw, variance: 1.0, slots };
                let enough = 1.0 / f64::from(passes.max(1));
                let passes = schedule.passes(&params, f64::INFINITY, enough, columns).min(passes);
                schedule.for_columns(columns, passes);
                let mut tests = 0;
                while schedule.slots() > 0 {
                    tests += u32::from(schedule.signal_test().is_some());
                    schedule.round(pace, 1.0).unwrap();
                }
                assert_eq!(tests, 1, "{columns} columns, {passes} passes, pace {pace}");
            }
        }
    }

    /// A contribution that no noise on a score can carry: the plan is one without a test, and can
    /// be paid for.
    #[test]
    fn a_large_contribution_leaves_the_signal_test_out() {
        let wanted = wanted(4, 2_000_000);
        assert!(wanted.signal.is_none());
        assert!(wanted.plan.forecast(budget()).is_ok());
    }
}
