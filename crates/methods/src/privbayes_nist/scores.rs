//! Noisy scores of pairs of nodes.

use std::collections::BTreeMap;

use lookalike_curator::{Curator, Noise, Score, ScoreQuery};
use lookalike_schema::Clique;

use super::hierarchy::{Hierarchy, Node};
use super::purse;
use crate::MethodError;

/// A pair with more cells than this is never scored: its table could not be counted cheaply, and a
/// table that large would hold nothing but noise. Judged from the schema alone.
pub(crate) const MOST_PAIR_CELLS: f64 = (1 << 22) as f64;

/// The pairs of nodes that may meet in a table: of two columns, and not too many cells.
pub(crate) fn pairs(hierarchy: &Hierarchy) -> Vec<(Node, Node)> {
    let nodes = hierarchy.nodes();
    let mut pairs = Vec::new();
    for (place, &a) in nodes.iter().enumerate() {
        let later = nodes[place + 1..].iter().filter(|b| b.column != a.column);
        pairs.extend(later.map(|&b| (a, b)).filter(|&(a, b)| hierarchy.cells(&[a, b]) <= MOST_PAIR_CELLS));
    }
    pairs
}

/// Noisy scores, in rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scores {
    values: BTreeMap<Node, BTreeMap<Node, f64>>,
    /// The standard deviation of the noisiest score.
    noise: f64,
}

impl Scores {
    /// The scores of some pairs, given directly.
    pub fn of(values: impl IntoIterator<Item = (Node, Node, f64)>, noise: f64) -> Self {
        let mut scores = Self { values: BTreeMap::new(), noise };
        for (a, b, score) in values {
            scores.values.entry(a).or_default().insert(b, score);
            scores.values.entry(b).or_default().insert(a, score);
        }
        scores
    }

    /// The score of a pair, if it has one.
    pub fn get(&self, a: Node, b: Node) -> Option<f64> {
        self.values.get(&a)?.get(&b).copied()
    }

    /// The scores of all nodes that a node was scored with.
    pub fn partners(&self, node: Node) -> impl Iterator<Item = (Node, f64)> + '_ {
        self.values.get(&node).into_iter().flatten().map(|(&other, &score)| (other, score))
    }

    /// All pairs, each once.
    pub fn pairs(&self) -> impl Iterator<Item = (Node, Node, f64)> + '_ {
        let all = self.values.iter().flat_map(|(&a, row)| row.iter().map(move |(&b, &score)| (a, b, score)));
        all.filter(|(a, b, _)| a < b)
    }

    /// The standard deviation of the noisiest score.
    pub fn noise(&self) -> f64 {
        self.noise
    }
}

/// Asks for every pair's score as often as `times` says, and takes the mean of each.
///
/// # Privacy
/// The cost is the curator's for every draw: R in count form, as [`Curator::noisy_scores`] states.
/// Which pair a draw is spent on follows from the schema and the noisy row count.
pub(crate) fn ask(
    curator: &mut Curator,
    hierarchy: &Hierarchy,
    pairs: &[(Node, Node)],
    noise: Noise,
    times: &[u32],
) -> Result<Scores, MethodError> {
    let mut queries = Vec::new();
    for (&(a, b), &times) in pairs.iter().zip(times) {
        let score =
            Score::Dependence { child: hierarchy.attribute(a), parents: Clique::single(hierarchy.attribute(b)) };
        queries.extend(std::iter::repeat_n(ScoreQuery { score, noise }, times as usize));
    }
    let mut answers = curator.noisy_scores(&queries)?.into_iter();
    let (mut values, mut most) = (Vec::with_capacity(pairs.len()), 0.0f64);
    for (&(a, b), &times) in pairs.iter().zip(times) {
        let draws: Vec<_> = answers.by_ref().take(times as usize).collect();
        if let Some(first) = draws.first() {
            most = most.max(purse::deviation(first.variance(), draws.len()));
            values.push((a, b, draws.iter().map(|draw| draw.rows()).sum::<f64>() / draws.len() as f64));
        }
    }
    Ok(Scores::of(values, most))
}
