//! A stage of a run: a fixed plan that is followed, a filter that sums up, or discovery.

use crate::accounting::{self, directed};
use crate::{Budget, CalibratedPlan, ChargedQuery, Composition, PrivacyError, Step};

/// One stage of a run, with what has been charged to it.
#[derive(Clone, Debug)]
pub struct Stage {
    cap: Budget,
    composition: Composition,
    rule: StageRule,
    charged: Vec<ChargedQuery>,
}

/// What the stage allows.
#[derive(Clone, Debug)]
enum StageRule {
    /// The plan's steps from `next` on, in order. What lies before was charged or skipped for ever.
    Plan { plan: CalibratedPlan, next: usize },
    /// Anything, as long as the sum stays within `total`: of rho, or of epsilon when delta = 0.
    Filter { spent: f64, total: f64 },
    /// Facts of the schema, before anything else: a filter with a total of tau beside that of rho
    /// (of epsilon when delta = 0, where tau is 0).
    Discovery { spent: DiscoveryCost, total: DiscoveryCost },
}

/// What discovery costs, or may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DiscoveryCost {
    /// Of rho; of epsilon when delta = 0.
    pub amount: f64,
    /// What threshold queries add to delta.
    pub tau: f64,
}

/// What a stage looks like after a charge that it allows.
#[derive(Clone, Copy)]
pub(super) enum Advance {
    To(usize),
    Spent(f64),
    Discovered(DiscoveryCost),
}

impl Stage {
    pub(super) fn plan(plan: CalibratedPlan) -> Self {
        let (cap, composition) = (plan.cap(), plan.composition());
        Self { cap, composition, rule: StageRule::Plan { plan, next: 0 }, charged: Vec::new() }
    }

    pub(super) fn filter(cap: Budget) -> Result<Self, PrivacyError> {
        let (composition, total) = if cap.is_pure() {
            (Composition::Pure, cap.epsilon.get())
        } else {
            (Composition::Zcdp, accounting::rho_of(cap)?.get())
        };
        Ok(Self { cap, composition, rule: StageRule::Filter { spent: 0.0, total }, charged: Vec::new() })
    }

    /// Facts of the schema at a cost of at most `total`. The cap is what the stage promises by
    /// itself.
    pub(super) fn discovery(cap: Budget, total: DiscoveryCost) -> Self {
        let composition = if cap.is_pure() { Composition::Pure } else { Composition::Zcdp };
        let rule = StageRule::Discovery { spent: DiscoveryCost::default(), total };
        Self { cap, composition, rule, charged: Vec::new() }
    }

    /// What discovery may cost; `None` for any other stage.
    pub fn discovery_total(&self) -> Option<DiscoveryCost> {
        match self.rule {
            StageRule::Discovery { total, .. } => Some(total),
            _ => None,
        }
    }

    /// The guarantee of the stage.
    pub fn cap(&self) -> Budget {
        self.cap
    }

    /// How its cost is summed up.
    pub fn composition(&self) -> Composition {
        self.composition
    }

    /// The plan it follows; `None` for a filter.
    pub fn planned(&self) -> Option<&CalibratedPlan> {
        match &self.rule {
            StageRule::Plan { plan, .. } => Some(plan),
            StageRule::Filter { .. } | StageRule::Discovery { .. } => None,
        }
    }

    /// Whether it is a filter over whatever is asked.
    pub fn is_filter(&self) -> bool {
        matches!(self.rule, StageRule::Filter { .. })
    }

    /// What has been charged to it, in order.
    pub fn charged(&self) -> &[ChargedQuery] {
        &self.charged
    }

    /// The epsilon at the cap's delta of what was charged: at most the cap's.
    pub fn used(&self) -> Result<f64, PrivacyError> {
        if self.charged.is_empty() {
            return Ok(0.0);
        }
        let steps: Vec<Step> = self.charged.iter().map(|query| query.step.clone()).collect();
        accounting::epsilon(&steps, self.cap.delta, self.composition)
    }

    /// The most rho that the whole stage may cost, rounded up.
    pub(super) fn most_rho(&self) -> f64 {
        match &self.rule {
            StageRule::Plan { plan, .. } => accounting::total_rho(plan.steps().iter().map(|planned| &planned.step)),
            StageRule::Filter { total, .. } if self.cap.is_pure() => accounting::pure_rho(*total),
            StageRule::Filter { total, .. } => *total,
            StageRule::Discovery { total, .. } if self.cap.is_pure() => accounting::pure_rho(total.amount),
            StageRule::Discovery { total, .. } => total.amount,
        }
    }

