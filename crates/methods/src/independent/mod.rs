//! `independent`: one-way marginals only.

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
use crate::{Forecast, Method, MethodError, MethodInfo, Observer, Parameter};

const NAME: &str = "independent";

/// What the list says of it.
pub const INFO: MethodInfo = MethodInfo {
    name: NAME,
    summary: "every column by itself: exact shapes of single columns, no relation between columns",
    default_delta: 1e-9,
    parameters: &[Parameter {
        name: "count-share",
        default: "0.01",
        help: "the share of the budget that buys the number of rows (0 to below 1; not used when the number is public)",
    }],
    build: |settings| Ok(Box::new(IndependentParams::read(settings)?.check()?)),
};

/// Parameters as typed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct IndependentParams {
    /// The share of the budget that buys the number of rows; the marginals get the rest in even
    /// shares.
    pub count_share: f64,
}

impl Default for IndependentParams {
    fn default() -> Self {
        Self { count_share: 0.01 }
    }
}

impl IndependentParams {
    const RULE: &'static str = "a number from 0 to below 1, such as 0.01";

    fn legal(share: f64) -> bool {
        (0.0..1.0).contains(&share)
    }

    fn read(pairs: &[(String, String)]) -> Result<Self, MethodError> {
        let settings = Settings::check(NAME, INFO.parameters, pairs)?;
        let count_share =
            settings.number("count-share", Self::default().count_share, Self::RULE, IndependentParams::legal)?;
        Ok(Self { count_share })
    }

    /// The method, when the parameters are legal.
    pub fn check(self) -> Result<Independent, MethodError> {
        if Self::legal(self.count_share) {
            Ok(Independent { params: self })
        } else {
            Err(MethodError::Setting {
                what: format!("method {NAME}: count-share = {} does not do", self.count_share),
                help: format!("give {}", Self::RULE),
            })
        }
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

    fn forecast(
        &self,
        schema: &Schema,
        rows: u64,
        neighbours: Neighbours,
        budget: Budget,
    ) -> Result<Forecast, MethodError> {
        forecast::forecast(self, schema, rows, neighbours, budget)
    }

    fn fit(&self, curator: &mut Curator, observer: &dyn Observer) -> Result<Model, MethodError> {
        fit::fit(self, curator, observer)
    }
}
