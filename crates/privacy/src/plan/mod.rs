//! Plans: what will be asked, in which shares, before the first look; and their calibration to a
//! budget.

mod search;

use search::BudgetSearch;

use crate::accounting::exact::{self, quality::Quality};
use crate::accounting::{self, directed};
use crate::{Budget, Composition, CountSensitivity, PrivacyError, Rational, SmoothedHistogram, Step};

/// The mechanism an item of a plan will use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MechanismKind {
    /// Discrete Gaussian counts.
    Gaussian,
    /// Discrete Laplace counts.
    Laplace,
    /// The exponential mechanism.
    Exponential,
    /// Rows drawn from a smoothed histogram; pure plans only.
    Histogram(SmoothedHistogram),
}

impl MechanismKind {
    /// Whether the item's sensitivity says what one query does to counts or a score.
    fn has_sensitivity(self) -> bool {
        matches!(self, MechanismKind::Gaussian | MechanismKind::Laplace)
    }
}

/// Some queries of a plan that share one scale.
#[derive(Clone, Debug)]
pub struct PlanItem {
    /// For the statement: "one-way marginals".
    pub label: String,
    /// The mechanism.
    pub kind: MechanismKind,
    /// Of one query of the item; unused for selections and histograms.
    pub sensitivity: CountSensitivity,
    /// The item's relative share of the budget: of rho when delta > 0, of epsilon when delta = 0.
    /// Split evenly over the copies.
    pub share: f64,
    /// How many queries the item has.
    pub copies: u32,
}

impl PlanItem {
    /// Whether it costs nothing: no copies, or counts that are public under the relation.
    fn is_free(&self) -> bool {
        self.copies == 0 || (self.kind.has_sensitivity() && self.sensitivity.l1() == 0)
    }

    /// The step of one copy that costs `amount` of the currency, or a sliver less.
    ///
    /// Of rho a Gaussian costs L2^2 / (2 sigma^2), a Laplace (L1 / scale)^2 / 2, a selection
    /// epsilon^2 / 8.
    fn step(&self, amount: f64, currency: Currency) -> Result<Step, PrivacyError> {
        let sensitivity = self.sensitivity.clone();
        let step = match (self.kind, currency) {
            (MechanismKind::Gaussian, Currency::Epsilon) => {
                return Err(PrivacyError::Plan {
                    what: format!("\"{}\" uses Gaussian noise, which needs a delta above 0", self.label),
                });
            }
            (MechanismKind::Gaussian, Currency::Rho) => {
                let sigma_squared = Rational::at_least(sensitivity.l2_squared() as f64 / (2.0 * amount))?;
                Step::Gaussian { sigma_squared, sensitivity }
            }
            (MechanismKind::Laplace, _) => {
                let epsilon = if currency == Currency::Rho { (2.0 * amount).sqrt() } else { amount };
                Step::Laplace { scale: Rational::at_least(sensitivity.l1() as f64 / epsilon)?, sensitivity }
            }
            (MechanismKind::Exponential, _) => {
                let epsilon = if currency == Currency::Rho { (8.0 * amount).sqrt() } else { amount };
                Step::Exponential { epsilon: Rational::at_most(epsilon)? }
            }
            (MechanismKind::Histogram(histogram), Currency::Epsilon) => {
                Step::Histogram { smoothing: histogram.smoothing(amount)?, histogram }
            }
            (MechanismKind::Histogram(_), Currency::Rho) => {
                return Err(PrivacyError::Plan {
                    what: format!("\"{}\" is a smoothed histogram, which is for pure epsilon (delta 0)", self.label),
                });
            }
        };
        Ok(step)
    }
}

/// What shares are shares of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Currency {
    Epsilon,
    Rho,
}

/// Queries whose number, order, kinds and scales are fixed before the first look. Which marginal a
/// step asks for may be adaptive.
#[derive(Clone, Debug)]
pub struct Plan {
    /// In the order in which they will be run.
    pub items: Vec<PlanItem>,
}

/// One step of a calibrated plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedStep {
    /// The item's label.
    pub label: String,
    /// Mechanism, scale and sensitivity.
    pub step: Step,
}

/// A plan with scales, whose whole cost is at most `cap` under `composition`.
#[derive(Clone, Debug, PartialEq)]
pub struct CalibratedPlan {
    cap: Budget,
    composition: Composition,
    steps: Vec<PlannedStep>,
}

