//! `privmrf`: a Markov random field over marginals that are chosen round by round.
//!
//! - [`params`]: the parameters;
//! - `purse`: the budget, one plan fixed before the first look;
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
mod purse;
mod scores;
#[cfg(test)]
mod tests;
mod universe;

use lookalike_curator::Curator;
use lookalike_model::Model;
use lookalike_privacy::{Budget, Neighbours};
use lookalike_schema::Schema;

pub use params::{Choice, First, PrivMrfParams};

use crate::{Forecast, Method, MethodError, MethodInfo, Observer, Outcome, Parameter, Request};

const NAME: &str = "privmrf";

/// What the list says of it.
pub const INFO: MethodInfo = MethodInfo {
    name: NAME,
    summary: "a Markov random field over marginals chosen round by round: those that the model so far gets most wrong",
    default_delta: 1e-9,
    parameters: &[
        Parameter {
            name: "ones-share",
            default: "0.1",
            help: "the share of the budget for every column alone, so that rare values can be put together (0: as published)",
        },
        Parameter {
            name: "merge",
            default: "3",
            help: "values with a noisy count below this many standard deviations of the noise are put together",
        },
        Parameter { name: "score-share", default: "0.02", help: "the share of the budget for the scores of all pairs" },
        Parameter {
            name: "count-share",
            default: "0.01",
            help: "the share of the budget for the number of rows (used when ones-share is 0 and the number is not public)",
        },
        Parameter {
            name: "select-share",
            default: "0.05",
            help: "the share of the budget for choosing marginals; the marginals themselves get the rest",
        },
        Parameter { name: "rounds", default: "2", help: "rounds for each column, rounded down" },
        Parameter { name: "candidates", default: "400", help: "candidates of a round, drawn at random" },
        Parameter {
            name: "theta",
            default: "4",
            help: "a first marginal may be as large as leaves this many times the expected noise in its average cell",
        },
        Parameter {
            name: "round-theta",
            default: "2",
            help: "the same for the marginals of the rounds (the paper has one theta for both)",
        },
        Parameter { name: "clique-cells", default: "1e7", help: "the most cells of a clique of the graph" },
        Parameter { name: "total-cells", default: "5e7", help: "the most cells of all cliques together" },
        Parameter { name: "width", default: "64", help: "the most columns of a marginal" },
        Parameter {
            name: "first",
            default: "rho",
            help: "what the first marginals are chosen by: rho (equation 8) or sum (of the column's scores)",
        },
        Parameter {
            name: "choice",
            default: "exponential",
            help: "how a round chooses: exponential (one draw) or gaussian (as published: noise on every candidate)",
        },
        Parameter {
            name: "penalty",
            default: "1",
            help: "how much of the expected noise is taken off a candidate's distance (with choice exponential)",
        },
        Parameter { name: "shuffle", default: "0", help: "another number draws other candidates" },
    ],
    build: |settings| Ok(Box::new(PrivMrfParams::read(settings)?.check()?)),
};

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

    fn forecast(
        &self,
        schema: &Schema,
        rows: u64,
        neighbours: Neighbours,
        budget: Budget,
    ) -> Result<Forecast, MethodError> {
        forecast::forecast(&self.params, schema, rows, neighbours, budget)
    }

    fn fit(&self, curator: &mut Curator, observer: &dyn Observer) -> Result<Model, MethodError> {
        fit::fit(&self.params, curator, &Request::default(), observer)
    }

    fn run(&self, curator: &mut Curator, request: &Request, observer: &dyn Observer) -> Result<Outcome, MethodError> {
        fit::fit(&self.params, curator, request, observer).map(Outcome::Model)
    }
}
