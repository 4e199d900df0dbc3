//! Budgets: what a run buys, and the noise that each purchase gets.
//!
//! A [`PlanBuilder`] is fixed before the first look. What is put into it hands back a [`Purchase`],
//! and once the plan is committed the same handle gives what was [`Bought`]: nobody counts steps or
//! looks for labels. A run whose purchases depend on answers pays through a [`BudgetFilter`]
//! instead.

mod filter;

use std::marker::PhantomData;

use lookalike_curator::{Curator, CuratorError, HistogramQuery, Noise};
use lookalike_measurement::answer;
use lookalike_privacy::{
    Budget, CalibratedPlan, CountSensitivity, MechanismKind, Neighbours, Plan, PlanItem, PrivacyError, Rational, Step,
};

pub use filter::BudgetFilter;

use crate::MethodError;

/// A purchase of a plan: some steps of one scale, of which each buys a `T`.
#[derive(Clone, Copy, Debug)]
pub struct Purchase<T> {
    step: usize,
    buys: PhantomData<T>,
}

/// What one step of a plan buys.
pub trait Buys: Sized {
    /// Its scale; `None` for a step of another kind.
    fn of(step: &Step) -> Option<Self>;
}

/// Of a marginal, a row count or a score.
impl Buys for Noise {
    fn of(step: &Step) -> Option<Self> {
        match step {
            Step::Gaussian { sigma_squared, .. } => Some(Noise::Gaussian(*sigma_squared)),
            Step::Laplace { scale, .. } => Some(Noise::Laplace(*scale)),
            Step::Exponential { .. } | Step::Threshold { .. } | Step::Histogram { .. } => None,
        }
    }
}

/// The epsilon of a choice.
impl Buys for Rational {
    fn of(step: &Step) -> Option<Self> {
        if let Step::Exponential { epsilon } = step { Some(*epsilon) } else { None }
    }
}

impl Buys for HistogramQuery {
    fn of(step: &Step) -> Option<Self> {
        let Step::Histogram { smoothing, histogram } = step else { return None };
        Some(Self { draws: histogram.draws, smoothing: *smoothing })
    }
}

/// A plan in the making: what will be asked, in this order and in these shares. Counts get Gaussian
/// noise, or Laplace noise when delta is 0.
#[derive(Clone, Debug)]
pub struct PlanBuilder {
    neighbours: Neighbours,
    noisy: MechanismKind,
    plan: Plan,
    steps: usize,
}

impl PlanBuilder {
    /// Nothing planned yet.
    pub fn new(neighbours: Neighbours, budget: Budget) -> Self {
        let noisy = if budget.is_pure() { MechanismKind::Laplace } else { MechanismKind::Gaussian };
        Self { neighbours, noisy, plan: Plan { items: Vec::new() }, steps: 0 }
    }

    /// Marginals, which have this share of the budget together.
    pub fn marginals(&mut self, label: &str, share: f64, copies: usize) -> Purchase<Noise> {
        self.add(label, self.noisy, self.neighbours.marginal(), share, copies)
    }

    /// The number of rows.
    pub fn row_count(&mut self, share: f64) -> Purchase<Noise> {
        self.add("number of rows", self.noisy, self.neighbours.row_count(), share, 1)
    }

    /// Scores of this sensitivity.
    pub fn scores<T>(&mut self, label: &str, sensitivity: CountSensitivity, share: f64, copies: usize) -> Purchase<T> {
        self.add(label, self.noisy, sensitivity, share, copies)
    }

    /// Choices by the exponential mechanism: each buys an epsilon, or what is made from one.
    pub fn choices<T>(&mut self, label: &str, share: f64, copies: usize) -> Purchase<T> {
        self.add(label, MechanismKind::Exponential, self.neighbours.row_count(), share, copies)
    }

    /// What costs this share and is none of the above.
    pub fn add<T>(
        &mut self,
        label: &str,
        kind: MechanismKind,
        sensitivity: CountSensitivity,
        share: f64,
        copies: usize,
    ) -> Purchase<T> {
        let planned = Purchase { step: self.steps, buys: PhantomData };
        // Calibration leaves out what has no copies.
        if copies > 0 {
            self.plan.items.push(PlanItem { label: label.into(), kind, sensitivity, share, copies: copies as u32 });
            self.steps += copies;
        }
        planned
    }

    /// The plan as it is calibrated.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Calibrates the plan to all that is left of the budget and commits it. A plan of nothing is
    /// not committed.
    pub fn commit(&self, curator: &mut Curator) -> Result<Bought, MethodError> {
        if self.steps == 0 {
            return Ok(Bought::default());
        }
        Ok(Bought::of(&curator.commit(&self.plan)?))
    }

    /// Calibrates the plan to a part of the budget and commits it, as a stage of its own.
    pub fn commit_part(&self, curator: &mut Curator, part: Budget) -> Result<Bought, MethodError> {
        Ok(Bought::of(&curator.commit_part(&self.plan, part)?))
    }

    /// What a budget would buy: for forecasts.
    pub fn forecast(&self, budget: Budget) -> Result<Bought, MethodError> {
        Ok(Bought::of(&self.plan.calibrate(budget).map_err(CuratorError::from)?))
    }

    /// The same without exact composition: microseconds, and never less noise.
    pub fn forecast_quickly(&self, budget: Budget) -> Result<Bought, MethodError> {
        Ok(Bought::of(&self.plan.calibrate_quickly(budget).map_err(CuratorError::from)?))
    }
}

/// What a plan bought.
#[derive(Clone, Debug, Default)]
pub struct Bought {
    steps: Vec<Step>,
}

impl Bought {
    /// The steps of a calibrated plan.
    pub fn of(plan: &CalibratedPlan) -> Self {
        Self { steps: plan.steps().iter().map(|planned| planned.step.clone()).collect() }
    }

    /// The scale of a purchase.
    ///
    /// # Errors
    /// A purchase of no copies, or of another plan.
    pub fn get<T: Buys>(&self, planned: Purchase<T>) -> Result<T, MethodError> {
        self.steps.get(planned.step).and_then(T::of).ok_or_else(broken_plan)
    }

    /// The noise variance of a purchase; 0 of one without copies.
    pub fn variance(&self, planned: Purchase<Noise>) -> f64 {
        self.steps.get(planned.step).map_or(0.0, answer::variance)
    }
}

/// The mean distance from 0 of noise, continuous.
pub fn expected_noise(noise: Noise) -> f64 {
    match noise {
        Noise::Gaussian(sigma_squared) => (sigma_squared.to_f64() * std::f64::consts::FRAC_2_PI).sqrt(),
        Noise::Laplace(scale) => scale.to_f64(),
    }
}

/// Cannot happen with a plan that calibration made; an error rather than a panic in case it ever
/// does.
pub fn broken_plan() -> MethodError {
    let what = "the calibrated plan does not have the steps that were asked for".into();
    CuratorError::from(PrivacyError::Plan { what }).into()
}
