//! `privmrf`: a Markov random field over marginals that are chosen round by round.
//!
//! - [`params`]: the parameters;
//! - `plan`: the budget, one plan fixed before the first look;
//! - `scores`: noisy R of every pair;
//! - `graph`: which columns may meet (Algorithm 1);
//! - `universe`: the marginals that may be measured (Algorithm 2);
//! - `initial`: the first marginals (Algorithm 3);
//! - `fit`: rounds and fits (Algorithms 4 to 6).

mod fit;
mod forecast;
mod graph;
mod initial;
pub mod params;
mod plan;
mod scores;
#[cfg(test)]
mod tests;
mod universe;

use lookalike_curator::Curator;

use params::NAME;
pub use params::{Choice, First, PrivMrfParams};

use crate::graphical::detail::GRID;
use crate::settings::{AreLegal, check_shares};
use crate::{Forecast, Method, MethodError, MethodInfo, Observer, Outcome, Parameters, PublicFacts, Request};

impl Parameters for PrivMrfParams {
    type Checked = PrivMrf;

    const METHOD: MethodInfo = MethodInfo::new::<Self>(
        NAME,
        "a Markov random field over marginals chosen round by round: those that the model so far gets most wrong",
        1e-9,
    );

    fn checked(self, _: AreLegal) -> PrivMrf {
        PrivMrf { params: self }
    }

    fn check_together(&self) -> Result<(), MethodError> {
        if self.levels && self.ones_share == 0.0 {
            let what = format!("method {NAME}: ones-share = 0 does not do with levels");
            return Err(MethodError::Setting { what, help: "levels need a share for every column alone".into() });
        }
        let sum = self.ones_share + self.score_share + self.count_share + self.select_share;
        check_shares(NAME, "ones-share, score-share, count-share and select-share", sum)
    }
}

/// The method with checked parameters.
///
/// # Privacy
/// - Neighbours: the run's own (add/remove with a contribution, or replace-one); the curator puts
///   them into every cost.
/// - Sensitivity: of one marginal's counts, of the row count, of R (2 under add/remove) and of the
///   L1 distance to a fixed vector (1 under add/remove), as in the curator's queries. The vector is
///   the model's, scaled by a noisy row count.
/// - Cost: one plan, fixed before the first look and calibrated to the whole budget. How many
///   scores, choices and marginals there are, their order and their scales follow from the schema
///   and the flags; which pair, candidates or marginal a step asks for may depend on earlier
///   answers. It is always calibrated for d + t marginals. Steps that are not needed are skipped,
///   and what they leave is never spent.
/// - Candidates are drawn by a generator with a fixed public key.
/// - Everything after the answers is post-processing.
/// - Source: Cai, Lei, Wei, Xiao, "Data Synthesis via Differentially Private Markov Random Fields"
///   (VLDB 2021).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrivMrf {
    params: PrivMrfParams,
}

impl Method for PrivMrf {
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
