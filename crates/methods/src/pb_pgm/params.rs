//! Parameters as typed, and their check.

use serde::Serialize;

use super::{INFO, NAME, PbPgm};
use crate::MethodError;
use crate::privbayes::PrivBayesParams;
use crate::privbayes_nist::PrivBayesNistParams;
use crate::settings::Settings;

/// Whose marginals are fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// Those of `privbayes`.
    #[serde(rename = "privbayes")]
    PrivBayes,
    /// Those of `privbayes-nist`, without levels of columns.
    #[serde(rename = "privbayes-nist")]
    Nist,
}

/// Parameters as typed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct PbPgmParams {
    /// Whose marginals are fitted.
    #[serde(rename = "marginals")]
    pub source: Source,
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
        Self { source: Source::PrivBayes, beta: 0.3, theta: 4.0, score_share: 0.2, cell_factor: 4.0, shuffle: 0 }
    }
}

const BETWEEN: &str = "a number between 0 and 1, such as 0.3";
const THETA: &str = "a number above 0, such as 4";
const FACTOR: &str = "a number from 0.01 to 10000, such as 4";
const SHUFFLE: &str = "a whole number, such as 1";

fn between(share: f64) -> bool {
    share > 0.0 && share < 1.0
}

fn above(theta: f64) -> bool {
    theta.is_finite() && theta > 0.0
}

fn factor(factor: f64) -> bool {
    (0.01..=1e4).contains(&factor)
}

impl PbPgmParams {
    pub(super) fn read(pairs: &[(String, String)]) -> Result<Self, MethodError> {
        let settings = Settings::check(NAME, INFO.parameters, pairs)?;
        let plain = Self::default();
        let source = match settings.word("marginals", &["privbayes", "privbayes-nist"])? {
            Some("privbayes-nist") => Source::Nist,
            _ => plain.source,
        };
        let whole = |key: f64| key.fract() == 0.0 && (0.0..=9e15).contains(&key);
        Ok(Self {
            source,
            beta: settings.number("beta", plain.beta, BETWEEN, between)?,
            theta: settings.number("theta", plain.theta, THETA, above)?,
            score_share: settings.number("score-share", plain.score_share, BETWEEN, between)?,
            cell_factor: settings.number("cell-factor", plain.cell_factor, FACTOR, factor)?,
            shuffle: settings.number("shuffle", 0.0, SHUFFLE, whole)? as u64,
        })
    }

    /// The method, when the parameters are legal.
    pub fn check(self) -> Result<PbPgm, MethodError> {
        let rules = [
            ("beta", BETWEEN, between(self.beta)),
            ("theta", THETA, above(self.theta)),
            ("score-share", BETWEEN, between(self.score_share)),
            ("cell-factor", FACTOR, factor(self.cell_factor)),
        ];
        match rules.iter().find(|(_, _, legal)| !legal) {
            None => Ok(PbPgm { params: self }),
            Some((name, rule, _)) => Err(MethodError::Setting {
                what: format!("method {NAME}: this {name} does not do"),
                help: format!("give {rule}"),
            }),
        }
    }

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
