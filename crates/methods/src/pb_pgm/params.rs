//! Parameters as typed.

use serde::{Deserialize, Serialize};

use crate::parameters;
use crate::privbayes::PrivBayesParams;
use crate::privbayes_nist::PrivBayesNistParams;
use crate::settings::{MOST_KEYS, Rule};

pub(super) const NAME: &str = "pb-pgm";

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

parameters! {
    /// Parameters as typed.
    pub struct PbPgmParams {
        /// Whose marginals: privbayes (parents by private selections) or privbayes-nist (from noisy
        /// scores).
        marginals: MarginalSource = MarginalSource::PrivBayes, Rule::Word(&["privbayes", "privbayes-nist"]);
        /// With privbayes: the share of the budget for choosing the network (between 0 and 1).
        beta: f64 = 0.3, Rule::SHARE;
        /// With privbayes: a table is used while its average cell holds this many times the
        /// expected noise.
        theta: f64 = 4.0, Rule::ABOVE_0;
        /// With privbayes-nist: the share of the budget for the scores of pairs and the number of
        /// rows.
        score_share: f64 = 0.2, Rule::SHARE;
        /// With privbayes-nist: a table has at most n / (cell-factor x its noise) cells.
        cell_factor: f64 = 4.0, Rule::from_to(0.01, 1e4);
        /// With privbayes: another number picks another first attribute and other candidates.
        shuffle: u64 = 0, Rule::Whole(0, MOST_KEYS);
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
