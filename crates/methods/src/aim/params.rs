//! Parameters as typed, and as checked.

use serde::Serialize;

use super::{Aim, INFO, NAME};
use crate::settings::Settings;
use crate::{MethodError, Parameter};

pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "one-share",
        default: "0.1",
        help: "the share of the budget that buys the counts of every column alone (above 0 to below 1)",
    },
    Parameter {
        name: "select-share",
        default: "0.1",
        help: "the share of each round that chooses what to measure (above 0 to below 1)",
    },
    Parameter {
        name: "rounds",
        default: "auto",
        help: "the budget of the first round is this part of what the rounds have; auto: 16 a column, 2 with delta = 0",
    },
    Parameter {
        name: "candidates",
        default: "2000",
        help: "the most tables a round chooses from; more are cut at random (1 or more)",
    },
    Parameter {
        name: "merge-threshold",
        default: "3",
        help: "values with a noisy count below this many standard deviations are put together; 0: none",
    },
];

/// Parameters as typed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct AimParams {
    /// The share of the budget for the counts of every column alone.
    pub one_share: f64,
    /// The share of each round that chooses what to measure.
    pub select_share: f64,
    /// The first round has one in so many parts of what the rounds have; `None`: from the number of
    /// columns.
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

const SHARE_RULE: &str = "a number above 0 and below 1, such as 0.1";

fn is_share(value: f64) -> bool {
    value > 0.0 && value < 1.0
}

fn is_count(value: f64) -> bool {
    (1.0..=1e6).contains(&value)
}

fn is_threshold(value: f64) -> bool {
    (0.0..=1000.0).contains(&value)
}

impl AimParams {
    pub(super) fn read(pairs: &[(String, String)]) -> Result<Self, MethodError> {
        let settings = Settings::check(NAME, INFO.parameters, pairs)?;
        let default = Self::default();
        let count = "a number from 1 to 1000000";
        let threshold = "a number from 0 to 1000, such as 3";
        Ok(Self {
            one_share: settings.number("one-share", default.one_share, SHARE_RULE, is_share)?,
            select_share: settings.number("select-share", default.select_share, SHARE_RULE, is_share)?,
            rounds: settings.number_or_auto("rounds", count, is_count)?,
            candidates: settings.number("candidates", default.candidates, count, is_count)?,
            merge_threshold: settings.number("merge-threshold", default.merge_threshold, threshold, is_threshold)?,
        })
    }

    /// The method, when the parameters are legal.
    pub fn check(self) -> Result<Aim, MethodError> {
        let legal = is_share(self.one_share)
            && is_share(self.select_share)
            && self.rounds.is_none_or(is_count)
            && is_count(self.candidates)
            && is_threshold(self.merge_threshold);
        if legal {
            Ok(Aim { params: self })
        } else {
            Err(MethodError::Setting {
                what: format!("method {NAME}: a parameter is out of its range"),
                help: "see `lookalike methods` for what each may be".into(),
            })
        }
    }
}
