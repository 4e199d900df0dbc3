//! Parameters as typed.

use std::ops::Bound;

use crate::parameters;
use crate::settings::Rule;

pub(super) const NAME: &str = "independent";

parameters! {
    /// Parameters as typed.
    pub struct IndependentParams {
        /// The share of the budget that buys the number of rows (0 to below 1; not used when the
        /// number is public).
        count_share: f64 = 0.01, Rule::Number(Bound::Included(0.0), Bound::Excluded(1.0));
    }
}
