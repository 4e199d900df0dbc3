//! Parameters as typed.

use std::ops::Bound;

use serde::{Deserialize, Serialize};

use crate::settings::{MOST_KEYS, Parameter, Rule};

pub(super) const NAME: &str = "privmrf";

/// What `--set` may give.
pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter::new(
        "ones-share",
        "0.1",
        Rule::Number(Bound::Included(0.0), Bound::Excluded(1.0)),
        "the share of the budget for every column alone, so that rare values can be put together (0: as published)",
    ),
    Parameter::new(
        "merge",
        "3",
        Rule::Number(Bound::Included(0.0), Bound::Unbounded),
        "values with a noisy count below this many standard deviations of the noise are put together",
    ),
    Parameter::new("score-share", "0.02", Rule::SHARE, "the share of the budget for the scores of all pairs"),
    Parameter::new(
        "count-share",
        "0.01",
        Rule::SHARE,
        "the share of the budget for the number of rows (used when ones-share is 0 and the number is not public)",
    ),
    Parameter::new(
        "select-share",
        "0.05",
        Rule::SHARE,
        "the share of the budget for choosing marginals; the marginals themselves get the rest",
    ),
    Parameter::new("rounds", "2", Rule::from_to(0.0, 100.0), "rounds for each column, rounded down"),
    Parameter::new("candidates", "400", Rule::Whole(1, 100_000), "candidates of a round, drawn at random"),
    Parameter::new(
        "theta",
        "4",
        Rule::ABOVE_0,
        "a first marginal may be as large as leaves this many times the expected noise in its average cell",
    ),
    Parameter::new(
        "round-theta",
        "2",
        Rule::ABOVE_0,
        "the same for the marginals of the rounds (the paper has one theta for both)",
    ),
    Parameter::new("clique-cells", "1e7", Rule::from_to(2.0, 1e9), "the most cells of a clique of the graph"),
    Parameter::new("total-cells", "5e7", Rule::from_to(2.0, 1e9), "the most cells of all cliques together"),
    Parameter::new("width", "64", Rule::Whole(2, 64), "the most columns of a marginal"),
    Parameter::new(
        "first",
        "rho",
        Rule::Word(&["rho", "sum"]),
        "what the first marginals are chosen by: rho (equation 8) or sum (of the column's scores)",
    ),
    Parameter::new(
        "choice",
        "exponential",
        Rule::Word(&["exponential", "gaussian"]),
        "how a round chooses: exponential (one draw) or gaussian (as published: noise on every candidate)",
    ),
    Parameter::new(
        "penalty",
        "1",
        Rule::from_to(0.0, 10.0),
        "how much of the expected noise is taken off a candidate's distance (with choice exponential)",
    ),
    Parameter::new("shuffle", "0", Rule::Whole(0, MOST_KEYS), "another number draws other candidates"),
];

/// How a round's marginal is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// By the exponential mechanism: one draw, whatever the number of candidates.
    Exponential,
    /// As published: Gaussian noise on every candidate's distance, each of them paid for; the
    /// largest wins.
    Gaussian,
}

/// What the first marginals are chosen by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum First {
    /// As published: equation 8, which holds relations among the other columns against a set.
    Rho,
    /// The sum of the column's scores with the others: as many related columns as are useful
    /// together.
    Sum,
}

/// Parameters as typed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct PrivMrfParams {
    /// The share of the budget for every column alone, before anything else; 0: as published,
    /// nothing.
    pub ones_share: f64,
    /// Values with a noisy count below this many standard deviations are put together. Needs the
    /// columns' own counts.
    pub merge: f64,
    /// The share of the budget for the R-scores of all pairs.
    pub score_share: f64,
    /// The share of the budget that buys the number of rows, where no column is counted and the
    /// number is not public.
    pub count_share: f64,
    /// The share of the budget for choosing the marginals of the rounds; the marginals get the
    /// rest.
    pub select_share: f64,
    /// Rounds for each column, t / d.
    pub rounds: f64,
    /// Candidates a round, k.
    pub candidates: u32,
    /// How many times the expected noise the average cell of a first marginal must hold.
    pub theta: f64,
    /// The same for the marginals of the rounds, whose noise is taken off their distance.
    pub round_theta: f64,
    /// The most cells of a clique of the graph, tau_c.
    pub clique_cells: f64,
    /// The most cells of all cliques together.
    pub total_cells: f64,
    /// The most columns of a marginal.
    pub width: u32,
    /// What the first marginals are chosen by.
    pub first: First,
    /// How a round's marginal is chosen.
    pub choice: Choice,
    /// How much of the expected noise of a measurement is taken off a candidate's distance; 0: as
    /// published, nothing.
    pub penalty: f64,
    /// Keys the public generator that draws the candidates.
    pub shuffle: u64,
}

impl Default for PrivMrfParams {
    fn default() -> Self {
        Self {
            ones_share: 0.1,
            merge: 3.0,
            score_share: 0.02,
            count_share: 0.01,
            select_share: 0.05,
            rounds: 2.0,
            candidates: 400,
            theta: 4.0,
            round_theta: 2.0,
            clique_cells: 1e7,
            total_cells: 5e7,
            width: 64,
            first: First::Rho,
            choice: Choice::Exponential,
            penalty: 1.0,
            shuffle: 0,
        }
    }
}
