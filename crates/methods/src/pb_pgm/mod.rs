//! `pb-pgm`: the marginals of PrivBayes, and a graphical model fitted to all of them together.
//!
//! PrivBayes draws each column from one noisy table; what its other tables say of the same columns
//! is lost. A graphical model takes them all, each by how exact it is, and is the distribution that
//! fits them best.

mod fit;
mod narrow;
mod params;
#[cfg(test)]
mod tests;

use lookalike_curator::Curator;
use lookalike_model::Model;
use lookalike_privacy::{Budget, Neighbours};
use lookalike_schema::Schema;

pub use params::{PbPgmParams, Source};

use crate::{Forecast, Method, MethodError, MethodInfo, Observer, Outcome, Parameter, Request};

const NAME: &str = "pb-pgm";

/// What the list says of it.
pub const INFO: MethodInfo = MethodInfo {
    name: NAME,
    summary: "a graphical model fitted to the marginals that PrivBayes chooses; pure epsilon by default",
    default_delta: 0.0,
    parameters: &[
        Parameter {
            name: "marginals",
            default: "privbayes",
            help: "whose marginals: privbayes (parents by private selections) or privbayes-nist (from noisy scores)",
        },
        Parameter {
            name: "beta",
            default: "0.3",
            help: "with privbayes: the share of the budget for choosing the network (between 0 and 1)",
        },
        Parameter {
            name: "theta",
            default: "4",
            help: "with privbayes: a table is used while its average cell holds this many times the expected noise",
        },
        Parameter {
            name: "score-share",
            default: "0.2",
            help: "with privbayes-nist: the share of the budget for the scores of pairs and the number of rows",
        },
        Parameter {
            name: "cell-factor",
            default: "4",
            help: "with privbayes-nist: a table has at most n / (cell-factor x its noise) cells",
        },
        Parameter {
            name: "shuffle",
            default: "0",
            help: "with privbayes: another number picks another first attribute and other candidates",
        },
    ],
    build: |settings| Ok(Box::new(PbPgmParams::read(settings)?.check()?)),
};

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
    fn forecast(
        &self,
        schema: &Schema,
        rows: u64,
        neighbours: Neighbours,
        budget: Budget,
    ) -> Result<Forecast, MethodError> {
        match self.params.source {
            Source::PrivBayes => self.params.privbayes().check()?.forecast(schema, rows, neighbours, budget),
            Source::Nist => self.params.nist().check()?.forecast(schema, rows, neighbours, budget),
        }
    }

    fn fit(&self, curator: &mut Curator, observer: &dyn Observer) -> Result<Model, MethodError> {
        fit::fit(&self.params, curator, &Request::default(), observer)
    }

    fn run(&self, curator: &mut Curator, request: &Request, observer: &dyn Observer) -> Result<Outcome, MethodError> {
        fit::fit(&self.params, curator, request, observer).map(Outcome::Model)
    }
}
