//! Parameters as typed.

use serde::{Deserialize, Serialize};

use super::consistency::Negatives;
use crate::settings::{Parameter, Rule};

pub(super) const NAME: &str = "privbayes-nist";

/// What `--set` may give.
pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter::new(
        "score-share",
        "0.2",
        Rule::SHARE,
        "the share of the budget for the scores of pairs and the number of rows (above 0, below 1)",
    ),
    Parameter::new(
        "cell-factor",
        "4",
        Rule::from_to(0.01, 1e4),
        "a table has at most n / (cell-factor x its noise) cells: larger means smaller tables",
    ),
    Parameter::new(
        "least-score",
        "0",
        Rule::from_to(0.0, 100.0),
        "a score counts when it is above this many standard deviations of its noise (0 or more)",
    ),
    Parameter::new(
        "group-width",
        "16",
        Rule::Whole(2, 65_536),
        "columns with more values than its square get levels that put this many neighbours together (2 or more)",
    ),
    Parameter::new(
        "negatives",
        "project",
        Rule::Word(&["clip", "project"]),
        "what becomes of negative cells: clip (set to 0 and rescale) or project (nearest non-negative table)",
    ),
    Parameter::new(
        "sampling",
        "without-replacement",
        Rule::Word(&["without-replacement", "with-replacement", "inconsistent"]),
        "without-replacement, with-replacement, or inconsistent (no consistency step; rows by steps back)",
    ),
];

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

/// Parameters as typed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct PrivBayesNistParams {
    /// The share of the budget for the scores and the row count.
    pub score_share: f64,
    /// A table has at most n / (this x its noise) cells.
    pub cell_factor: f64,
    /// A score counts when it is above this many standard deviations of its noise.
    pub least_score: f64,
    /// How many neighbouring values a group of the next level holds.
    pub group_width: u32,
    /// What becomes of negative cells.
    pub negatives: Negatives,
    /// How rows are made.
    pub sampling: Rows,
}

impl Default for PrivBayesNistParams {
    fn default() -> Self {
        Self {
            score_share: 0.2,
            cell_factor: 4.0,
            least_score: 0.0,
            group_width: 16,
            negatives: Negatives::Project,
            sampling: Rows::WithoutReplacement,
        }
    }
}
