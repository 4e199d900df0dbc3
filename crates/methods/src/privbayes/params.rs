//! Parameters as typed, and as checked.

use serde::Serialize;

use super::{INFO, NAME, PrivBayes};
use crate::MethodError;
use crate::settings::Settings;

/// What parent sets are chosen by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scoring {
    /// F when every attribute of the network has two values, else R.
    Auto,
    /// Mutual information. Needs a public row count (replace-one).
    #[serde(rename = "i")]
    Information,
    /// The distance to the nearest maximum joint distribution. Attributes of two values only.
    #[serde(rename = "f")]
    MaximumJoint,
    /// The distance from independence.
    #[serde(rename = "r")]
    Dependence,
}

/// What the attributes of the network are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// The columns as they are.
    Vanilla,
    /// The bits of the columns' codes.
    Binary,
}

/// The order of the attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Chosen with the parents, one attribute a round.
    Private,
    /// The schema's own.
    Given,
}

/// What is done with negative noisy counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Negatives {
    /// The nearest table that counts could be, in squared distance.
    L2,
    /// Cut to 0, then scaled.
    Clamp,
}

/// Parameters as typed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct PrivBayesParams {
    /// What parent sets are chosen by.
    pub score: Scoring,
    /// What the attributes of the network are.
    pub encoding: Encoding,
    /// With bits: columns with an order and more values than this are first cut into so many equal
    /// bins.
    pub bins: u32,
    /// The share of the budget for choosing the network; the marginals get the rest.
    pub beta: f64,
    /// How many times the expected noise the average cell of a table must hold.
    pub theta: f64,
    /// The order of the attributes.
    pub order: Order,
    /// The most parents of an attribute; `None`: as many as `theta` allows.
    pub degree: Option<u32>,
    /// What is done with negative noisy counts.
    pub negatives: Negatives,
    /// The most candidates of one selection.
    pub candidates: u32,
    /// The share of epsilon that buys the number of rows, where it is not public.
    pub count_share: f64,
    /// Keys the public generator that picks the first attribute and thins out candidates.
    pub shuffle: u64,
}

impl Default for PrivBayesParams {
    fn default() -> Self {
        Self {
            score: Scoring::Auto,
            encoding: Encoding::Vanilla,
            bins: 16,
            beta: 0.5,
            theta: 4.0,
            order: Order::Private,
            degree: None,
            negatives: Negatives::L2,
            candidates: 10_000,
            count_share: 0.01,
            shuffle: 0,
        }
    }
}

const BETWEEN: &str = "a number between 0 and 1, such as 0.5";
const THETA: &str = "a number above 0, such as 4";
const BINS: &str = "a whole number from 2 to 1000000";
const DEGREE: &str = "auto, or a whole number from 0 to 30";
const CANDIDATES: &str = "a whole number from 2 to 1000000";
const SHUFFLE: &str = "a whole number, such as 1";

fn between(share: f64) -> bool {
    share > 0.0 && share < 1.0
}

fn above(theta: f64) -> bool {
    theta.is_finite() && theta > 0.0
}

fn whole(number: f64, from: f64, to: f64) -> bool {
    number.fract() == 0.0 && (from..=to).contains(&number)
}

impl PrivBayesParams {
    pub(super) fn read(pairs: &[(String, String)]) -> Result<Self, MethodError> {
        let settings = Settings::check(NAME, INFO.parameters, pairs)?;
        let plain = Self::default();
        let score = match settings.word("score", &["auto", "i", "f", "r"])? {
            Some("i") => Scoring::Information,
            Some("f") => Scoring::MaximumJoint,
            Some("r") => Scoring::Dependence,
            _ => plain.score,
        };
        let encoding = match settings.word("encoding", &["vanilla", "binary"])? {
            Some("binary") => Encoding::Binary,
            _ => plain.encoding,
        };
        let order = match settings.word("order", &["private", "given"])? {
            Some("given") => Order::Given,
            _ => plain.order,
        };
        let negatives = match settings.word("negatives", &["l2", "clamp"])? {
            Some("clamp") => Negatives::Clamp,
            _ => plain.negatives,
        };
        let degree = match settings.word("degree", &["auto"]) {
            Ok(_) => None,
            Err(_) => Some(settings.number("degree", 0.0, DEGREE, |k| whole(k, 0.0, 30.0))? as u32),
        };
        let number = |name, default, rule, legal| settings.number(name, default, rule, legal);
        Ok(Self {
            score,
            encoding,
            bins: number("bins", plain.bins.into(), BINS, |bins| whole(bins, 2.0, 1e6))? as u32,
            beta: number("beta", plain.beta, BETWEEN, between)?,
            theta: number("theta", plain.theta, THETA, above)?,
            order,
            degree,
            negatives,
            candidates: number("candidates", plain.candidates.into(), CANDIDATES, |c| whole(c, 2.0, 1e6))? as u32,
            count_share: number("count-share", plain.count_share, BETWEEN, between)?,
            shuffle: number("shuffle", 0.0, SHUFFLE, |key| whole(key, 0.0, 9e15))? as u64,
        })
    }

    /// The method, when the parameters are legal.
    pub fn check(self) -> Result<PrivBayes, MethodError> {
        let rules = [
            ("bins", BINS, (2..=1_000_000).contains(&self.bins)),
            ("beta", BETWEEN, between(self.beta)),
            ("theta", THETA, above(self.theta)),
            ("degree", DEGREE, self.degree.is_none_or(|degree| degree <= 30)),
            ("candidates", CANDIDATES, (2..=1_000_000).contains(&self.candidates)),
            ("count-share", BETWEEN, between(self.count_share)),
        ];
        match rules.iter().find(|(_, _, legal)| !legal) {
            None => Ok(PrivBayes { params: self }),
            Some((name, rule, _)) => Err(MethodError::Setting {
                what: format!("method {NAME}: this {name} does not do"),
                help: format!("give {rule}"),
            }),
        }
    }
}
