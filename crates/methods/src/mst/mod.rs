//! `mst`: a maximum spanning tree of pairs (McKenna, Miklau, Sheldon 2021), the winner of the 2018
//! challenge of NIST as a general method.

mod fit;
mod forecast;
mod params;

#[cfg(test)]
mod tests;

use lookalike_curator::Curator;

pub use params::MstParams;
use params::NAME;

use crate::graphical::detail::GRID;
use crate::settings::{AreLegal, check_shares};
use crate::{Forecast, Method, MethodError, MethodInfo, Observer, Outcome, Parameters, PublicFacts, Request};

impl Parameters for MstParams {
    type Checked = Mst;

    const METHOD: MethodInfo = MethodInfo::new::<Self>(
        NAME,
        "a tree of the strongest pairs of columns; quick and robust, for small budgets",
        1e-9,
    );

    fn checked(self, _: AreLegal) -> Mst {
        Mst { params: self }
    }

    fn check_together(&self) -> Result<(), MethodError> {
        check_shares(NAME, "one-share and select-share", self.one_share + self.select_share)
    }
}

/// The method with checked parameters.
///
/// # Privacy
/// - Neighbours: the run's own (add/remove with a contribution, or replace-one); the curator puts
///   them into every cost.
/// - Sensitivity: one marginal's counts for every measurement; for the choice of a pair the L1
///   distance of its counts to the model of the columns alone, scaled by the noisy row count and
///   fixed before the choices: 1 under add/remove (times the contribution), 2 under replace-one,
///   times the largest weight of a pair. Weights come from the noisy counts of columns.
/// - Cost: one plan, fixed before the first look, because the schema fixes the number of steps: a
///   marginal a column (several with `levels`), a selection fewer than columns, as many pairs.
///   Which pairs are chosen from and measured depends on answers; kinds and scales do not.
///   Merging, the fit and the rows are post-processing.
/// - Source: McKenna, Miklau, Sheldon, "Winning the NIST contest", 2021 (arXiv 2108.04978), section
///   4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mst {
    params: MstParams,
}

impl Method for Mst {
    fn name(&self) -> &'static str {
        NAME
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
