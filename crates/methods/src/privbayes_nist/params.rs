//! Parameters, as typed and checked.

use serde::Serialize;

use super::{NAME, PrivBayesNist};
use crate::settings::Settings;
use crate::{MethodError, Parameter};

pub use super::consistency::Negatives;

/// How rows are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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

/// The list of parameters, with their defaults.
pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "score-share",
        default: "0.2",
        help: "the share of the budget for the scores of pairs and the number of rows (above 0, below 1)",
    },
    Parameter {
        name: "cell-factor",
        default: "4",
        help: "a table has at most n / (cell-factor x its noise) cells: larger means smaller tables",
    },
    Parameter {
        name: "least-score",
        default: "0",
        help: "a score counts when it is above this many standard deviations of its noise (0 or more)",
    },
    Parameter {
        name: "group-width",
        default: "16",
        help: "columns with more values than its square get levels that put this many neighbours together (2 or more)",
    },
    Parameter {
        name: "negatives",
        default: "project",
        help: "what becomes of negative cells: clip (set to 0 and rescale) or project (nearest non-negative table)",
    },
    Parameter {
        name: "sampling",
        default: "without-replacement",
        help: "without-replacement, with-replacement, or inconsistent (no consistency step; rows by steps back)",
    },
];

const SHARE_RULE: &str = "a number above 0 and below 1, such as 0.2";
const FACTOR_RULE: &str = "a number from 0.01 to 10000, such as 4";
const LEAST_RULE: &str = "a number from 0 to 100";
const WIDTH_RULE: &str = "a whole number from 2 to 65536, such as 16";

impl PrivBayesNistParams {
    fn share(share: f64) -> bool {
        share > 0.0 && share < 1.0
    }

    fn factor(factor: f64) -> bool {
        (0.01..=1e4).contains(&factor)
    }

    fn least(least: f64) -> bool {
        (0.0..=100.0).contains(&least)
    }

    fn width(width: f64) -> bool {
        width.fract() == 0.0 && (2.0..=65536.0).contains(&width)
    }

    /// Reads settings. A name or a value that does not do is refused.
    pub(super) fn read(pairs: &[(String, String)]) -> Result<Self, MethodError> {
        let settings = Settings::check(NAME, PARAMETERS, pairs)?;
        let usual = Self::default();
        let width = settings.number("group-width", f64::from(usual.group_width), WIDTH_RULE, Self::width)?;
        let negatives = match settings.word("negatives", &["clip", "project"])? {
            Some("project") => Negatives::Project,
            Some(_) => Negatives::Clip,
            None => usual.negatives,
        };
        let words = ["without-replacement", "with-replacement", "inconsistent"];
        let sampling = match settings.word("sampling", &words)? {
            Some("with-replacement") => Rows::WithReplacement,
            Some("inconsistent") => Rows::Inconsistent,
            Some(_) => Rows::WithoutReplacement,
            None => usual.sampling,
        };
        Ok(Self {
            score_share: settings.number("score-share", usual.score_share, SHARE_RULE, Self::share)?,
            cell_factor: settings.number("cell-factor", usual.cell_factor, FACTOR_RULE, Self::factor)?,
            least_score: settings.number("least-score", usual.least_score, LEAST_RULE, Self::least)?,
            group_width: width as u32,
            negatives,
            sampling,
        })
    }

    /// The method, when the parameters are legal.
    pub fn check(self) -> Result<PrivBayesNist, MethodError> {
        let refuse = |name: &str, value: f64, rule: &str| MethodError::Setting {
            what: format!("method {NAME}: {name} = {value} does not do"),
            help: format!("give {rule}"),
        };
        if !Self::share(self.score_share) {
            return Err(refuse("score-share", self.score_share, SHARE_RULE));
        }
        if !Self::factor(self.cell_factor) {
            return Err(refuse("cell-factor", self.cell_factor, FACTOR_RULE));
        }
        if !Self::least(self.least_score) {
            return Err(refuse("least-score", self.least_score, LEAST_RULE));
        }
        if !Self::width(f64::from(self.group_width)) {
            return Err(refuse("group-width", f64::from(self.group_width), WIDTH_RULE));
        }
        Ok(PrivBayesNist { params: self })
    }
}
