//! The budget: one plan, fixed before the first look.

use lookalike_curator::{CuratorError, Noise};
use lookalike_privacy::{Budget, CountSensitivity, Neighbours, Relation, ScoreKind};

use super::params::{Choice, PrivMrfParams};
use crate::MethodError;
use crate::budget::{PlanBuilder, Purchase};
use crate::rounds::ChoicePrice;

/// What the budget is for, from the schema and the flags alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wants {
    pub params: PrivMrfParams,
    /// Columns, d.
    pub columns: usize,
    /// How often each is counted alone, and the marginals of that.
    pub slots: u32,
    pub counted: usize,
    /// Pairs that are scored.
    pub pairs: usize,
    pub neighbours: Neighbours,
    /// The row count where it is public; not used otherwise.
    pub public_rows: u64,
}

/// The plan, and what of it is there: the row count or the columns, the scores, the d first
/// marginals; then in each of t rounds a choice and a marginal. Its length, order, kinds and scales
/// follow from schema and flags, so that it can be composed exactly.
#[derive(Clone, Debug)]
pub(super) struct PrivMrfPlan {
    pub plan: PlanBuilder,
    pub count: Option<Purchase<Noise>>,
    pub ones: Option<Purchase<Noise>>,
    pub scores: Option<Purchase<Noise>>,
    pub first: Option<Purchase<Noise>>,
    pub rounds: Option<RoundPlan>,
}

/// What each round has.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundPlan {
    pub choice: Purchase<ChoicePrice>,
    /// Of the rounds' marginals: the noise of the first ones but for the last digits.
    pub marginal: Purchase<Noise>,
}

impl Wants {
    /// Whether columns are counted alone first.
    fn ones(&self) -> bool {
        self.params.ones_share > 0.0
    }

    /// Whether the row count is bought: columns that are counted alone give it for nothing.
    fn buys_count(&self) -> bool {
        self.neighbours.relation() == Relation::AddRemove && (!self.ones() || self.columns == 0)
    }

    /// Rounds, t. Two columns have one set; more rounds would only measure it again.
    pub fn rounds(&self) -> usize {
        if self.pairs == 0 { 0 } else { (self.params.rounds * self.columns as f64).floor() as usize }
    }

    fn score(&self, kind: ScoreKind) -> Result<CountSensitivity, MethodError> {
        Ok(self.neighbours.score(kind, self.public_rows).map_err(CuratorError::from)?)
    }

    pub fn plan(&self, budget: Budget) -> Result<PrivMrfPlan, MethodError> {
        let (params, rounds) = (&self.params, self.rounds());
        let mut plan = PlanBuilder::new(self.neighbours, budget);
        let mut rest = 1.0;
        let count = self.buys_count().then(|| plan.row_count(params.count_share));
        let ones =
            (self.ones() && self.columns > 0).then(|| plan.marginals("columns", params.ones_share, self.counted));
        rest -= if self.buys_count() { params.count_share } else { 0.0 };
        rest -= if self.ones() { params.ones_share } else { 0.0 };
        let mut scores = None;
        if self.pairs > 0 {
            let sensitivity = self.score(ScoreKind::Dependence)?;
            scores = Some(plan.scores("scores of pairs", sensitivity, params.score_share, self.pairs));
            rest -= params.score_share;
        } else if self.ones() {
            // One column: it is counted alone, and there is nothing else to know.
            return Ok(PrivMrfPlan { plan, count, ones, scores, first: None, rounds: None });
        }
        if rounds > 0 {
            rest -= params.select_share;
        }
        let share = |count: usize| rest * count as f64 / (self.columns + rounds) as f64;
        let first = plan.marginals("first marginals", share(self.columns), self.columns);
        let mut each = None;
        for _ in 0..rounds {
            let select = params.select_share / rounds as f64;
            let choice = match params.choice {
                Choice::Exponential => plan.choices("choices", select, 1),
                Choice::Gaussian => {
                    plan.scores("choices", self.score(ScoreKind::Distance)?, select, params.candidates as usize)
                }
            };
            let marginal = plan.marginals("marginals of rounds", share(1), 1);
            each = each.or(Some(RoundPlan { choice, marginal }));
        }
        Ok(PrivMrfPlan { plan, count, ones, scores, first: (self.columns > 0).then_some(first), rounds: each })
    }
}
