//! Parameters as typed.

use serde::{Deserialize, Serialize};

use crate::settings::{Parameter, Rule};

pub(super) const NAME: &str = "mst";

/// What `--set` may give.
pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter::new(
        "one-share",
        "0.3333333333333333",
        Rule::SHARE,
        "the share of the budget that buys the counts of every column alone (above 0 to below 1)",
    ),
    Parameter::new(
        "select-share",
        "0.3333333333333333",
        Rule::SHARE,
        "the share of the budget that chooses the pairs (above 0; the pairs' counts get what is left)",
    ),
    Parameter::new(
        "spread-power",
        "0.25",
        Rule::from_to(0.0, 1.0),
        "pairs are weighed by the inverse of their columns' spreads to this power; 0: as published",
    ),
    Parameter::new(
        "merge-threshold",
        "3",
        Rule::from_to(0.0, 1000.0),
        "values with a noisy count below this many standard deviations are put together; 0: none",
    ),
];

/// Parameters as typed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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
