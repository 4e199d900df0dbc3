//! Parameters as typed.

use std::ops::Bound;

use serde::{Deserialize, Serialize};

use crate::settings::{Parameter, Rule};

pub(super) const NAME: &str = "independent";

/// What `--set` may give.
pub(super) const PARAMETERS: &[Parameter] = &[Parameter::new(
    "count-share",
    "0.01",
    Rule::Number(Bound::Included(0.0), Bound::Excluded(1.0)),
    "the share of the budget that buys the number of rows (0 to below 1; not used when the number is public)",
)];

/// Parameters as typed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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
