//! Parameters as typed.

use serde::{Deserialize, Serialize};

use crate::settings::{MOST_KEYS, Parameter, Rule};

pub(super) const NAME: &str = "privbayes";

/// What `--set` may give.
pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter::new(
        "score",
        "auto",
        Rule::Word(&["auto", "i", "f", "r"]),
        "what parents are chosen by: r, f (columns of two values), i (replace-one only), or auto: f where it can be",
    ),
    Parameter::new(
        "encoding",
        "vanilla",
        Rule::Word(&["vanilla", "binary"]),
        "the network's attributes: vanilla (columns) or binary (their bits)",
    ),
    Parameter::new(
        "bins",
        "16",
        Rule::Whole(2, 1_000_000),
        "with bits: a column with an order and more values than this is first cut into so many equal bins",
    ),
    Parameter::new("beta", "0.5", Rule::SHARE, "the share of the budget for choosing the network (between 0 and 1)"),
    Parameter::new(
        "theta",
        "4",
        Rule::ABOVE_0,
        "a table is used while its average cell holds this many times the expected noise",
    ),
    Parameter::new(
        "order",
        "private",
        Rule::Word(&["private", "given"]),
        "the attributes' order: private (chosen with the parents) or given (the schema's)",
    ),
    Parameter::new(
        "degree",
        "auto",
        Rule::Whole(0, 30),
        "the most parents of an attribute; auto: as many as theta allows",
    ),
    Parameter::new(
        "negatives",
        "l2",
        Rule::Word(&["l2", "clamp"]),
        "negative noisy counts: l2 (nearest possible table) or clamp (cut to 0)",
    ),
    Parameter::new("candidates", "10000", Rule::Whole(2, 1_000_000), "the most candidates of one selection"),
    Parameter::new(
        "count-share",
        "0.01",
        Rule::SHARE,
        "the share of epsilon that buys the number of rows (not used when the number is public)",
    ),
    Parameter::new(
        "shuffle",
        "0",
        Rule::Whole(0, MOST_KEYS),
        "another number picks another first attribute and other candidates where there are too many",
    ),
];

/// What parent sets are chosen by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// The columns as they are.
    Vanilla,
    /// The bits of the columns' codes.
    Binary,
}

/// The order of the attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Chosen with the parents, one attribute a round.
    Private,
    /// The schema's own.
    Given,
}

/// What is done with negative noisy counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Negatives {
    /// The nearest table that counts could be, in squared distance.
    L2,
    /// Cut to 0, then scaled.
    Clamp,
}

/// Parameters as typed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct PrivBayesParams {
    /// What parent sets are chosen by.
    pub score: Scoring,
    /// What the attributes of the network are.
    pub encoding: Encoding,
    /// With bits: columns with an order and more values than this are first cut into this many
    /// equal bins.
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