    /// What part of the stage has been passed, between 0 and 1: charged or skipped steps, or the
    /// filter's sum.
    pub fn share_spent(&self) -> f64 {
        let cost = |step: &Step| if self.cap.is_pure() { step.pure_epsilon().unwrap_or(0.0) } else { step.rho() };
        let (spent, total) = match &self.rule {
            StageRule::Filter { spent, total } => (*spent, *total),
            StageRule::Discovery { spent, total } => (spent.amount, total.amount),
            StageRule::Plan { plan, next } => {
                let sum = |steps: &[crate::PlannedStep]| steps.iter().map(|planned| cost(&planned.step)).sum::<f64>();
                (sum(&plan.steps()[..*next]), sum(plan.steps()))
            }
        };
        if total > 0.0 { (spent / total).min(1.0) } else { 1.0 }
    }

    /// Checks a batch against the rule. Nothing is changed: the change is returned, to be made once
    /// the record is durable.
    pub(super) fn check(&self, queries: &[ChargedQuery]) -> Result<Advance, PrivacyError> {
        if self.cap.is_pure()
            && let Some(query) = queries.iter().find(|query| query.step.pure_epsilon().is_none())
        {
            let what = format!("\"{}\" uses Gaussian noise, but delta is 0 here", query.label);
            return Err(PrivacyError::Refused { what });
        }
        let costly = queries.iter().filter(|query| !query.step.is_free());
        match &self.rule {
            StageRule::Plan { plan, next } => {
                let mut next = *next;
                for query in costly {
                    let rest = &plan.steps()[next..];
                    let Some(ahead) = rest.iter().position(|planned| planned.step == query.step) else {
                        let what = format!("\"{}\" is none of the {} steps left in the plan", query.label, rest.len());
                        return Err(PrivacyError::Refused { what });
                    };
                    next += ahead + 1;
                }
                Ok(Advance::To(next))
            }
            StageRule::Filter { spent, total } => {
                let total = DiscoveryCost { amount: *total, tau: 0.0 };
                let sum = self.summed(DiscoveryCost { amount: *spent, tau: 0.0 }, total, costly)?;
                Ok(Advance::Spent(sum.amount))
            }
            StageRule::Discovery { spent, total } => self.summed(*spent, *total, costly).map(Advance::Discovered),
        }
    }

    /// The cost so far with that of more queries; refused above the total.
    fn summed<'q>(
        &self,
        spent: DiscoveryCost,
        total: DiscoveryCost,
        queries: impl Iterator<Item = &'q ChargedQuery>,
    ) -> Result<DiscoveryCost, PrivacyError> {
        let mut sum = spent;
        for query in queries {
            let cost = if self.cap.is_pure() { query.step.pure_epsilon() } else { Some(query.step.rho()) };
            // A step without a cost in this currency was refused before; infinity refuses it again.
            sum.amount = directed::add_up(sum.amount, cost.unwrap_or(f64::INFINITY));
            sum.tau = directed::add_up(sum.tau, query.step.tau());
            let unit = if self.cap.is_pure() { "epsilon" } else { "rho" };
            for (unit, sum, total) in [(unit, sum.amount, total.amount), ("tau", sum.tau, total.tau)] {
                if sum > total {
                    let what = format!(
                        "\"{}\" would bring the sum of {unit} to {sum:.6}, above the total of {total:.6}",
                        query.label
                    );
                    return Err(PrivacyError::Refused { what });
                }
            }
        }
        Ok(sum)
    }

    /// Makes the change that `check` allowed.
    pub(super) fn advance(&mut self, to: Advance, queries: &[ChargedQuery]) {
        match (&mut self.rule, to) {
            (StageRule::Plan { next, .. }, Advance::To(place)) => *next = place,
            (StageRule::Filter { spent, .. }, Advance::Spent(sum)) => *spent = sum,
            (StageRule::Discovery { spent, .. }, Advance::Discovered(sum)) => *spent = sum,
            // `check` returns the variant of its own rule.
            (StageRule::Plan { plan, next }, _) => *next = plan.steps().len(),
            (StageRule::Filter { spent, total }, _) => *spent = *total,
            (StageRule::Discovery { spent, total }, _) => *spent = *total,
        }
        self.charged.extend_from_slice(queries);
    }
}
