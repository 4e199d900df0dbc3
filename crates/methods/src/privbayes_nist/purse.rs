//! The budget: who gets how much, fixed before the first look.
//!
//! # How the shares become noise
//! 0.2 of the budget (`score-share`) is spread evenly over the scores and the row count, the rest
//! evenly over the tables that the network really has. How many tables these are is known only
//! after the scores: a plan whose length or scales depended on that would be adaptive, and could
//! not be composed exactly.
//!
//! With delta above 0 the plan is therefore a fixed number of equal *draws*: [`DRAWS`] for each
//! table there could be, all with the same scale. Which table a draw is spent on may depend on the
//! answers so far. A table gets the mean of its draws; `m` draws with variance `m s^2` are as good
//! as one with `s^2`. So no draw is skipped, every table gets its even share (to one draw), and the
//! whole is still composed exactly. Scores are dealt in the same way: pairs that cannot fit into
//! any table are not scored, and their draws go to the pairs that can.
//!
//! With delta = 0 epsilons add, whatever depends on what, so a filter takes the shares as they
//! come. Many draws would be worse there: the mean of `m` Laplace draws at epsilon / `m` has `m`
//! times the variance of one at epsilon.

use lookalike_curator::{Curator, CuratorError, Noise};
use lookalike_privacy::{Budget, CountSensitivity, Neighbours, Relation, ScoreKind};

use crate::MethodError;
use crate::budget::{Bought, BudgetFilter, PlanBuilder, Purchase};

/// Draws for each table there could be.
pub(crate) const DRAWS: u32 = 8;

/// What the budget is for, from the schema alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wants {
    /// The share of the budget for the scores and the row count.
    pub score_share: f64,
    /// How many pairs may be scored.
    pub pairs: u32,
    /// The most tables there can be: one a column (the paper's count for k = 1), and the one-way
    /// tables of wide columns.
    pub tables: u32,
    /// The run's relation and contribution.
    pub neighbours: Neighbours,
    /// The row count where it is public; not used otherwise.
    pub public_rows: u64,
}

impl Wants {
    fn score(&self) -> Result<CountSensitivity, MethodError> {
        Ok(self.neighbours.score(ScoreKind::Dependence, self.public_rows).map_err(CuratorError::from)?)
    }

    fn buys_count(&self) -> bool {
        self.neighbours.relation() == Relation::AddRemove
    }

    /// The plan for a delta above 0.
    fn plan(&self, budget: Budget) -> Result<NistPlan, MethodError> {
        let all = f64::from(self.pairs) + f64::from(u8::from(self.buys_count()));
        let mut plan = PlanBuilder::new(self.neighbours, budget);
        let count = self.buys_count().then(|| plan.row_count(self.score_share / all));
        let mut scores = None;
        if self.pairs > 0 {
            let share = self.score_share * f64::from(self.pairs) / all;
            let draws = plan.scores("scores of pairs", self.score()?, share, self.pairs as usize);
            scores = Some((draws, self.pairs));
        }
        let mut tables = None;
        if self.tables > 0 {
            let draws = self.tables * DRAWS;
            let share = 1.0 - self.score_share;
            tables = Some((plan.marginals("tables of the network", share, draws as usize), draws));
        }
        Ok(NistPlan { plan, count, scores, tables })
    }
}

/// A plan, and what of it is there; of scores and tables, how many draws.
#[derive(Debug)]
pub(crate) struct NistPlan {
    plan: PlanBuilder,
    count: Option<Purchase<Noise>>,
    scores: Option<(Purchase<Noise>, u32)>,
    tables: Option<(Purchase<Noise>, u32)>,
}

/// What was committed, and what of it each query takes.
#[derive(Debug)]
pub(crate) enum Purse {
    /// A fixed plan: draws of given scales.
    Fixed(NistPlan, Bought),
    /// A filter over epsilon.
    Pure(Wants, BudgetFilter),
}

impl Purse {
    /// Commits the plan or the filter to the ledger.
    pub fn open(curator: &mut Curator, wants: Wants) -> Result<Self, MethodError> {
        let nothing = wants.tables == 0 && !wants.buys_count();
        if curator.budget().is_pure() && !nothing {
            return Ok(Self::Pure(wants, BudgetFilter::open(curator)?));
        }
        let plan = wants.plan(curator.budget())?;
        let bought = plan.plan.commit(curator)?;
        Ok(Self::Fixed(plan, bought))
    }

