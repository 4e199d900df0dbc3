//! The linear support vector machine with hinge loss, by dual coordinate descent.

use super::Examples;
use crate::EvaluationRng;

/// min over w of 1/2 |w|^2 + C sum of max(0, 1 - y w.x), without a bias: a caller who wants one
/// adds a constant feature (one-hot codes have one already, since the indicators of a column sum to
/// a constant).
///
/// Dual coordinate descent with shrinking (Hsieh et al., ICML 2008): each step solves one dual
/// variable exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearSvm {
    /// The price C of a unit of loss.
    pub cost: f64,
    /// Stop when no projected gradient of the dual is further than this from the others.
    pub tolerance: f64,
    /// Stop after this many passes in any case.
    pub passes: usize,
    /// The order of the examples in a pass; the optimum does not depend on it.
    pub seed: u64,
}

impl Default for LinearSvm {
    fn default() -> Self {
        Self { cost: 1.0, tolerance: 0.01, passes: 1000, seed: 0 }
    }
}

/// What training found.
#[derive(Clone, Debug)]
pub struct SvmFit {
    /// One weight a feature.
    pub weights: Vec<f64>,
    /// Passes over the examples that were still active.
    pub passes: usize,
    /// Primal minus dual objective: an upper bound on how far the weights' objective is above the
    /// optimum.
    pub gap: f64,
}

/// One machine a class against all others; two classes have one machine.
#[derive(Clone, Debug)]
pub struct LinearFit {
    machines: Vec<Vec<f64>>,
}

impl LinearFit {
    /// The class of an example: the one whose machine is surest, the first of equals.
    pub fn predict(&self, examples: &Examples, index: usize) -> u32 {
        match self.machines.as_slice() {
            [only] => u32::from(examples.dot(index, only) > 0.0),
            machines => {
                let scores: Vec<f64> = machines.iter().map(|weights| examples.dot(index, weights)).collect();
                super::largest(&scores)
            }
        }
    }
}

struct Dual<'a> {
    examples: &'a Examples,
    cost: f64,
    weights: Vec<f64>,
    alphas: Vec<f64>,
    squares: Vec<f64>,
}

impl LinearSvm {
    /// Trains for several classes, whatever the examples' own labels say: one machine for each
    /// class against the rest.
    pub fn fit_classes(&self, examples: &Examples, labels: &[u32], classes: usize) -> LinearFit {
        let machine = |class: u32| self.fit(&examples.relabelled(|index| labels[index] == class)).weights;
        let machines = if classes <= 2 { vec![machine(1)] } else { (0..classes as u32).map(machine).collect() };
        LinearFit { machines }
    }

    /// Trains on the examples.
    pub fn fit(&self, examples: &Examples) -> SvmFit {
        let mut dual = Dual {
            examples,
            cost: self.cost,
            weights: vec![0.0; examples.features()],
            alphas: vec![0.0; examples.len()],
            squares: (0..examples.len()).map(|index| examples.square(index)).collect(),
        };
        let mut rng = EvaluationRng::new(self.seed, "linear svm", 0);
        let mut order: Vec<u32> = (0..examples.len() as u32).collect();
        let (mut active, mut upper, mut lower) = (order.len(), f64::INFINITY, f64::NEG_INFINITY);
        let mut passes = 0;
        while passes < self.passes && !order.is_empty() {
            passes += 1;
            for place in (1..active).rev() {
                order.swap(place, rng.below(place as u32 + 1) as usize);
            }
            let (mut largest, mut smallest) = (f64::NEG_INFINITY, f64::INFINITY);
            let mut place = 0;
            while place < active {
                match dual.step(order[place] as usize, upper, lower) {
                    Some(gradient) => {
                        largest = largest.max(gradient);
                        smallest = smallest.min(gradient);
                        place += 1;
                    }
                    None => {
                        active -= 1;
                        order.swap(place, active);
                    }
                }
            }
            if active == 0 || largest - smallest <= self.tolerance {
                if active == order.len() {
                    break;
                }
                // What was set aside has to agree before we stop.
                (active, upper, lower) = (order.len(), f64::INFINITY, f64::NEG_INFINITY);
                continue;
            }
            upper = if largest > 0.0 { largest } else { f64::INFINITY };
            lower = if smallest < 0.0 { smallest } else { f64::NEG_INFINITY };
        }
        SvmFit { gap: dual.gap(), weights: dual.weights, passes }
    }
}

impl Dual<'_> {
    /// Solves for one dual variable. Gives its projected gradient, or nothing when the variable
    /// sits at a bound and may be set aside.
    fn step(&mut self, index: usize, upper: f64, lower: f64) -> Option<f64> {
        let (label, alpha) = (self.examples.labels()[index], self.alphas[index]);
        let gradient = label * self.examples.dot(index, &self.weights) - 1.0;
        if (alpha == 0.0 && gradient > upper) || (alpha == self.cost && gradient < lower) {
            return None;
        }
        let projected = match alpha {
            0.0 => gradient.min(0.0),
            alpha if alpha == self.cost => gradient.max(0.0),
            _ => gradient,
        };
        if projected.abs() > 1e-12 && self.squares[index] > 0.0 {
            let moved = (alpha - gradient / self.squares[index]).clamp(0.0, self.cost);
            self.examples.add(index, (moved - alpha) * label, &mut self.weights);
            self.alphas[index] = moved;
        }
        Some(projected)
    }

    fn gap(&self) -> f64 {
        let square: f64 = self.weights.iter().map(|weight| weight * weight).sum();
        let loss = hinge_loss(self.examples, &self.weights);
        square + self.cost * loss - self.alphas.iter().sum::<f64>()
    }
}

/// The sum of max(0, 1 - y w.x).
pub fn hinge_loss(examples: &Examples, weights: &[f64]) -> f64 {
    let margin = |index| examples.labels()[index] * examples.dot(index, weights);
    (0..examples.len()).map(|index| (1.0 - margin(index)).max(0.0)).sum()
}
