//! Parameters as typed.

use serde::{Deserialize, Serialize};

use crate::parameters;
use crate::settings::{MOST_KEYS, Rule};

pub(super) const NAME: &str = "privbayes";

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

parameters! {
    /// Parameters as typed.
    pub struct PrivBayesParams {
        /// What parents are chosen by: r, f (columns of two values), i (replace-one only), or auto:
        /// f where it can be.
        score: Scoring = Scoring::Auto, Rule::Word(&["auto", "i", "f", "r"]);
        /// The network's attributes: vanilla (columns) or binary (their bits).
        encoding: Encoding = Encoding::Vanilla, Rule::Word(&["vanilla", "binary"]);
        /// With bits: a column with an order and more values than this is first cut into this
        /// number of equal bins.
        bins: u32 = 16, Rule::Whole(2, 1_000_000);
        /// The share of the budget for choosing the network (between 0 and 1).
        beta: f64 = 0.5, Rule::SHARE;
        /// A table is used while its average cell holds this many times the expected noise.
        theta: f64 = 4.0, Rule::ABOVE_0;
        /// The attributes' order: private (chosen with the parents) or given (the schema's).
        order: Order = Order::Private, Rule::Word(&["private", "given"]);
        /// The most parents of an attribute; auto: as many as theta allows.
        degree: Option<u32> = None, Rule::Whole(0, 30);
        /// Negative noisy counts: l2 (nearest possible table) or clamp (cut to 0).
        negatives: Negatives = Negatives::L2, Rule::Word(&["l2", "clamp"]);
        /// The most candidates of one selection.
        candidates: u32 = 10_000, Rule::Whole(2, 1_000_000);
        /// The share of epsilon that buys the number of rows (not used when the number is public).
        count_share: f64 = 0.01, Rule::SHARE;
        /// Another number picks another first attribute and other candidates where there are too
        /// many.
        shuffle: u64 = 0, Rule::Whole(0, MOST_KEYS);
    }
}
