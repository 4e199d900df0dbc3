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
use lookalike_measurement::answer;
use lookalike_privacy::{
    Budget, CalibratedPlan, CountSensitivity, MechanismKind, Neighbours, Plan, PlanItem, PrivacyError, Rational,
    Relation, ScoreKind, Step,
};

use crate::MethodError;
use crate::planned::{broken_plan, noise_of};

/// Draws for each table there could be.
pub(crate) const DRAWS: u32 = 8;

/// Kept back from a filter's total, so that roundings of thousands of shares never pass it.
const MARGIN: f64 = 1e-9;

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
    fn score(&self) -> Result<CountSensitivity, PrivacyError> {
        self.neighbours.score(ScoreKind::Dependence, self.public_rows)
    }

    fn buys_count(&self) -> bool {
        self.neighbours.relation() == Relation::AddRemove
    }

    /// The plan for a delta above 0, or, with one draw a table and Laplace noise, what a pure
    /// budget would do at worst.
    fn plan(&self, kind: MechanismKind, draws: u32) -> Result<Plan, PrivacyError> {
        let (one, all) = (f64::from(self.pairs), f64::from(self.pairs) + f64::from(u8::from(self.buys_count())));
        let item = |label: &str, sensitivity, share, copies| PlanItem {
            label: label.into(),
            kind,
            sensitivity,
            share,
            copies,
        };
        let mut items = Vec::new();
        if self.buys_count() {
            let sensitivity = self.neighbours.row_count();
            items.push(item("number of rows", sensitivity, self.score_share / all, 1));
        }
        if self.pairs > 0 {
            items.push(item("scores of pairs", self.score()?, self.score_share * one / all, self.pairs));
        }
        if self.tables > 0 {
            let sensitivity = self.neighbours.marginal();
            items.push(item("tables of the network", sensitivity, 1.0 - self.score_share, self.tables * draws));
        }
        Ok(Plan { items })
    }
}

/// What was committed, and what of it each query takes.
#[derive(Debug)]
pub(crate) enum Purse {
    /// A fixed plan: draws of given scales.
    Planned {
        /// Of the row count; `None` where it is public.
        count: Option<Noise>,
        /// Of one draw of a score, and how many there are.
        scores: Option<(Noise, u32)>,
        /// Of one draw of a table, and how many there are.
        tables: Option<(Noise, u32)>,
        /// The variance of a table when there are as many as there can be.
        cautious: f64,
    },
    /// A filter over epsilon.
    Pure {
        /// What the budget is for.
        wants: Wants,
        /// The total.
        epsilon: f64,
    },
}

impl Purse {
    /// Commits the plan or the filter to the ledger.
    pub fn open(curator: &mut Curator, wants: Wants) -> Result<Self, MethodError> {
        if wants.tables == 0 && !wants.buys_count() {
            // Nothing to buy.
            return Ok(Self::Planned { count: None, scores: None, tables: None, cautious: 0.0 });
        }
        if curator.budget().is_pure() {
            curator.commit_filter()?;
            return Ok(Self::Pure { wants, epsilon: curator.budget().epsilon.get() * (1.0 - MARGIN) });
        }
        let plan = wants.plan(MechanismKind::Gaussian, DRAWS).map_err(CuratorError::from)?;
        Self::planned(&wants, &curator.commit(&plan)?)
    }

    /// The purse that a budget would give, without spending anything. For forecasts.
    pub fn forecast(wants: Wants, budget: Budget) -> Result<Self, MethodError> {
        if budget.is_pure() {
            return Ok(Self::Pure { wants, epsilon: budget.epsilon.get() * (1.0 - MARGIN) });
        }
        let plan = wants.plan(MechanismKind::Gaussian, DRAWS).map_err(CuratorError::from)?;
        Self::planned(&wants, &plan.calibrate(budget).map_err(CuratorError::from)?)
    }

    fn planned(wants: &Wants, plan: &CalibratedPlan) -> Result<Self, MethodError> {
        let mut steps = plan.steps().iter().map(|planned| &planned.step);
        let mut take = |copies: u32| -> Result<Option<(Noise, f64)>, MethodError> {
            let Some(times) = (copies as usize).checked_sub(1) else { return Ok(None) };
            let first = steps.next().ok_or_else(broken_plan)?;
            if times > 0 {
                steps.nth(times - 1).ok_or_else(broken_plan)?;
            }
            Ok(Some((noise_of(first)?, answer::variance(first))))
        };
        let count = take(u32::from(wants.buys_count()))?.map(|(noise, _)| noise);
        let scores = take(wants.pairs)?.map(|(noise, _)| (noise, wants.pairs));
        let draws = wants.tables * DRAWS;
        let tables = take(draws)?;
        let cautious = tables.map_or(0.0, |(_, variance)| variance / f64::from(DRAWS));
        Ok(Self::Planned { count, scores, tables: tables.map(|(noise, _)| (noise, draws)), cautious })
    }

