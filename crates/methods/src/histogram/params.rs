//! Parameters as typed.

use crate::parameters;
use crate::settings::Rule;

pub(super) const NAME: &str = "histogram";

parameters! {
    /// Parameters as typed.
    pub struct HistogramParams {
        /// The largest share of uniform rows to accept (above 0, at most 1; auto: what rows and
        /// epsilon leave, 0.5 without a number of rows).
        // The largest smoothing to accept. The whole budget is spent, so the smoothing in use is
        // the least that the rows and epsilon allow; a limit below that is refused. `None`: no
        // limit where the number of rows is given, otherwise as many rows as a smoothing of one
        // half allows.
        smoothing: Option<f64> = None, Rule::from_to(1e-9, 1.0);
    }
}
