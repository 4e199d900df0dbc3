//! The independent parts of a tree.

use super::JunctionTree;
use lookalike_schema::Clique;

impl JunctionTree {
    /// The tree's cliques in groups that share no attribute: each group is a tree of its own,
    /// independent of the others.
    pub(crate) fn parts(&self) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.cliques.len()];
        let mut parts = Vec::new();
        for first in 0..self.cliques.len() {
            if std::mem::replace(&mut seen[first], true) {
                continue;
            }
            let mut part = vec![first];
            let mut place = 0;
            while let Some(&node) = part.get(place) {
                for &other in &self.neighbours[node] {
                    if !seen[other] && !self.cliques[node].intersection(&self.cliques[other]).is_empty() {
                        seen[other] = true;
                        part.push(other);
                    }
                }
                place += 1;
            }
            part.sort_unstable();
            parts.push(part);
        }
        parts
    }

    /// The tree of some of the cliques, which must hang together. Attributes of others are in none
    /// of its cliques.
    pub(crate) fn part(&self, nodes: &[usize]) -> Self {
        let mut numbers = vec![usize::MAX; self.cliques.len()];
        nodes.iter().enumerate().for_each(|(number, &node)| numbers[node] = number);
        let cliques: Vec<Clique> = nodes.iter().map(|&node| self.cliques[node].clone()).collect();
        let neighbours = nodes
            .iter()
            .map(|&node| {
                let others = self.neighbours[node].iter().map(|&other| numbers[other]);
                others.filter(|&other| other != usize::MAX).collect()
            })
            .collect();
        let inside = |clique: &&Clique| cliques.iter().any(|node| clique.is_subset(node));
        let covered = self.covered.iter().filter(inside).cloned().collect();
        let mut part = Self {
            domain: self.domain.clone(),
            rules: self.rules.clone(),
            covered,
            homes: Vec::new(),
            cliques,
            neighbours,
        };
        part.find_homes();
        part
    }
}
