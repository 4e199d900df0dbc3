//! The total, once more, from the scales.

use lookalike_privacy::{Composition, DiscoveryCost, PrivacyError, Step, accounting};

use super::content::{Guarantee, StageComposition, StatedStage, Statement, Used};
use super::error::StatementError;

/// Another machine's exponentials may differ in the last bits, and grids may then fall another way.
const USED_TOLERANCE: f64 = 1e-6;

/// The same for a use that touches its cap.
const CAP_TOLERANCE: f64 = 1e-9;

impl StatedStage {
    /// The epsilon of the stage's charges at its cap's delta.
    fn epsilon(&self, steps: &[Step]) -> Result<f64, PrivacyError> {
        if steps.is_empty() { Ok(0.0) } else { accounting::epsilon(steps, self.cap.delta, self.composed()) }
    }

    /// Whether the steps are the plan's, in its order, some perhaps skipped. A filter has no plan.
    fn allows(&self, steps: &[Step]) -> bool {
        if !matches!(self.composition, StageComposition::Plan(_)) {
            return self.planned.is_empty();
        }
        let (mut item, mut used) = (0, 0);
        steps.iter().all(|step| {
            while let Some(planned) = self.planned.get(item) {
                if used < planned.copies && planned.step == *step {
                    used += 1;
                    return true;
                }
                (item, used) = (item + 1, 0);
            }
            false
        })
    }
}

impl Statement {
    /// Recomputes the total from the charges' scales and compares it with everything the statement
    /// says: the stages' caps, the plan, the guarantee, and the stated use.
    ///
    /// # Errors
    /// [`StatementError::Disagrees`] with a one-line reason for each disagreement.
    pub fn recompute(&self) -> Result<Used, StatementError> {
        if let Some(total) = self.discovery_in_rho() {
            return self.recompute_in_rho(total);
        }
        let mut reasons = Vec::new();
        let mut used = Used { epsilon: 0.0, delta: 0.0 };
        for (number, stage) in self.stages.iter().enumerate() {
            let steps = self.steps_of(number);
            let name = format!("stage {}", number + 1);
            if !stage.allows(&steps) {
                reasons.push(format!("{name}: its charges are not its plan's steps in order"));
            }
            if number + 1 < self.stages.len() && !stage.cap.is_pure() {
                reasons.push(format!("{name}: only the last stage may have a delta above 0"));
            }
            match stage.epsilon(&steps) {
                Ok(epsilon) => {
                    let cap = stage.cap.epsilon.get();
                    if epsilon > cap * (1.0 + CAP_TOLERANCE) {
                        reasons.push(format!("{name}: its charges cost epsilon {epsilon}, above its cap of {cap}"));
                    }
                    used.epsilon += epsilon;
                }
                Err(error) => reasons.push(format!("{name}: {error}")),
            }
            used.delta += stage.cap.delta.get();
        }
        self.compare(used, &mut reasons);
        if reasons.is_empty() { Ok(used) } else { Err(StatementError::Disagrees { reasons }) }
    }

    /// What discovery may cost, where it is counted in rho: then all stages are one sum.
    pub(super) fn discovery_in_rho(&self) -> Option<DiscoveryCost> {
        let first = self.stages.first().filter(|stage| !stage.cap.is_pure())?;
        match first.composition {
            StageComposition::Discovery(total) => Some(total),
            _ => None,
        }
    }

    /// The same for a run with discovery: rho and tau of all charges, and those of discovery alone.
    /// Plans and filters behind it are checked against their own caps too.
    fn recompute_in_rho(&self, total: DiscoveryCost) -> Result<Used, StatementError> {
        let mut reasons = Vec::new();
        let all: Vec<Step> = self.charges.iter().map(|charge| charge.step.clone()).collect();
        let delta = self.stages[0].cap.delta;
        for (number, stage) in self.stages.iter().enumerate() {
            let (steps, name) = (self.steps_of(number), format!("stage {}", number + 1));
            if !stage.allows(&steps) {
                reasons.push(format!("{name}: its charges are not its plan's steps in order"));
            }
            let tau = accounting::total_tau(&steps);
            let most = if number == 0 { total.tau } else { 0.0 };
            if tau > most * (1.0 + CAP_TOLERANCE) {
                reasons.push(format!("{name}: its charges cost tau {tau}, above {most}"));
            }
            let cost = if number == 0 { Ok(accounting::total_rho(&steps)) } else { stage.epsilon(&steps) };
            let cap = if number == 0 { total.amount } else { stage.cap.epsilon.get() };
            match cost {
                Ok(cost) if cost > cap * (1.0 + CAP_TOLERANCE) => {
                    reasons.push(format!("{name}: its charges cost {cost}, above its cap of {cap}"));
                }
                Ok(_) => {}
                Err(error) => reasons.push(format!("{name}: {error}")),
            }
        }
        let used = match accounting::epsilon(&all, delta, Composition::Zcdp) {
            Ok(epsilon) => Used { epsilon, delta: delta.get() },
            Err(error) => {
                reasons.push(error.to_string());
                self.used
            }
        };
        if let Guarantee::Holds(budget) = &self.guarantee
            && (used.epsilon > budget.epsilon.get() * (1.0 + CAP_TOLERANCE) || used.delta > budget.delta.get())
        {
            let (epsilon, delta) = (budget.epsilon.get(), budget.delta.get());
            reasons.push(format!("the charges cost {used:?}, above ({epsilon}, {delta})"));
        }
        self.compare_used(used, &mut reasons);
        if reasons.is_empty() { Ok(used) } else { Err(StatementError::Disagrees { reasons }) }
    }

    /// The paid steps of a stage, in order. Public counts are free and belong to no plan.
    fn steps_of(&self, stage: usize) -> Vec<Step> {
        let paid = self.charges.iter().filter(|charge| charge.stage == Some(stage) && !charge.step.is_free());
        paid.map(|charge| charge.step.clone()).collect()
    }

    fn compare(&self, used: Used, reasons: &mut Vec<String>) {
        let caps = |part: fn(&StatedStage) -> f64| self.stages.iter().map(part).sum::<f64>();
        let (epsilon, delta) = (caps(|stage| stage.cap.epsilon.get()), caps(|stage| stage.cap.delta.get()));
        if let Guarantee::Holds(budget) = &self.guarantee {
            let (most_epsilon, most_delta) = (budget.epsilon.get(), budget.delta.get());
            // The ledger rounds caps down so that they fit; this sum rounds either way.
            if epsilon > most_epsilon * (1.0 + CAP_TOLERANCE) || delta > most_delta * (1.0 + CAP_TOLERANCE) {
                reasons.push(format!("the stages sum to ({epsilon}, {delta}), above ({most_epsilon}, {most_delta})"));
            }
        }
        self.compare_used(used, reasons);
    }

    fn compare_used(&self, used: Used, reasons: &mut Vec<String>) {
        if let Some(charge) = self.charges.iter().find(|charge| charge.stage.is_none() && !charge.step.is_free()) {
            reasons.push(format!("the charge {:?} belongs to no stage but is not free", charge.label));
        }
        let same = |stated: f64, exact: f64| (stated - exact).abs() <= USED_TOLERANCE * exact.abs();
        if !same(self.used.epsilon, used.epsilon) || !same(self.used.delta, used.delta) {
            let stated = (self.used.epsilon, self.used.delta);
            let exact = (used.epsilon, used.delta);
            reasons.push(format!("the stated use is {stated:?}, but the charges add up to {exact:?}"));
        }
    }
}
