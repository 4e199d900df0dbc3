//! Logistic regression with a ridge, for two or more classes.

use rayon::prelude::*;

use super::{Examples, Smooth, minimize};

/// min over W of 1/2 |W|^2 + C sum of log losses, with intercepts that cost nothing: scikit-learn's
/// objective.
///
/// Two classes have one vector of weights; more have one each, and a softmax.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Logistic {
    /// The price C of a unit of loss.
    pub cost: f64,
    /// Stop when the gradient, divided by C times the number of examples, is shorter than this.
    pub tolerance: f64,
    /// Stop after this many steps in any case.
    pub iterations: usize,
}

impl Default for Logistic {
    fn default() -> Self {
        Self { cost: 1.0, tolerance: 1e-5, iterations: 200 }
    }
}

/// A trained model.
#[derive(Clone, Debug)]
pub struct LogisticFit {
    features: usize,
    classes: usize,
    /// For each vector: the features' weights, then the intercept.
    weights: Vec<f64>,
}

/// Rows that one task works on. Sums are made in this order, whatever the number of threads.
const CHUNK: usize = 4096;

struct LogisticProblem<'a> {
    examples: &'a Examples,
    labels: &'a [u32],
    classes: usize,
    cost: f64,
}

impl Logistic {
    /// Trains on examples (their own labels are not used) and classes below `classes`.
    ///
    /// # Panics
    /// When there are not as many classes given as examples.
    pub fn fit(&self, examples: &Examples, labels: &[u32], classes: usize) -> LogisticFit {
        assert_eq!(examples.len(), labels.len(), "one class for each example");
        // Divided by C n, so that the tolerance means the same for all sizes.
        let problem = LogisticProblem { examples, labels, classes: classes.max(2), cost: self.cost };
        let weights = minimize(&problem, self.tolerance, self.iterations).point;
        LogisticFit { features: examples.features(), classes: problem.classes, weights }
    }
}

impl LogisticProblem<'_> {
    fn vectors(&self) -> usize {
        if self.classes == 2 { 1 } else { self.classes }
    }
}

impl Smooth for LogisticProblem<'_> {
    fn variables(&self) -> usize {
        self.vectors() * (self.examples.features() + 1)
    }

    fn evaluate(&self, point: &[f64], gradient: &mut [f64]) -> f64 {
        let width = self.examples.features() + 1;
        let count = self.examples.len().max(1) as f64;
        let starts: Vec<usize> = (0..self.examples.len()).step_by(CHUNK).collect();
        let parts: Vec<(f64, Vec<f64>)> = starts
            .par_iter()
            .map(|&start| {
                let mut slope = vec![0.0; point.len()];
                let mut chances = vec![0.0; self.classes];
                let mut loss = 0.0;
                for row in start..(start + CHUNK).min(self.examples.len()) {
                    fill(&mut chances, point, width, |weights| self.examples.dot(row, weights));
                    let label = self.labels[row] as usize;
                    loss -= chances[label].max(1e-300).ln();
                    for vector in 0..self.vectors() {
                        // With two classes the one vector speaks for class 1.
                        let class = if self.classes == 2 { 1 } else { vector };
                        let off = chances[class] - f64::from(u8::from(label == class));
                        let own = &mut slope[vector * width..(vector + 1) * width];
                        self.examples.add(row, off, own);
                        own[width - 1] += off;
                    }
                }
                (loss, slope)
            })
            .collect();
        gradient.fill(0.0);
        let mut value = 0.0;
        for (loss, slope) in &parts {
            value += loss / count;
            gradient.iter_mut().zip(slope).for_each(|(sum, part)| *sum += part / count);
        }
        let ridge = 1.0 / (self.cost * count);
        for (place, weight) in point.iter().enumerate().filter(|(place, _)| place % width != width - 1) {
            value += 0.5 * ridge * weight * weight;
            gradient[place] += ridge * weight;
        }
        value
    }
}

/// The chances of all classes from the weights of their vectors.
fn fill(chances: &mut [f64], weights: &[f64], width: usize, dot: impl Fn(&[f64]) -> f64) {
    let score = |vector: &[f64]| dot(&vector[..width - 1]) + vector[width - 1];
    if chances.len() == 2 {
        let chance = 1.0 / (1.0 + (-score(&weights[..width])).exp());
        chances[0] = 1.0 - chance;
        chances[1] = chance;
        return;
    }
    chances.iter_mut().zip(weights.chunks_exact(width)).for_each(|(chance, vector)| *chance = score(vector));
    let top = chances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for chance in chances.iter_mut() {
        *chance = (*chance - top).exp();
        sum += *chance;
    }
    chances.iter_mut().for_each(|chance| *chance /= sum);
}

impl LogisticFit {
    /// The chances of all classes for an example.
    pub fn chances(&self, examples: &Examples, index: usize) -> Vec<f64> {
        let mut chances = vec![0.0; self.classes];
        fill(&mut chances, &self.weights, self.features + 1, |weights| examples.dot(index, weights));
        chances
    }

    /// The likeliest class of an example, the first of equals.
    pub fn predict(&self, examples: &Examples, index: usize) -> u32 {
        super::largest(&self.chances(examples, index))
    }

    /// The mean log loss on examples and their classes.
    pub fn log_loss(&self, examples: &Examples, labels: &[u32]) -> f64 {
        let loss = |index: usize| -self.chances(examples, index)[labels[index] as usize].max(1e-15).ln();
        (0..examples.len()).map(loss).sum::<f64>() / examples.len().max(1) as f64
    }
}
