//! The budget: one plan, fixed before the first look.

use lookalike_curator::{Curator, CuratorError, Noise};
use lookalike_privacy::{
    Budget, CalibratedPlan, CountSensitivity, MechanismKind, Neighbours, Plan, PlanItem, Rational, Relation, ScoreKind,
    Step,
};

use super::params::{Choice, PrivMrfParams};
use crate::MethodError;
use crate::planned::{broken_plan, noise_of};

/// What the budget is for, from the schema and the flags alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wants {
    pub params: PrivMrfParams,
    /// Columns, d.
    pub columns: usize,
    /// Pairs that are scored.
    pub pairs: usize,
    pub neighbours: Neighbours,
    /// The row count where it is public; not used otherwise.
    pub public_rows: u64,
}

impl Wants {
    /// Whether columns are counted alone first.
    pub fn ones(&self) -> bool {
        self.params.ones_share > 0.0
    }

    /// Whether the row count is bought: columns that are counted alone give it for nothing.
    pub fn buys_count(&self) -> bool {
        self.neighbours.relation() == Relation::AddRemove && (!self.ones() || self.columns == 0)
    }

    /// Rounds, t.
    pub fn rounds(&self) -> usize {
        if self.pairs == 0 { 0 } else { self.params.rounds_of(self.columns) }
    }

    /// Candidates that a round pays for.
    fn paid_candidates(&self) -> u32 {
        match self.params.choice {
            Choice::Exponential => 1,
            Choice::Gaussian => self.params.candidates,
        }
    }

    fn score(&self, kind: ScoreKind) -> Result<CountSensitivity, MethodError> {
        Ok(self.neighbours.score(kind, self.public_rows).map_err(CuratorError::from)?)
    }

    /// The plan: the row count or the columns, the scores, the d first marginals; then in each of t
    /// rounds a choice and a marginal. Its length, order, kinds and scales follow from schema and
    /// flags, so that it can be composed exactly.
    pub fn plan(&self, budget: Budget) -> Result<Plan, MethodError> {
        let noisy = if budget.is_pure() { MechanismKind::Laplace } else { MechanismKind::Gaussian };
        let params = &self.params;
        let mut items = Vec::new();
        let mut item = |label: &str, kind, sensitivity, share, copies: usize| {
            if copies > 0 {
                items.push(PlanItem { label: label.into(), kind, sensitivity, share, copies: copies as u32 });
            }
        };
        let (counts, marginal) = (self.neighbours.row_count(), self.neighbours.marginal());
        let mut rest = 1.0;
        if self.buys_count() {
            item("number of rows", noisy, counts.clone(), params.count_share, 1);
            rest -= params.count_share;
        }
        if self.ones() {
            item("columns", noisy, marginal.clone(), params.ones_share, self.columns);
            rest -= params.ones_share;
        }
        let (marginals, rounds) = (self.columns + self.rounds(), self.rounds());
        if self.pairs > 0 {
            item("scores of pairs", noisy, self.score(ScoreKind::Dependence)?, params.score_share, self.pairs);
            rest -= params.score_share;
        } else if self.ones() {
            // One column: it is counted alone, and there is nothing else to know.
            return Ok(Plan { items });
        }
        if rounds > 0 {
            rest -= params.select_share;
        }
        let share = |count: usize| rest * count as f64 / marginals as f64;
        item("first marginals", noisy, marginal.clone(), share(self.columns), self.columns);
        let (kind, sensitivity) = match params.choice {
            Choice::Exponential => (MechanismKind::Exponential, counts),
            Choice::Gaussian => (noisy, self.score(ScoreKind::Distance)?),
        };
        for _ in 0..rounds {
            let each = params.select_share / rounds as f64;
            item("choices", kind, sensitivity.clone(), each, self.paid_candidates() as usize);
            item("marginals of rounds", noisy, marginal.clone(), share(1), 1);
        }
        Ok(Plan { items })
    }
}

/// The scales of the plan.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Purse {
    pub count: Option<Noise>,
    pub ones: Option<Noise>,
    pub scores: Option<Noise>,
    /// Of the first marginals.
    pub first: Option<Noise>,
    pub choice: Option<Price>,
    /// Of the rounds' marginals: the same but for the last digits.
    pub later: Option<Noise>,
}

/// What one choice costs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Price {
    /// The epsilon of a selection.
    Selection(Rational),
    /// The noise of each candidate's distance.
    Noise(Noise),
}

impl Purse {
    /// Calibrates the plan to the whole budget and commits it.
    pub fn open(curator: &mut Curator, wants: &Wants) -> Result<Self, MethodError> {
        let plan = wants.plan(curator.budget())?;
        if plan.items.is_empty() {
            return Ok(Self::default());
        }
        Self::read(wants, &curator.commit(&plan)?)
    }

    /// The scales of a calibrated plan.
    pub fn read(wants: &Wants, plan: &CalibratedPlan) -> Result<Self, MethodError> {
        let mut purse = Self::default();
        let mut steps = plan.steps().iter().map(|planned| &planned.step);
        let mut take = |copies: usize| -> Result<Option<Step>, MethodError> {
            if copies == 0 {
                return Ok(None);
            }
            let first = steps.next().ok_or_else(broken_plan)?.clone();
            for _ in 1..copies {
                steps.next().ok_or_else(broken_plan)?;
            }
            Ok(Some(first))
        };
        let noise = |step: Option<Step>| step.as_ref().map(noise_of).transpose();
        purse.count = noise(take(usize::from(wants.buys_count()))?)?;
        purse.ones = noise(take(if wants.ones() { wants.columns } else { 0 })?)?;
        purse.scores = noise(take(wants.pairs)?)?;
        if wants.pairs > 0 || !wants.ones() {
            purse.first = noise(take(wants.columns)?)?;
        }
        if wants.rounds() > 0 {
            purse.choice = match take(wants.paid_candidates() as usize)? {
                Some(Step::Exponential { epsilon }) => Some(Price::Selection(epsilon)),
                Some(step) => Some(Price::Noise(noise_of(&step)?)),
                None => None,
            };
            purse.later = noise(take(1)?)?;
        }
        Ok(purse)
    }
}
