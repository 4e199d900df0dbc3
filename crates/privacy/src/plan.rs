//! Plans: what will be asked, in which shares, before the first look; and their calibration to a budget.
// SKELETON: the accounting owner fills this in.

use crate::{Budget, CountSensitivity, PrivacyError, Step};

/// The mechanism an item of a plan will use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Discrete Gaussian counts.
    Gaussian,
    /// Discrete Laplace counts.
    Laplace,
    /// The exponential mechanism.
    Exponential,
}

/// Some queries of a plan that share one scale.
#[derive(Clone, Debug)]
pub struct PlanItem {
    /// For the statement: "one-way marginals".
    pub label: String,
    /// The mechanism.
    pub kind: Kind,
    /// Of one query of the item; unused for the exponential mechanism.
    pub sensitivity: CountSensitivity,
    /// The item's relative share of the budget: of rho when delta > 0, of epsilon when delta = 0. Split evenly over the copies.
    pub share: f64,
    /// How many queries the item has.
    pub copies: u32,
}

/// Queries whose number, order, kinds and scales are fixed before the first look. Which marginal a step asks for may be adaptive.
#[derive(Clone, Debug)]
pub struct Plan {
    /// In the order in which they will be run.
    pub items: Vec<PlanItem>,
}

/// How a stage's cost is summed up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Composition {
    /// Epsilons add.
    Pure,
    /// Rhos add.
    Zcdp,
    /// The discrete privacy-loss distribution of the fixed plan.
    Exact,
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
    /// The smallest noise whose total fits in `cap`: rational scales, rounded towards more noise, at least 0.999 of the cap used.
    /// With delta = 0 a Gaussian item is refused.
    pub fn calibrate(&self, cap: Budget) -> Result<CalibratedPlan, PrivacyError> {
        let _ = cap;
        todo!()
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
