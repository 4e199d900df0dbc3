//! The network from noisy scores alone: Algorithms 2 and 3.

use super::hierarchy::{Hierarchy, Node};
use super::scores::Scores;
use crate::maximal;

/// Attribute-parent pairs. The first attributes form the head, which one table holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Network {
    /// The columns of the head, in the order in which rows are drawn.
    pub head: Vec<Node>,
    /// The other columns, in the order in which rows are drawn, with their parents.
    pub pairs: Vec<(Node, Vec<Node>)>,
}

/// The limits of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The most cells of a table of several columns.
    pub tau: f64,
    /// A score counts only when it is above this: 0, or some standard deviations of its noise.
    pub least: f64,
}

impl Network {
    /// The network of a hierarchy's columns.
    ///
    /// # Privacy
    /// Post-processing of the scores and the limits.
    pub fn build(hierarchy: &Hierarchy, scores: &Scores, limits: Limits) -> Self {
        let builder = Builder { hierarchy, scores, limits };
        let head = builder.head();
        let mut placed = vec![false; hierarchy.len()];
        head.iter().for_each(|node| placed[node.column] = true);
        let mut pairs = Vec::new();
        while let Some((child, parents)) = builder.next(&placed) {
            placed[child.column] = true;
            pairs.push((child, parents));
        }
        Self { head, pairs }
    }

    /// The sets of nodes whose tables the network needs: the head and every attribute with its
    /// parents, without those that another one contains.
    pub fn joints(&self) -> Vec<Vec<Node>> {
        let pairs = self.pairs.iter().map(|(child, parents)| parents.iter().chain([child]).copied().collect());
        let sets = std::iter::once(self.head.clone()).chain(pairs).filter(|nodes| !nodes.is_empty());
        maximal(sets.collect())
    }
}

/// Sets of nodes, sorted, without those that another one contains.
pub(crate) fn maximal(mut sets: Vec<Vec<Node>>) -> Vec<Vec<Node>> {
    sets.iter_mut().for_each(|nodes| nodes.sort_unstable());
    maximal::maximal(&sets, Vec::as_slice)
}

struct Builder<'a> {
    hierarchy: &'a Hierarchy,
    scores: &'a Scores,
    limits: Limits,
}

impl Builder<'_> {
    /// Algorithm 2: the first pair by score over cells, then whatever adds most to the sum of such
    /// scores, as long as the table stays within the limit. An attribute that does not fit is
    /// passed over, not the end.
    fn head(&self) -> Vec<Node> {
        let size = |node: Node| self.hierarchy.size(node) as f64;
        let mut best: Option<(f64, Node, Node)> = None;
        for (a, b, score) in self.scores.pairs() {
            let cells = size(a) * size(b);
            let worth = score / cells;
            if cells <= self.limits.tau && score > self.limits.least && best.is_none_or(|(most, ..)| worth > most) {
                best = Some((worth, a, b));
            }
        }
        let Some((_, first, second)) = best else {
            // No pair fits, or none has a score: a head of one column, which always has a table.
            return (0..self.hierarchy.len().min(1)).map(Node::finest).collect();
        };
        let mut head = vec![first, second];
        let mut cells = size(first) * size(second);
        let mut open: Vec<(Node, f64)> = self.hierarchy.nodes().into_iter().map(|node| (node, 0.0)).collect();
        open.retain(|(node, _)| node.column != first.column && node.column != second.column);
        for member in [first, second] {
            self.raise(&mut open, member);
        }
        while let Some(place) = best_place(&open) {
            let (node, worth) = open.swap_remove(place);
            if worth <= 0.0 {
                break;
            }
            if cells * size(node) <= self.limits.tau {
                cells *= size(node);
                head.push(node);
                open.retain(|(other, _)| other.column != node.column);
                self.raise(&mut open, node);
            }
        }
        head
    }

    /// Adds the scores with a new member to the open attributes' worth.
    fn raise(&self, open: &mut [(Node, f64)], member: Node) {
        for (node, worth) in open {
            let cells = self.hierarchy.size(*node) as f64 * self.hierarchy.size(member) as f64;
            *worth += self.score(*node, member) / cells;
        }
    }

    /// The score above the least that counts; negative below it.
    fn score(&self, a: Node, b: Node) -> f64 {
        self.scores.get(a, b).map_or(0.0, |score| if score > self.limits.least { score } else { score.min(0.0) })
    }

    /// Algorithm 3: for every column left the parents that a greedy choice gives, then the column
    /// with the largest sum of scores. `None` when no column is left.
    fn next(&self, placed: &[bool]) -> Option<(Node, Vec<Node>)> {
        let mut best: Option<(f64, Node, Vec<Node>)> = None;
        for column in (0..placed.len()).filter(|&column| !placed[column]) {
            for child in self.hierarchy.nodes_of(column) {
                let (sum, parents) = self.parents(child, placed);
                // At equal sums the finer level wins: it comes first.
                if best.as_ref().is_none_or(|(most, ..)| sum > *most) {
                    best = Some((sum, child, parents));
                }
            }
        }
        best.map(|(_, child, parents)| (child, parents))
    }

    /// The parents of a child: by score over domain size, as long as they fit, never a negative
    /// score, and at most one level of a column.
    fn parents(&self, child: Node, placed: &[bool]) -> (f64, Vec<Node>) {
        let size = |node: Node| self.hierarchy.size(node) as f64;
        let mut open: Vec<(f64, Node)> = self
            .scores
            .partners(child)
            .filter(|&(node, score)| placed[node.column] && score > self.limits.least)
            .map(|(node, score)| (score / size(node), node))
            .collect();
        open.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let (mut sum, mut cells) = (0.0, size(child));
        let mut parents: Vec<Node> = Vec::new();
        for (worth, node) in open {
            let twice = parents.iter().any(|parent| parent.column == node.column);
            if !twice && cells * size(node) <= self.limits.tau {
                cells *= size(node);
                sum += worth * size(node);
                parents.push(node);
            }
        }
        (sum, parents)
    }
}

/// The place of the largest worth; the first of equals.
fn best_place(open: &[(Node, f64)]) -> Option<usize> {
    (0..open.len()).reduce(|best, place| {
        let (a, b) = (&open[best], &open[place]);
        if b.1 > a.1 || (b.1 == a.1 && b.0 < a.0) { place } else { best }
    })
}
