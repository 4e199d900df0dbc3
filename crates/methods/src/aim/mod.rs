//! `aim`: measure what the model gets most wrong for the workload, round by round (McKenna,
//! Mullins, Sheldon, Miklau 2022).

mod candidates;
mod fit;
mod forecast;
mod params;

#[cfg(test)]
mod tests;

use lookalike_curator::Curator;

pub use params::AimParams;
use params::NAME;

use crate::graphical::detail::GRID;
use crate::settings::AreLegal;
use crate::{Forecast, Method, MethodError, MethodInfo, Observer, Outcome, Parameters, PublicFacts, Request};

impl Parameters for AimParams {
    type Checked = Aim;

    const METHOD: MethodInfo = MethodInfo::new::<Self>(
        NAME,
        "round by round, the table that the model gets most wrong for the workload; accurate, slower",
        1e-9,
    );

    fn checked(self, _: AreLegal) -> Aim {
        Aim { params: self }
    }
}

/// The method with checked parameters.
///
/// # Privacy
/// - Neighbours: the run's own (add/remove with a contribution, or replace-one); the curator puts
///   them into every cost.
/// - Sensitivity: one marginal's counts for every measurement; for a choice the weight times the L1
///   distance above the expected noise, whose sensitivity is the largest weight times 1 under
///   add/remove (times the contribution) and times 2 under replace-one. The model's vector is
///   scaled by the noisy row count and fixed before the choice; weights and expected noise are
///   public.
/// - Cost: a filter. Scales and the number of rounds depend on answers, so the run is accounted by
///   the sum of rho (of epsilon when delta is 0), which the ledger keeps below the total.
/// - Which candidates a round has follows from schema, flags, earlier answers and a fixed stream of
///   numbers, never from the rows.
/// - Source: McKenna, Mullins, Sheldon, Miklau, "AIM: an adaptive and iterative mechanism for
///   differentially private synthetic data", 2022 (arXiv 2201.12677), algorithms 1 to 4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    params: AimParams,
}

impl Method for Aim {
    fn name(&self) -> &'static str {
        NAME
    }

    fn uses_workload(&self) -> bool {
        true
    }

    fn grid(&self) -> Option<u32> {
        self.params.levels.then_some(GRID)
    }

    fn forecast(&self, facts: &PublicFacts) -> Result<Forecast, MethodError> {
        forecast::forecast(&self.params, facts)
    }

    fn run(&self, curator: &mut Curator, request: &Request, observer: &dyn Observer) -> Result<Outcome, MethodError> {
        fit::fit(&self.params, curator, request, observer).map(Outcome::Model)
    }
}
