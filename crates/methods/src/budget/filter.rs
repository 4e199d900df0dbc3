//! A budget that is spent as it goes: sums of rho, or of epsilon when delta is 0.

use lookalike_curator::{Curator, CuratorError, Noise};
use lookalike_measurement::answer;
use lookalike_privacy::accounting::rho_of;
use lookalike_privacy::{Budget, CountSensitivity, Neighbours, Rational, Step};

use crate::MethodError;

/// Kept back from the total, so that roundings of many amounts never pass it.
const MARGIN: f64 = 1e-9;

/// What is left of a filter that the ledger keeps too. Amounts are rho, or epsilon when delta is 0.
///
/// # Privacy
/// How much is spent on what may depend on all earlier answers: sums of rho, and of pure epsilon,
/// hold for fully adaptive sequences that stop before they pass a fixed total. The ledger keeps the
/// sum itself and refuses what would pass it; this type only turns amounts into scales.
#[derive(Clone, Debug)]
pub struct BudgetFilter {
    neighbours: Neighbours,
    is_pure: bool,
    total: f64,
    left: f64,
}

impl BudgetFilter {
    /// Commits a filter over all that is left of the budget.
    pub fn open(curator: &mut Curator) -> Result<Self, MethodError> {
        let budget = curator.remaining()?;
        let filter = Self::over(budget, curator.neighbours())?;
        curator.commit_filter()?;
        Ok(filter)
    }

    /// What a filter over a budget would have, without committing anything: for forecasts.
    pub fn over(budget: Budget, neighbours: Neighbours) -> Result<Self, MethodError> {
        let total =
            if budget.is_pure() { budget.epsilon.get() } else { rho_of(budget).map_err(CuratorError::from)?.get() };
        let total = total * (1.0 - MARGIN);
        Ok(Self { neighbours, is_pure: budget.is_pure(), total, left: total })
    }

    /// Whether amounts are of epsilon.
    pub fn is_pure(&self) -> bool {
        self.is_pure
    }

    /// The whole.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// What has not been spent yet.
    pub fn left(&self) -> f64 {
        self.left
    }

    /// Buys marginals, each for this amount or a sliver less: their noise.
    pub fn buy_marginals(&mut self, amount: f64, times: usize) -> Result<Noise, MethodError> {
        let noise = self.noise(&self.neighbours.marginal(), amount)?;
        self.spend(&self.step_of(noise), times);
        Ok(noise)
    }

    /// Buys a choice for this amount or a sliver less: its epsilon.
    pub fn buy_choice(&mut self, amount: f64) -> Result<Rational, MethodError> {
        let epsilon = if self.is_pure { amount } else { (8.0 * amount).sqrt() };
        let epsilon = Rational::at_most(epsilon).map_err(CuratorError::from)?;
        self.spend(&Step::Exponential { epsilon }, 1);
        Ok(epsilon)
    }

    /// The noise of a query of this sensitivity that costs this amount. Nothing is noted as spent:
    /// for runs that know all their amounts beforehand.
    pub fn noise(&self, sensitivity: &CountSensitivity, amount: f64) -> Result<Noise, MethodError> {
        let scale = |scale: f64| Rational::at_least(scale).map_err(CuratorError::from);
        Ok(if self.is_pure {
            Noise::Laplace(scale(sensitivity.l1() as f64 / amount)?)
        } else {
            Noise::Gaussian(scale(sensitivity.l2_squared() as f64 / (2.0 * amount))?)
        })
    }

    /// The variance of a marginal that costs this amount.
    pub fn variance(&self, amount: f64) -> Result<f64, MethodError> {
        Ok(answer::variance(&self.step_of(self.noise(&self.neighbours.marginal(), amount)?)))
    }

    /// The mean distance from 0 of the noise of a marginal that costs this amount.
    pub fn mean_noise(&self, amount: f64) -> Result<f64, MethodError> {
        Ok((self.variance(amount)? * if self.is_pure { 0.5 } else { std::f64::consts::FRAC_2_PI }).sqrt())
    }

    /// Notes that the ledger is charged `times` times for a step.
    fn spend(&mut self, step: &Step, times: usize) {
        let cost = if self.is_pure { step.pure_epsilon().unwrap_or(f64::INFINITY) } else { step.rho() };
        self.left = (self.left - cost * times as f64).max(0.0);
    }

    /// The step of a marginal with this noise, as the ledger is charged for it.
    fn step_of(&self, noise: Noise) -> Step {
        let sensitivity = self.neighbours.marginal();
        match noise {
            Noise::Gaussian(sigma_squared) => Step::Gaussian { sigma_squared, sensitivity },
            Noise::Laplace(scale) => Step::Laplace { scale, sensitivity },
        }
    }
}
