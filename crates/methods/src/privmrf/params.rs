//! Parameters as typed, and their check.

use serde::Serialize;

use super::{INFO, NAME, PrivMrf};
use crate::MethodError;
use crate::settings::Settings;

/// How a round's marginal is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// By the exponential mechanism: one draw, whatever the number of candidates.
    Exponential,
    /// As published: Gaussian noise on every candidate's distance, each of them paid for; the
    /// largest wins.
    Gaussian,
}

/// What the first marginals are chosen by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum First {
    /// As published: equation 8, which holds relations among the other columns against a set.
    Rho,
    /// The sum of the column's scores with the others: as many related columns as are useful
    /// together.
    Sum,
}

/// Parameters as typed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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

const SHARE: &str = "a number between 0 and 1, such as 0.1; all shares together must stay below 1";
const PART: &str = "a number from 0 to below 1, such as 0.1; all shares together must stay below 1";
const MERGE: &str = "a number, 0 or above, such as 3";
const ROUNDS: &str = "a number from 0 to 100, such as 0.8";
const CANDIDATES: &str = "a whole number from 1 to 100000";
const THETA: &str = "a number above 0, such as 6";
const CELLS: &str = "a number from 2 to 1e9, such as 1e7";
const WIDTH: &str = "a whole number from 2 to 64";
const PENALTY: &str = "a number from 0 to 10, such as 1";
const SHUFFLE: &str = "a whole number, such as 1";

fn share(share: f64) -> bool {
    share > 0.0 && share < 1.0
}

fn part(share: f64) -> bool {
    (0.0..1.0).contains(&share)
}

fn whole(number: f64, from: f64, to: f64) -> bool {
    number.fract() == 0.0 && (from..=to).contains(&number)
}

fn merge(sigmas: f64) -> bool {
    sigmas.is_finite() && sigmas >= 0.0
}

fn rounds(rounds: f64) -> bool {
    (0.0..=100.0).contains(&rounds)
}

fn above(theta: f64) -> bool {
    theta.is_finite() && theta > 0.0
}

fn penalty(times: f64) -> bool {
    (0.0..=10.0).contains(&times)
}

fn cells(cells: f64) -> bool {
    (2.0..=1e9).contains(&cells)
}

impl PrivMrfParams {
    pub(super) fn read(pairs: &[(String, String)]) -> Result<Self, MethodError> {
        let settings = Settings::check(NAME, INFO.parameters, pairs)?;
        let plain = Self::default();
        let number = |name, default, rule, legal| settings.number(name, default, rule, legal);
        let choice = match settings.word("choice", &["exponential", "gaussian"])? {
            Some("gaussian") => Choice::Gaussian,
            Some(_) => Choice::Exponential,
            None => plain.choice,
        };
        let first = match settings.word("first", &["rho", "sum"])? {
            Some("sum") => First::Sum,
            Some(_) => First::Rho,
            None => plain.first,
        };
        Ok(Self {
            ones_share: number("ones-share", plain.ones_share, PART, part)?,
            merge: number("merge", plain.merge, MERGE, merge)?,
            score_share: number("score-share", plain.score_share, SHARE, share)?,
            count_share: number("count-share", plain.count_share, SHARE, share)?,
            select_share: number("select-share", plain.select_share, SHARE, share)?,
            rounds: number("rounds", plain.rounds, ROUNDS, rounds)?,
            candidates: number("candidates", plain.candidates.into(), CANDIDATES, |k| whole(k, 1.0, 1e5))? as u32,
            theta: number("theta", plain.theta, THETA, above)?,
            round_theta: number("round-theta", plain.round_theta, THETA, above)?,
            clique_cells: number("clique-cells", plain.clique_cells, CELLS, cells)?,
            total_cells: number("total-cells", plain.total_cells, CELLS, cells)?,
            width: number("width", plain.width.into(), WIDTH, |width| whole(width, 2.0, 64.0))? as u32,
            first,
            choice,
            penalty: number("penalty", plain.penalty, PENALTY, penalty)?,
            shuffle: number("shuffle", 0.0, SHUFFLE, |key| whole(key, 0.0, 9e15))? as u64,
        })
    }

    /// The method, when the parameters are legal.
    pub fn check(self) -> Result<PrivMrf, MethodError> {
        let sum = self.ones_share + self.score_share + self.count_share + self.select_share;
        let rules = [
            ("ones-share", PART, part(self.ones_share) && sum < 1.0),
            ("merge", MERGE, merge(self.merge)),
            ("score-share", SHARE, share(self.score_share)),
            ("count-share", SHARE, share(self.count_share)),
            ("select-share", SHARE, share(self.select_share)),
            ("rounds", ROUNDS, rounds(self.rounds)),
            ("candidates", CANDIDATES, (1..=100_000).contains(&self.candidates)),
            ("theta", THETA, above(self.theta)),
            ("round-theta", THETA, above(self.round_theta)),
            ("clique-cells", CELLS, cells(self.clique_cells)),
            ("total-cells", CELLS, cells(self.total_cells)),
            ("width", WIDTH, (2..=64).contains(&self.width)),
            ("penalty", PENALTY, penalty(self.penalty)),
        ];
        match rules.iter().find(|(_, _, legal)| !legal) {
            None => Ok(PrivMrf { params: self }),
            Some((name, rule, _)) => Err(MethodError::Setting {
                what: format!("method {NAME}: this {name} does not do"),
                help: format!("give {rule}"),
            }),
        }
    }

    /// Rounds for so many columns, t.
    pub(super) fn rounds_of(&self, columns: usize) -> usize {
        // Two columns have one set; more rounds than this would only measure it again.
        (self.rounds * columns as f64).floor() as usize
    }
}
