//! `privbayes`: a Bayesian network, chosen privately, with noisy conditional distributions.
//!
//! - [`params`]: the parameters;
//! - `nodes`: what the attributes of the network are, and how they become columns again;
//! - `layout`: from the row estimate and the budget to what will be asked;
//! - `sets`: the parent sets that are candidates;
//! - `search`: the network, round by round;
//! - `tables`: which marginals are measured, and what becomes of them;
//! - `fit`: plan, pay, select, measure, fit.

pub(crate) mod fit;
mod forecast;
mod layout;
pub(crate) mod nodes;
pub mod params;
mod planning;
pub(crate) mod search;
mod sets;
pub(crate) mod tables;
#[cfg(test)]
mod tests;

use lookalike_curator::Curator;
use lookalike_privacy::{Budget, Neighbours};
use lookalike_schema::Schema;

use params::NAME;
pub use params::{Encoding, Negatives, Order, PrivBayesParams, Scoring};

use crate::settings::AreLegal;
use crate::{Forecast, Method, MethodError, MethodInfo, Observer, Outcome, Parameters, PublicFacts, Request};

impl Parameters for PrivBayesParams {
    type Checked = PrivBayes;

    const METHOD: MethodInfo = MethodInfo::new::<Self>(
        NAME,
        "a Bayesian network: each column given a few others, chosen by private selections; pure epsilon by default",
        0.0,
    );

    fn checked(self, _: AreLegal) -> PrivBayes {
        PrivBayes { params: self }
    }
}

/// The method with checked parameters.
///
/// # Privacy
/// - Neighbours: the run's own (add/remove with a contribution, or replace-one); the curator puts
///   them into every cost.
/// - Sensitivity: that of the score, of one marginal's counts and, under add/remove, of the row
///   count, as in the curator's queries.
/// - Cost, stage by stage; stages add up (basic composition), and each is fixed before its first
///   look:
///   1. Under add/remove the row count by discrete Laplace noise with `count-share` of epsilon,
///      pure. Under replace-one the count is public.
///   2. With delta = 0: the selections with `beta` of what is left, then the marginals with the
///      rest, two pure plans. The second depends on what was selected, as a later stage may.
///   3. With delta > 0: one plan of selections and Gaussian marginals. How many of each, and their
///      scales, follow from the row estimate alone; the number of marginals is the most that any
///      network can need. A network that needs fewer has some measured twice, so no step is
///      exchanged and none is lost.
/// - The first attribute, and which candidates stay when there are too many, come from a generator
///   with a fixed public key: they depend on the schema, the flags, the row estimate and earlier
///   answers, never on a record.
/// - Everything after the answers is post-processing.
/// - Source: Zhang, Cormode, Procopiuc, Srivastava, Xiao, "PrivBayes" (SIGMOD 2014).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrivBayes {
    params: PrivBayesParams,
}

impl Method for PrivBayes {
    fn name(&self) -> &'static str {
        NAME
    }

    fn forecast(&self, facts: &PublicFacts) -> Result<Forecast, MethodError> {
        forecast::forecast(&self.params, facts)
    }

    fn accept(
        &self,
        _schema: &Schema,
        neighbours: Neighbours,
        _budget: Budget,
        _request: &Request,
    ) -> Result<(), MethodError> {
        search::Measure::check_relation(&self.params, neighbours.relation())
    }

    fn run(&self, curator: &mut Curator, _request: &Request, observer: &dyn Observer) -> Result<Outcome, MethodError> {
        fit::fit(&self.params, curator, observer).map(Outcome::Model)
    }
}
