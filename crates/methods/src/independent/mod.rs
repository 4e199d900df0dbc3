//! `independent`: one-way marginals only.

mod fit;
mod forecast;
mod params;

#[cfg(test)]
mod tests;

use lookalike_curator::Curator;

pub(crate) use fit::row_count_alone;
pub use params::IndependentParams;
use params::NAME;

use crate::settings::AreLegal;
use crate::{Forecast, Method, MethodError, MethodInfo, Observer, Outcome, Parameters, PublicFacts, Request};

impl Parameters for IndependentParams {
    type Checked = Independent;

    const METHOD: MethodInfo = MethodInfo::new::<Self>(
        NAME,
        "every column by itself: exact shapes of single columns, no relation between columns",
        1e-9,
    );

    fn checked(self, _: AreLegal) -> Independent {
        Independent { params: self }
    }
}

/// The method with checked parameters.
///
/// # Privacy
/// - Neighbours: the run's own (add/remove with a contribution, or replace-one); the curator puts
///   them into every cost.
/// - Sensitivity: that of one marginal's counts and, under add/remove, of the row count, as in the
///   curator's queries.
/// - Cost: one plan, fixed before the first look and calibrated to the whole budget: the row count
///   with `count-share`, then every one-way marginal with an even share of the rest. Discrete
///   Gaussian noise when delta > 0, discrete Laplace when delta = 0. Everything after the answers
///   is post-processing.
/// - Source: composition of noisy histograms; the accountant is the crate `privacy`'s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Independent {
    params: IndependentParams,
}

impl Method for Independent {
    fn name(&self) -> &'static str {
        NAME
    }

    fn forecast(&self, facts: &PublicFacts) -> Result<Forecast, MethodError> {
        forecast::forecast(&self.params, facts)
    }

    fn run(&self, curator: &mut Curator, _request: &Request, observer: &dyn Observer) -> Result<Outcome, MethodError> {
        fit::fit(&self.params, curator, observer, NAME).map(Outcome::Model)
    }
}
