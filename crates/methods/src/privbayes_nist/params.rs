//! Parameters as typed.

use serde::{Deserialize, Serialize};

use super::consistency::{Negatives, Variances};
use crate::parameters;
use crate::settings::Rule;

pub(super) const NAME: &str = "privbayes-nist";

/// How rows are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rows {
    /// From consistent tables, counts rounded rather than drawn.
    WithoutReplacement,
    /// From consistent tables, every row by itself.
    WithReplacement,
    /// From tables that were not made consistent: rows are drawn from their integer histograms with
    /// steps back from empty ones, and the model holds what these rows say.
    Inconsistent,
}

parameters! {
    /// Parameters as typed.
    pub struct PrivBayesNistParams {
        /// The share of the budget for the scores of pairs and the number of rows (above 0, below
        /// 1).
        score_share: f64 = 0.2, Rule::SHARE;
        /// A table has at most n / (cell-factor x its noise) cells: larger means smaller tables.
        cell_factor: f64 = 4.0, Rule::from_to(0.01, 1e4);
        /// A score counts when it is above this many standard deviations of its noise (0 or more).
        least_score: f64 = 0.0, Rule::from_to(0.0, 100.0);
        /// Columns with more values than its square get levels that put this many neighbours
        /// together (2 or more).
        group_width: u32 = 16, Rule::Whole(2, 65_536);
        /// What becomes of negative cells: clip (set to 0 and rescale) or project (the nearest
        /// table without any).
        negatives: Negatives = Negatives::Project, Rule::Word(&["clip", "project"]);
        /// What tables are weighed by when they are averaged: measured (the noise as it was drawn)
        /// or updated (equation 3.3, after every set of columns).
        variances: Variances = Variances::Measured, Rule::Word(&["measured", "updated"]);
        /// Without-replacement, with-replacement, or inconsistent (no consistency step; rows by
        /// steps back).
        sampling: Rows = Rows::WithoutReplacement, Rule::Word(&["without-replacement", "with-replacement", "inconsistent"]);
    }
}