impl Plan {
    /// The smallest noise whose total fits in `cap`: rational scales, rounded towards more noise,
    /// at least 0.999 of the cap used. With delta = 0 a Gaussian item is refused.
    ///
    /// With delta = 0 epsilons add. With delta above 0 the plan is calibrated twice, by the sum of
    /// rho and by exact composition, and the one with less noise wins; both keep the items' shares
    /// of rho. Items without copies, and counts that are public under the relation, get no step.
    pub fn calibrate(&self, cap: Budget) -> Result<CalibratedPlan, PrivacyError> {
        let quick = self.calibrate_quickly(cap)?;
        if cap.is_pure() || quick.steps.is_empty() {
            return Ok(quick);
        }
        Ok(self.calibrate_exactly(cap)?.unwrap_or(quick))
    }

    /// Searches the total of rho whose exact epsilon is just below the cap's. `None` if exact
    /// composition cannot be had, or would add more noise than the sum of rho does.
    ///
    /// The search is on coarse grids, whose epsilons are a little too large; the last tries are on
    /// fine ones, and only what fits there is returned. Epsilon grows about like the square root of
    /// rho, so a step in logarithms is enough.
    fn calibrate_exactly(&self, cap: Budget) -> Result<Option<CalibratedPlan>, PrivacyError> {
        let (epsilon, delta) = (cap.epsilon.get(), cap.delta.get());
        let summed = accounting::rho_of(cap)?.get();
        let mut search = BudgetSearch::new(summed, epsilon);
        for quality in [Quality::COARSE, Quality::FINE] {
            search.narrow();
            for _ in 0..20 {
                let steps = self.steps(search.total, Currency::Rho)?;
                let Ok(found) = exact::epsilon(steps.iter().map(|planned| &planned.step), delta, quality) else {
                    return Ok(None);
                };
                if !search.next(found) {
                    continue;
                }
                if quality == Quality::FINE {
                    let allowed = steps.iter().all(|planned| exact::check(&planned.step).is_ok());
                    let plan = CalibratedPlan { cap, composition: Composition::Exact, steps };
                    return Ok((allowed && search.total > summed).then_some(plan));
                }
                break;
            }
        }
        Ok(None)
    }

    /// Like [`Plan::calibrate`], but without exact composition: microseconds, and never less noise.
    /// For forecasts.
    pub fn calibrate_quickly(&self, cap: Budget) -> Result<CalibratedPlan, PrivacyError> {
        let (currency, composition, total) = if cap.is_pure() {
            (Currency::Epsilon, Composition::Pure, cap.epsilon.get())
        } else {
            (Currency::Rho, Composition::Zcdp, accounting::rho_of(cap)?.get())
        };
        // The scales are rounded towards more noise, so the first try nearly always fits; the sum
        // is checked all the same.
        let mut margin = 1e-12;
        loop {
            let steps = self.steps(total * (1.0 - margin), currency)?;
            let spent = match currency {
                Currency::Epsilon => accounting::pure_epsilon(steps.iter().map(|planned| &planned.step))?,
                Currency::Rho => directed::sum_up(steps.iter().map(|planned| planned.step.rho())),
            };
            if spent <= total {
                return Ok(CalibratedPlan { cap, composition, steps });
            }
            margin *= 10.0;
        }
    }

    /// All steps, such that their costs sum to about `total` in the items' shares.
    fn steps(&self, total: f64, currency: Currency) -> Result<Vec<PlannedStep>, PrivacyError> {
        let mut shares = 0.0;
        for item in self.items.iter().filter(|item| !item.is_free()) {
            if !(item.share.is_finite() && item.share > 0.0) {
                let what = format!("\"{}\" has the share {}, which is not above 0", item.label, item.share);
                return Err(PrivacyError::Plan { what });
            }
            shares += item.share;
        }
        let mut steps = Vec::new();
        for item in self.items.iter().filter(|item| !item.is_free()) {
            let step = item.step(total * (item.share / shares) / f64::from(item.copies), currency)?;
            let planned = PlannedStep { label: item.label.clone(), step };
            steps.extend(std::iter::repeat_n(planned, item.copies as usize));
        }
        Ok(steps)
    }
}

impl CalibratedPlan {
    /// The guarantee of the whole plan.
    pub fn cap(&self) -> Budget {
        self.cap
    }

    /// How it was summed up: whichever is smallest and sound.
    pub fn composition(&self) -> Composition {
        self.composition
    }

    /// All steps in order, copies spelled out.
    pub fn steps(&self) -> &[PlannedStep] {
        &self.steps
    }
}

#[cfg(test)]
mod tests;