    /// The purse that a budget would give, without spending anything. For forecasts.
    pub fn forecast(wants: Wants, budget: Budget) -> Result<Self, MethodError> {
        if budget.is_pure() {
            return Ok(Self::Pure(wants, BudgetFilter::over(budget, wants.neighbours)?));
        }
        let plan = wants.plan(budget)?;
        let bought = plan.plan.forecast(budget)?;
        Ok(Self::Fixed(plan, bought))
    }

    /// The noise of the row count; `None` where it is public.
    pub fn count(&self) -> Result<Option<Noise>, MethodError> {
        match self {
            Self::Fixed(plan, bought) => plan.count.map(|count| bought.get(count)).transpose(),
            Self::Pure(wants, _) if !wants.buys_count() => Ok(None),
            Self::Pure(wants, filter) => {
                Ok(Some(filter.noise(&wants.neighbours.row_count(), count_epsilon(wants, filter))?))
            }
        }
    }

    /// The noise of one draw of a score, and how many draws each of `usable` pairs gets.
    pub fn scores(&self, usable: usize) -> Result<Option<(Noise, Vec<u32>)>, MethodError> {
        match self {
            _ if usable == 0 => Ok(None),
            Self::Fixed(plan, bought) => dealt(bought, plan.scores, usable),
            Self::Pure(wants, filter) => {
                let left = wants.score_share * filter.total() - count_epsilon(wants, filter);
                Ok(Some((filter.noise(&wants.score()?, left / usable as f64)?, vec![1; usable])))
            }
        }
    }

    /// The noise of one draw of a table, and how many draws each of `tables` tables gets; the first
    /// get the odd ones.
    pub fn tables(&self, tables: usize) -> Result<Option<(Noise, Vec<u32>)>, MethodError> {
        match self {
            _ if tables == 0 => Ok(None),
            Self::Fixed(plan, bought) => dealt(bought, plan.tables, tables),
            Self::Pure(wants, filter) => {
                let amount = table_epsilon(wants, filter) / tables as f64;
                Ok(Some((filter.noise(&wants.neighbours.marginal(), amount)?, vec![1; tables])))
            }
        }
    }

    /// The standard deviation of one cell when there are as many tables as there can be: sigma~ of
    /// the paper.
    pub fn cautious_deviation(&self) -> Result<f64, MethodError> {
        Ok(match self {
            Self::Fixed(plan, bought) => {
                plan.tables.map_or(0.0, |(draw, _)| bought.variance(draw) / f64::from(DRAWS)).sqrt()
            }
            Self::Pure(wants, filter) if wants.tables > 0 => {
                filter.variance(table_epsilon(wants, filter) / f64::from(wants.tables))?.sqrt()
            }
            Self::Pure(..) => 0.0,
        })
    }
}

/// What the row count takes of a pure budget.
fn count_epsilon(wants: &Wants, filter: &BudgetFilter) -> f64 {
    match wants {
        _ if !wants.buys_count() => 0.0,
        Wants { tables: 0, .. } => filter.total(),
        Wants { score_share, pairs, .. } => score_share * filter.total() / (f64::from(*pairs) + 1.0),
    }
}

/// What the tables take of a pure budget.
fn table_epsilon(wants: &Wants, filter: &BudgetFilter) -> f64 {
    // Without anything to score, and with a public count, the tables have it all.
    if wants.pairs == 0 && !wants.buys_count() { filter.total() } else { (1.0 - wants.score_share) * filter.total() }
}

/// The standard deviation of the mean of some draws.
pub(crate) fn deviation(variance: f64, draws: usize) -> f64 {
    (variance / draws.max(1) as f64).sqrt()
}

/// Draws dealt evenly; the first get the odd ones.
fn dealt(
    bought: &Bought,
    draws: Option<(Purchase<Noise>, u32)>,
    parts: usize,
) -> Result<Option<(Noise, Vec<u32>)>, MethodError> {
    let Some((noise, draws)) = draws else { return Ok(None) };
    let (each, odd) = (draws / parts as u32, draws as usize % parts);
    Ok(Some((bought.get(noise)?, (0..parts).map(|part| each + u32::from(part < odd)).collect())))
}
