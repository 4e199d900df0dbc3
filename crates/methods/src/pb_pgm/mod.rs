//! `pb-pgm`: the marginals of PrivBayes, and a graphical model fitted to all of them together.
//!
//! PrivBayes draws each column from one noisy table; what its other tables say of the same columns
//! is lost. A graphical model takes them all, each by how exact it is, and is the distribution that
//! fits them best.

mod answers;
mod fit;
mod narrow;
mod params;
#[cfg(test)]
mod tests;

use lookalike_curator::Curator;

use params::NAME;
pub use params::{MarginalSource, PbPgmParams};

use crate::settings::AreLegal;
use crate::{Forecast, Method, MethodError, MethodInfo, Observer, Outcome, Parameters, PublicFacts, Request};

impl Parameters for PbPgmParams {
    type Checked = PbPgm;

    const METHOD: MethodInfo = MethodInfo::new::<Self>(
        NAME,
        "a graphical model fitted to the marginals that PrivBayes chooses; pure epsilon by default",
        0.0,
    );

    fn checked(self, _: AreLegal) -> PbPgm {
        PbPgm { params: self }
    }
}

/// The method with checked parameters.
///
/// # Privacy
/// All looks at the rows are those of [`PrivBayes`](crate::privbayes::PrivBayes) or
/// [`PrivBayesNist`](crate::privbayes_nist::PrivBayesNist), with their neighbours, sensitivities
/// and costs. The fit is post-processing. Sources: McKenna, Sheldon, Miklau, "Graphical-model based
/// estimation and inference for differential privacy" (ICML 2019); its use with PrivBayes as in
/// Cai, Lei, Wei, Xiao (VLDB 2021).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PbPgm {
    params: PbPgmParams,
}

impl Method for PbPgm {
    fn name(&self) -> &'static str {
        NAME
    }

    /// That of the method whose marginals are taken: a fit to all of them does no worse.
    fn forecast(&self, facts: &PublicFacts) -> Result<Forecast, MethodError> {
        match self.params.marginals {
            MarginalSource::PrivBayes => self.params.privbayes().check()?.forecast(facts),
            MarginalSource::Nist => self.params.nist().check()?.forecast(facts),
        }
    }

    fn run(&self, curator: &mut Curator, request: &Request, observer: &dyn Observer) -> Result<Outcome, MethodError> {
        fit::fit(&self.params, curator, request, observer).map(Outcome::Model)
    }
}
