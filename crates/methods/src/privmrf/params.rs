//! Parameters as typed.

use std::ops::Bound;

use serde::{Deserialize, Serialize};

use crate::parameters;
use crate::settings::{MOST_KEYS, Rule};

pub(super) const NAME: &str = "privmrf";

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
    /// The same with each pair of the other columns counted twice, as printed; the authors' program
    /// counts it once.
    RhoPrinted,
    /// The sum of the column's scores with the others: as many related columns as are useful
    /// together.
    Sum,
}

parameters! {
    /// Parameters as typed.
    pub struct PrivMrfParams {
        /// The share of the budget for every column alone, so that rare values can be put together
        /// (0: as published).
        ones_share: f64 = 0.1, Rule::Number(Bound::Included(0.0), Bound::Excluded(1.0));
        /// Values with a noisy count below this many standard deviations of the noise are put
        /// together.
        merge: f64 = 3.0, Rule::Number(Bound::Included(0.0), Bound::Unbounded);
        /// The share of the budget for the scores of all pairs.
        score_share: f64 = 0.02, Rule::SHARE;
        /// The share of the budget for the number of rows (used when ones-share is 0 and the number
        /// is not public).
        count_share: f64 = 0.01, Rule::SHARE;
        /// The share of the budget for choosing marginals; the marginals themselves get the rest.
        select_share: f64 = 0.05, Rule::SHARE;
        /// Rounds for each column, rounded down.
        rounds: f64 = 2.0, Rule::from_to(0.0, 100.0);
        /// Candidates of a round, drawn at random.
        candidates: u32 = 400, Rule::Whole(1, 100_000);
        /// A first marginal may be as large as leaves this many times the expected noise in its
        /// average cell.
        theta: f64 = 4.0, Rule::ABOVE_0;
        /// The same for the marginals of the rounds (the paper has one theta for both).
        round_theta: f64 = 2.0, Rule::ABOVE_0;
        /// The most cells of a clique of the graph.
        clique_cells: f64 = 1e7, Rule::from_to(2.0, 1e9);
        /// The most cells of all cliques together.
        total_cells: f64 = 5e7, Rule::from_to(2.0, 1e9);
        /// The most columns of a marginal.
        width: u32 = 64, Rule::Whole(2, 64);
        /// What the first marginals are chosen by: rho (equation 8), rho-printed (the same with
        /// each pair of other columns counted twice) or sum (of the column's scores).
        first: First = First::Rho, Rule::Word(&["rho", "rho-printed", "sum"]);
        /// How a round chooses: exponential (one draw) or gaussian (as published: noise on every
        /// candidate).
        choice: Choice = Choice::Exponential, Rule::Word(&["exponential", "gaussian"]);
        /// How much of the expected noise is taken off a candidate's distance (with choice
        /// exponential).
        penalty: f64 = 1.0, Rule::from_to(0.0, 10.0);
        /// Another number draws other candidates.
        shuffle: u64 = 0, Rule::Whole(0, MOST_KEYS);
        /// Whether numbers and dates without bins are measured on the schema's own grid and held as
        /// few groups, as in auto.
        levels: bool = false, Rule::Switch;
    }
}
