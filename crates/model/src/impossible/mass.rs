//! Probabilities along a group's graph: what is left of a product of columns when impossible rows
//! are taken out.

use super::{RuleGroup, Rules, group::LayerEdge};

/// Sweeps over a group's columns at most; feasible targets settle in a few dozen.
const MAX_SWEEPS: usize = 1000;

/// A sweep that changes no class by more than this share ends the fit.
const SETTLED: f64 = 1e-12;

/// No class falls below this share of its target. Targets that cannot be met would otherwise drive
/// it to 0, and with it rows that are possible. A class may rightly become very small when hundreds
/// of rules bear on the others.
const FLOOR: f64 = 1e-60;

impl RuleGroup {
    /// The mass of each class of each column.
    pub(crate) fn class_masses(&self, columns: &[Vec<f64>]) -> Vec<Vec<f64>> {
        self.columns
            .iter()
            .map(|column| {
                let weights = &columns[column.attribute];
                let mass = |codes: &Vec<u32>| codes.iter().map(|&code| weights[code as usize]).sum();
                column.classes.iter().map(mass).collect()
            })
            .collect()
    }

    /// For each node, the mass of all paths from it to the end, up to one factor a layer; `None`
    /// when no path has mass.
    ///
    /// Each layer is divided by its largest value, so that long groups do not underflow.
    pub(crate) fn to_end(&self, masses: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
        // The end is one node: when all columns are through, every rule is settled and none is
        // open.
        let mut values = vec![vec![1.0]; self.layers.len() + 1];
        for j in (0..self.layers.len()).rev() {
            let (done, rest) = values.split_at_mut(j + 1);
            let sum = |edges: &Vec<LayerEdge>| -> f64 {
                edges.iter().map(|edge| masses[j][edge.class as usize] * rest[0][edge.next as usize]).sum()
            };
            let mut layer: Vec<f64> = self.layers[j].iter().map(sum).collect();
            let largest = layer.iter().copied().fold(0.0, f64::max);
            if largest == 0.0 {
                return None;
            }
            layer.iter_mut().for_each(|value| *value /= largest);
            done[j] = layer;
        }
        (values[0][0] > 0.0).then_some(values)
    }

    /// The probabilities of the classes of the kept columns among the possible rows, row-major in
    /// layer order. `keep[j]` tells whether layer `j` is kept.
    pub(crate) fn class_marginal(&self, columns: &[Vec<f64>], keep: &[bool]) -> Option<Vec<f64>> {
        let masses = self.class_masses(columns);
        let to_end = self.to_end(&masses)?;
        let mut states: Vec<Vec<f64>> = vec![vec![1.0]];
        for (j, layer) in self.layers.iter().enumerate() {
            let classes = masses[j].len();
            let width = states[0].len() * if keep[j] { classes } else { 1 };
            let mut next = vec![vec![0.0; width]; to_end[j + 1].len()];
            for (node, edges) in layer.iter().enumerate().filter(|(node, _)| to_end[j][*node] > 0.0) {
                for edge in edges {
                    // The chance of this edge, given the node and that the row will be possible.
                    let weight = masses[j][edge.class as usize] * to_end[j + 1][edge.next as usize];
                    let chance = weight / edge_total(&masses[j], edges, &to_end[j + 1]);
                    let target = &mut next[edge.next as usize];
                    for (cell, value) in states[node].iter().enumerate() {
                        let cell = if keep[j] { cell * classes + edge.class as usize } else { cell };
                        target[cell] += value * chance;
                    }
                }
            }
            states = next;
        }
        let mut out = vec![0.0; states[0].len()];
        states.iter().for_each(|state| out.iter_mut().zip(state).for_each(|(sum, value)| *sum += value));
        Some(out)
    }

    /// Rescales the group's columns until their marginals among the possible rows are the targets,
    /// by iterative proportional fitting over the classes. Targets that no distribution over
    /// possible rows can have are approached. Returns false when the columns give no possible row
    /// any mass.
    fn fit(&self, columns: &mut [Vec<f64>]) -> bool {
        let targets = self.class_masses(columns);
        let mut masses = targets.clone();
        for _ in 0..MAX_SWEEPS {
            let Some(to_end) = self.to_end(&masses) else { break };
            if !self.sweep(&targets, &mut masses, &to_end) {
                break;
            }
        }
        if self.to_end(&masses).is_none() {
            return false;
        }
        for ((column, masses), targets) in self.columns.iter().zip(&masses).zip(&targets) {
            for ((codes, mass), target) in column.classes.iter().zip(masses).zip(targets) {
                let factor = if *target > 0.0 { mass / target } else { 0.0 };
                codes.iter().for_each(|&code| columns[column.attribute][code as usize] *= factor);
            }
        }
        true
    }

    /// One column after the other: later columns are as they were when `to_end` was made, earlier
    /// ones are new already. Returns whether anything moved.
    fn sweep(&self, targets: &[Vec<f64>], masses: &mut [Vec<f64>], to_end: &[Vec<f64>]) -> bool {
        let mut from_start = vec![1.0];
        let mut moved = 0.0f64;
        for (j, layer) in self.layers.iter().enumerate() {
            let mut found = vec![0.0; masses[j].len()];
            for (node, edges) in layer.iter().enumerate() {
                for edge in edges {
                    let class = edge.class as usize;
                    found[class] += from_start[node] * masses[j][class] * to_end[j + 1][edge.next as usize];
                }
            }
            let all: f64 = found.iter().sum();
            if all > 0.0 {
                let old = masses[j].clone();
                for ((mass, found), target) in masses[j].iter_mut().zip(&found).zip(&targets[j]) {
                    // A class that has no possible partner keeps no mass: its target cannot be met.
                    *mass = if *found > 0.0 { (*mass * (target * all / found)).max(target * FLOOR) } else { 0.0 };
                }
                let sum: f64 = masses[j].iter().sum();
                masses[j].iter_mut().for_each(|mass| *mass /= sum);
                let change = masses[j].iter().zip(&old).map(|(new, old)| (new - old).abs()).fold(0.0, f64::max);
                moved = moved.max(change);
            }
            let mut next = vec![0.0; to_end[j + 1].len()];
            for (node, edges) in layer.iter().enumerate() {
                edges.iter().for_each(|edge| {
                    next[edge.next as usize] += from_start[node] * masses[j][edge.class as usize];
                });
            }
            let largest = next.iter().copied().fold(0.0, f64::max);
            if largest > 0.0 {
                next.iter_mut().for_each(|value| *value /= largest);
            }
            from_start = next;
        }
        moved > SETTLED
    }
}

/// The weight of all edges of a node.
pub(crate) fn edge_total(masses: &[f64], edges: &[LayerEdge], to_end: &[f64]) -> f64 {
    edges.iter().map(|edge| masses[edge.class as usize] * to_end[edge.next as usize]).sum()
}

impl Rules {
    /// Makes the columns' marginals among the possible rows what the columns say now, as far as the
    /// rules allow. A group whose columns give no possible row any mass becomes uniform over its
    /// columns' possible codes.
    pub(crate) fn fit(&self, columns: &mut [Vec<f64>]) {
        for group in &self.groups {
            if group.fit(columns) {
                continue;
            }
            for column in &group.columns {
                let codes: usize = column.classes.iter().map(Vec::len).sum();
                let weights = &mut columns[column.attribute];
                weights.fill(0.0);
                column.classes.iter().flatten().for_each(|&code| weights[code as usize] = 1.0 / codes as f64);
            }
        }
    }
}
