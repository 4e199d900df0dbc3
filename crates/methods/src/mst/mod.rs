//! `mst`: a maximum spanning tree of pairs (McKenna, Miklau, Sheldon 2021), the winner of the 2018
//! challenge of NIST as a general method.

mod fit;
mod forecast;

#[cfg(test)]
mod tests;

use lookalike_curator::Curator;
use lookalike_model::Model;
use lookalike_privacy::{Budget, Neighbours};
use lookalike_schema::Schema;
use serde::Serialize;

use crate::settings::Settings;
use crate::{Forecast, Method, MethodError, MethodInfo, Observer, Outcome, Parameter, Request};

const NAME: &str = "mst";

/// What the list says of it.
pub const INFO: MethodInfo = MethodInfo {
    name: NAME,
    summary: "a tree of the strongest pairs of columns; quick and robust, for small budgets",
    default_delta: 1e-9,
    parameters: &[
        Parameter {
            name: "one-share",
            default: "0.3333333333333333",
            help: "the share of the budget that buys the counts of every column alone (above 0 to below 1)",
        },
        Parameter {
            name: "select-share",
            default: "0.3333333333333333",
            help: "the share of the budget that chooses the pairs (above 0; the pairs' counts get what is left)",
        },
        Parameter {
            name: "spread-power",
            default: "0.25",
            help: "pairs are weighed by the inverse of their columns' spreads to this power; 0: as published",
        },
        Parameter {
            name: "merge-threshold",
            default: "3",
            help: "values with a noisy count below this many standard deviations are put together; 0: none",
        },
    ],
    build: |settings| Ok(Box::new(MstParams::read(settings)?.check()?)),
};

/// Parameters as typed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct MstParams {
    /// The share of the budget for the counts of every column alone.
    pub one_share: f64,
    /// The share of the budget that chooses the pairs; their counts get the rest.
    pub select_share: f64,
    /// The score of a pair is divided by the product of its columns' spreads to this power.
    pub spread_power: f64,
    /// Values with a noisy count below this many standard deviations of its noise are put together.
    pub merge_threshold: f64,
}

impl Default for MstParams {
    fn default() -> Self {
        Self { one_share: 1.0 / 3.0, select_share: 1.0 / 3.0, spread_power: 0.25, merge_threshold: 3.0 }
    }
}

impl MstParams {
    fn read(pairs: &[(String, String)]) -> Result<Self, MethodError> {
        let settings = Settings::check(NAME, INFO.parameters, pairs)?;
        let default = Self::default();
        let share = |name: &str, default: f64| settings.number(name, default, SHARE_RULE, is_share);
        Ok(Self {
            one_share: share("one-share", default.one_share)?,
            select_share: share("select-share", default.select_share)?,
            spread_power: settings.number(
                "spread-power",
                default.spread_power,
                "a number from 0 to 1, such as 0.25",
                |value| (0.0..=1.0).contains(&value),
            )?,
            merge_threshold: settings.number(
                "merge-threshold",
                default.merge_threshold,
                "a number from 0 to 1000, such as 3",
                |value| (0.0..=1000.0).contains(&value),
            )?,
        })
    }

    /// The method, when the parameters are legal.
    pub fn check(self) -> Result<Mst, MethodError> {
        let legal = is_share(self.one_share)
            && is_share(self.select_share)
            && self.one_share + self.select_share < 1.0
            && (0.0..=1.0).contains(&self.spread_power)
            && (0.0..=1000.0).contains(&self.merge_threshold);
        if legal {
            return Ok(Mst { params: self });
        }
        let (one, select) = (self.one_share, self.select_share);
        Err(MethodError::Setting {
            what: format!("method {NAME}: one-share = {one} and select-share = {select} leave nothing for the pairs"),
            help: "give two numbers above 0 that sum to less than 1".into(),
        })
    }
}

const SHARE_RULE: &str = "a number above 0 and below 1, such as 0.33";

fn is_share(value: f64) -> bool {
    value > 0.0 && value < 1.0
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
/// - Cost: one plan, fixed before the first look, because the number of columns fixes the number of
///   steps: a marginal a column, one selection fewer, as many pairs. Which pairs are chosen from
///   and measured depends on answers; kinds and scales do not. Merging, the fit and the rows are
///   post-processing.
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
