//! Parameters as typed.

use crate::parameters;
use crate::settings::Rule;

pub(super) const NAME: &str = "mst";

parameters! {
    /// Parameters as typed.
    pub struct MstParams {
        /// The share of the budget that buys the counts of every column alone (above 0 to below 1).
        one_share: f64 = 1.0 / 3.0, Rule::SHARE;
        /// The share of the budget that chooses the pairs (above 0; the pairs' counts get what is
        /// left).
        select_share: f64 = 1.0 / 3.0, Rule::SHARE;
        /// Pairs are weighed by the inverse of their columns' spreads to this power; 0: as
        /// published.
        spread_power: f64 = 0.25, Rule::from_to(0.0, 1.0);
        /// Values with a noisy count below this many standard deviations are put together; 0: none.
        merge_threshold: f64 = 3.0, Rule::from_to(0.0, 1000.0);
        /// Whether numbers and dates without bins are measured on the schema's own grid and held as
        /// few groups, as in auto.
        levels: bool = false, Rule::Switch;
    }
}
