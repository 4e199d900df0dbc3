//! Parameters as typed.

use serde::{Deserialize, Serialize};

use crate::privbayes::PrivBayesParams;
use crate::privbayes_nist::PrivBayesNistParams;
use crate::settings::{MOST_KEYS, Parameter, Rule};

pub(super) const NAME: &str = "pb-pgm";

/// What `--set` may give.
pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter::new(
        "marginals",
        "privbayes",
        Rule::Word(&["privbayes", "privbayes-nist"]),
        "whose marginals: privbayes (parents by private selections) or privbayes-nist (from noisy scores)",
    ),
    Parameter::new(
        "beta",
        "0.3",
        Rule::SHARE,
        "with privbayes: the share of the budget for choosing the network (between 0 and 1)",
    ),
    Parameter::new(
        "theta",
        "4",
        Rule::ABOVE_0,
        "with privbayes: a table is used while its average cell holds this many times the expected noise",
    ),
    Parameter::new(
        "score-share",
        "0.2",
        Rule::SHARE,
        "with privbayes-nist: the share of the budget for the scores of pairs and the number of rows",
    ),
    Parameter::new(
        "cell-factor",
        "4",
        Rule::from_to(0.01, 1e4),
        "with privbayes-nist: a table has at most n / (cell-factor x its noise) cells",
    ),
    Parameter::new(
        "shuffle",
        "0",
        Rule::Whole(0, MOST_KEYS),
        "with privbayes: another number picks another first attribute and other candidates",
    ),
];

/// Whose marginals are fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MarginalSource {
    /// Those of `privbayes`.
    #[serde(rename = "privbayes")]
    PrivBayes,
    /// Those of `privbayes-nist`, without levels of columns.
    #[serde(rename = "privbayes-nist")]
    Nist,
}

/// Parameters as typed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct PbPgmParams {
    /// Whose marginals are fitted.
    #[serde(rename = "marginals")]
    pub source: MarginalSource,
    /// Of `privbayes`: the share of the budget for choosing the network.
    pub beta: f64,
    /// Of `privbayes`: how many times the expected noise the average cell of a table must hold.
    pub theta: f64,
    /// Of `privbayes-nist`: the share of the budget for the scores and the row count.
    pub score_share: f64,
    /// Of `privbayes-nist`: a table has at most n / (this x its noise) cells.
    pub cell_factor: f64,
    /// Of `privbayes`: keys the public generator.
    pub shuffle: u64,
}

impl Default for PbPgmParams {
    fn default() -> Self {
        Self {
            source: MarginalSource::PrivBayes,
            beta: 0.3,
            theta: 4.0,
            score_share: 0.2,
            cell_factor: 4.0,
            shuffle: 0,
        }
    }
}

impl PbPgmParams {
    /// The parameters of the method that chooses.
    pub(super) fn privbayes(&self) -> PrivBayesParams {
        PrivBayesParams { beta: self.beta, theta: self.theta, shuffle: self.shuffle, ..PrivBayesParams::default() }
    }

    /// The parameters of the method that chooses.
    pub(super) fn nist(&self) -> PrivBayesNistParams {
        let usual = PrivBayesNistParams::default();
        PrivBayesNistParams { score_share: self.score_share, cell_factor: self.cell_factor, ..usual }
    }
}
