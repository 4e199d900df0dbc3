//! `privbayes-nist`: PrivBayes as entered in the 2018 challenge of NIST (Bao, Xiao, Zhao, Zhang,
//! Ding 2021).
//!
//! - `hierarchy`: columns at their levels;
//! - `purse`: the budget;
//! - `scores` and `network`: noisy scores of pairs, and the network they give;
//! - `tables` and `consistency`: noisy tables, made to agree;
//! - `conditionals`: the tables as a network that rows can be drawn from;
//! - `stepping`: rows from tables that were not made to agree.

mod conditionals;
pub(crate) mod consistency;
pub(crate) mod fit;
mod forecast;
pub(crate) mod hierarchy;
pub(crate) mod network;
mod params;
pub(crate) mod purse;
pub(crate) mod scores;
mod stepping;
pub(crate) mod tables;
#[cfg(test)]
mod tests;

use lookalike_curator::Curator;

pub use consistency::{Negatives, Variances};
use params::NAME;
pub use params::{PrivBayesNistParams, Rows};

use crate::settings::AreLegal;
use crate::{Forecast, Method, MethodError, MethodInfo, Observer, Outcome, Parameters, PublicFacts, Request};

impl Parameters for PrivBayesNistParams {
    type Checked = PrivBayesNist;

    const METHOD: MethodInfo = MethodInfo::new::<Self>(
        NAME,
        "a network from noisy scores of all pairs, its tables made consistent; quick, for many rows and columns",
        1e-9,
    );

    fn checked(self, _: AreLegal) -> PrivBayesNist {
        PrivBayesNist { params: self }
    }
}

/// The method with checked parameters.
///
/// # Privacy
/// - Neighbours: the run's own (add/remove with a contribution, or replace-one); the curator puts
///   them into every cost.
/// - Sensitivity: the row count's, R's in count form for every score, and one marginal's for every
///   table, as the curator states.
/// - Cost: with delta above 0 one plan, fixed before the first look: the row count, as many draws
///   of scores as there are pairs of columns (at their levels), and a fixed number of equal draws
///   of tables. Which pair or table a draw is spent on depends on earlier answers; how many there
///   are and their scales do not. With delta = 0 a filter over epsilon. Network, consistency and
///   sampling are post-processing.
/// - Source: Bao et al., "Synthetic data generation with differential privacy via Bayesian
///   networks", 2021, sections 2.4 and 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrivBayesNist {
    params: PrivBayesNistParams,
}

impl Method for PrivBayesNist {
    fn name(&self) -> &'static str {
        NAME
    }

    fn forecast(&self, facts: &PublicFacts) -> Result<Forecast, MethodError> {
        forecast::forecast(self.params, facts)
    }

    fn run(&self, curator: &mut Curator, _request: &Request, observer: &dyn Observer) -> Result<Outcome, MethodError> {
        fit::fit(self.params, curator, observer).map(Outcome::Model)
    }
}