    /// The noise of the row count; `None` where it is public.
    pub fn count(&self) -> Result<Option<Noise>, MethodError> {
        match self {
            Self::Planned { count, .. } => Ok(*count),
            Self::Pure { wants, .. } if !wants.buys_count() => Ok(None),
            Self::Pure { wants, .. } => Ok(Some(laplace(wants.neighbours.row_count(), self.count_epsilon())?)),
        }
    }

    /// What the row count takes of a pure budget.
    fn count_epsilon(&self) -> f64 {
        match self {
            Self::Planned { .. } => 0.0,
            Self::Pure { wants, .. } if !wants.buys_count() => 0.0,
            Self::Pure { wants, epsilon } if wants.tables == 0 => *epsilon,
            Self::Pure { wants, epsilon } => wants.score_share * epsilon / (f64::from(wants.pairs) + 1.0),
        }
    }

    /// The noise of one draw of a score, and how many draws each of `usable` pairs gets.
    pub fn scores(&self, usable: usize) -> Result<Option<(Noise, Vec<u32>)>, MethodError> {
        match self {
            _ if usable == 0 => Ok(None),
            Self::Planned { scores, .. } => Ok(scores.map(|(noise, draws)| (noise, deal(draws, usable)))),
            Self::Pure { wants, epsilon } => {
                let left = wants.score_share * epsilon - self.count_epsilon();
                let sensitivity = wants.score().map_err(CuratorError::from)?;
                Ok(Some((laplace(sensitivity, left / usable as f64)?, vec![1; usable])))
            }
        }
    }

    /// The noise of one draw of a table, and how many draws each of `tables` tables gets; the first
    /// get the odd ones.
    pub fn tables(&self, tables: usize) -> Result<Option<(Noise, Vec<u32>)>, MethodError> {
        match self {
            _ if tables == 0 => Ok(None),
            Self::Planned { tables: all, .. } => Ok(all.map(|(noise, draws)| (noise, deal(draws, tables)))),
            Self::Pure { wants, epsilon } => {
                let left = self.table_epsilon(wants, *epsilon);
                Ok(Some((laplace(wants.neighbours.marginal(), left / tables as f64)?, vec![1; tables])))
            }
        }
    }

    fn table_epsilon(&self, wants: &Wants, epsilon: f64) -> f64 {
        // Without anything to score, and with a public count, the tables have it all.
        if wants.pairs == 0 && !wants.buys_count() { epsilon } else { (1.0 - wants.score_share) * epsilon }
    }

    /// The standard deviation of one cell when there are as many tables as there can be: sigma~ of
    /// the paper.
    pub fn cautious_deviation(&self) -> Result<f64, MethodError> {
        match self {
            Self::Planned { cautious, .. } => Ok(cautious.sqrt()),
            Self::Pure { wants, epsilon } if wants.tables > 0 => {
                let left = self.table_epsilon(wants, *epsilon);
                let sensitivity = wants.neighbours.marginal();
                let scale = laplace_scale(&sensitivity, left / f64::from(wants.tables))?;
                Ok(answer::variance(&Step::Laplace { scale, sensitivity }).sqrt())
            }
            Self::Pure { .. } => Ok(0.0),
        }
    }
}

/// The standard deviation of the mean of some draws.
pub(crate) fn deviation(variance: f64, draws: usize) -> f64 {
    (variance / draws.max(1) as f64).sqrt()
}

/// Draws dealt evenly; the first get the odd ones.
fn deal(draws: u32, parts: usize) -> Vec<u32> {
    let (each, odd) = (draws / parts as u32, draws as usize % parts);
    (0..parts).map(|part| each + u32::from(part < odd)).collect()
}

fn laplace(sensitivity: CountSensitivity, epsilon: f64) -> Result<Noise, MethodError> {
    Ok(Noise::Laplace(laplace_scale(&sensitivity, epsilon)?))
}

fn laplace_scale(sensitivity: &CountSensitivity, epsilon: f64) -> Result<Rational, MethodError> {
    Ok(Rational::at_least(sensitivity.l1() as f64 / epsilon).map_err(CuratorError::from)?)
}
