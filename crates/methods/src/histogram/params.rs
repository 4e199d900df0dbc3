//! Parameters as typed.

use serde::{Deserialize, Serialize};

use crate::settings::{Parameter, Rule};

pub(super) const NAME: &str = "histogram";

/// What `--set` may give.
pub(super) const PARAMETERS: &[Parameter] = &[Parameter::new(
    "smoothing",
    "auto",
    Rule::from_to(1e-9, 1.0),
    "the largest share of uniform rows to accept (above 0, at most 1; auto: what rows and epsilon leave, 0.5 without a number of rows)",
)];

/// Parameters as typed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct HistogramParams {
    /// The largest smoothing to accept. The whole budget is spent, so the smoothing in use is the
    /// least that the rows and epsilon allow; a limit below that is refused. `None`: no limit where
    /// the number of rows is given, otherwise as many rows as a smoothing of one half allows.
    pub smoothing: Option<f64>,
}
