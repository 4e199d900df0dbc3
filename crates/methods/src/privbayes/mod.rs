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
pub(crate) mod search;
mod sets;
pub(crate) mod tables;
#[cfg(test)]
mod tests;

use lookalike_curator::Curator;
use lookalike_model::Model;
use lookalike_privacy::{Budget, Neighbours};
use lookalike_schema::Schema;

pub use params::{Encoding, Negatives, Order, PrivBayesParams, Scoring};

use crate::{Forecast, Method, MethodError, MethodInfo, Observer, Parameter, Request};

const NAME: &str = "privbayes";

/// What the list says of it.
pub const INFO: MethodInfo = MethodInfo {
    name: NAME,
    summary: "a Bayesian network: each column given a few others, chosen by private selections; pure epsilon by default",
    default_delta: 0.0,
    parameters: &[
        Parameter {
            name: "score",
            default: "auto",
            help: "what parents are chosen by: r, f (columns of two values), i (replace-one only), or auto: f where it can be",
        },
        Parameter {
            name: "encoding",
            default: "vanilla",
            help: "the network's attributes: vanilla (columns) or binary (their bits)",
        },
        Parameter {
            name: "bins",
            default: "16",
            help: "with bits: a column with an order and more values than this is first cut into so many equal bins",
        },
        Parameter {
            name: "beta",
            default: "0.5",
            help: "the share of the budget for choosing the network (between 0 and 1)",
        },
        Parameter {
            name: "theta",
            default: "4",
            help: "a table is used while its average cell holds this many times the expected noise",
        },
        Parameter {
            name: "order",
            default: "private",
            help: "the attributes' order: private (chosen with the parents) or given (the schema's)",
        },
        Parameter {
            name: "degree",
            default: "auto",
            help: "the most parents of an attribute; auto: as many as theta allows",
        },
        Parameter {
            name: "negatives",
            default: "l2",
            help: "negative noisy counts: l2 (nearest possible table) or clamp (cut to 0)",
        },
        Parameter { name: "candidates", default: "10000", help: "the most candidates of one selection" },
        Parameter {
            name: "count-share",
            default: "0.01",
            help: "the share of epsilon that buys the number of rows (not used when the number is public)",
        },
        Parameter {
            name: "shuffle",
            default: "0",
            help: "another number picks another first attribute and other candidates where there are too many",
        },
    ],
    build: |settings| Ok(Box::new(PrivBayesParams::read(settings)?.check()?)),
};

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

    fn forecast(
        &self,
        schema: &Schema,
        rows: u64,
        neighbours: Neighbours,
        budget: Budget,
    ) -> Result<Forecast, MethodError> {
        forecast::forecast(&self.params, schema, rows, neighbours, budget)
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

    fn fit(&self, curator: &mut Curator, observer: &dyn Observer) -> Result<Model, MethodError> {
        fit::fit(&self.params, curator, observer)
    }
}
