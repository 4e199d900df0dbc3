//! Parameters as typed.

use crate::parameters;
use crate::settings::Rule;

pub(super) const NAME: &str = "aim";

parameters! {
    /// Parameters as typed.
    pub struct AimParams {
        /// The share of the budget that buys the counts of every column alone (above 0 to below 1).
        one_share: f64 = 0.1, Rule::SHARE;
        /// The share of each round that chooses what to measure (above 0 to below 1).
        select_share: f64 = 0.1, Rule::SHARE;
        /// The budget of the first round is this part of what the rounds have; auto: 16 a column, 2
        /// with delta = 0.
        rounds: Option<f64> = None, Rule::from_to(1.0, 1e6);
        /// The most tables a round chooses from; more are cut at random (1 or more).
        candidates: f64 = 2000.0, Rule::from_to(1.0, 1e6);
        /// Values with a noisy count below this many standard deviations are put together; 0: none.
        merge_threshold: f64 = 3.0, Rule::from_to(0.0, 1000.0);
        /// Whether numbers and dates without bins are measured on the schema's own grid and held as
        /// few groups, as in auto.
        levels: bool = false, Rule::Switch;
    }
}
