//! Parameters as typed.

use serde::{Deserialize, Serialize};

use crate::settings::{Parameter, Rule};

pub(super) const NAME: &str = "aim";

/// What `--set` may give.
pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter::new(
        "one-share",
        "0.1",
        Rule::SHARE,
        "the share of the budget that buys the counts of every column alone (above 0 to below 1)",
    ),
    Parameter::new(
        "select-share",
        "0.1",
        Rule::SHARE,
        "the share of each round that chooses what to measure (above 0 to below 1)",
    ),
    Parameter::new(
        "rounds",
        "auto",
        Rule::from_to(1.0, 1e6),
        "the budget of the first round is this part of what the rounds have; auto: 16 a column, 2 with delta = 0",
    ),
    Parameter::new(
        "candidates",
        "2000",
        Rule::from_to(1.0, 1e6),
        "the most tables a round chooses from; more are cut at random (1 or more)",
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
pub struct AimParams {
    /// The share of the budget for the counts of every column alone.
    pub one_share: f64,
    /// The share of each round that chooses what to measure.
    pub select_share: f64,
    /// The first round has one part of what the rounds have, in this many; `None`: from the number
    /// of columns.
    pub rounds: Option<f64>,
    /// The most tables that a round chooses from.
    pub candidates: f64,
    /// Values with a noisy count below this many standard deviations of its noise are put together.
    pub merge_threshold: f64,
}

impl Default for AimParams {
    fn default() -> Self {
        Self { one_share: 0.1, select_share: 0.1, rounds: None, candidates: 2000.0, merge_threshold: 3.0 }
    }
}
