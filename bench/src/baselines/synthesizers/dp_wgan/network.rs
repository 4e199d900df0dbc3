//! The two networks, each of one hidden layer, with their gradients by hand.

use rand_chacha::ChaCha20Rng;

use crate::simulate::draw::{normal_pair, uniform};

/// The slope of a hidden unit below 0.
const LEAK: f64 = 0.2;

/// A linear layer: weights by input, then the offsets.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    /// For each input one weight an output; then one offset an output.
    pub parameters: Vec<f64>,
    outputs: usize,
}

impl Dense {
    /// Random weights of about one over the root of the inputs that are not 0.
    pub fn random(inputs: usize, outputs: usize, active: usize, rng: &mut ChaCha20Rng) -> Self {
        let spread = (3.0 / active.max(1) as f64).sqrt();
        let mut parameters: Vec<f64> = (0..inputs * outputs).map(|_| spread * (2.0 * uniform(rng) - 1.0)).collect();
        parameters.resize((inputs + 1) * outputs, 0.0);
        Self { parameters, outputs }
    }

    /// The outputs for an input.
    pub fn apply(&self, input: &[f64]) -> Vec<f64> {
        let mut out = self.parameters[input.len() * self.outputs..].to_vec();
        for (&value, weights) in input.iter().zip(self.parameters.chunks(self.outputs)) {
            if value != 0.0 {
                out.iter_mut().zip(weights).for_each(|(out, weight)| *out += value * weight);
            }
        }
        out
    }

    /// The slope of the inputs, given that of the outputs.
    pub fn back(&self, inputs: usize, slope: &[f64]) -> Vec<f64> {
        let product = |weights: &[f64]| weights.iter().zip(slope).map(|(weight, slope)| weight * slope).sum();
        self.parameters.chunks(self.outputs).take(inputs).map(product).collect()
    }

    /// Adds the slope of the parameters, times a factor.
    pub fn add_slope(&self, input: &[f64], slope: &[f64], factor: f64, into: &mut [f64]) {
        for (&value, into) in input.iter().chain(&[1.0]).zip(into.chunks_mut(self.outputs)) {
            if value != 0.0 {
                into.iter_mut().zip(slope).for_each(|(into, slope)| *into += factor * value * slope);
            }
        }
    }
}

/// Leaky rectification, and its slope.
fn leaky(value: f64) -> f64 {
    if value > 0.0 { value } else { LEAK * value }
}

fn leaky_slope(value: f64) -> f64 {
    if value > 0.0 { 1.0 } else { LEAK }
}

/// Tells real rows from made ones: a hidden layer and a weighted sum.
#[derive(Clone)]
pub struct Critic {
    /// From one-hot rows to hidden units.
    pub hidden: Dense,
    /// The weights of hidden units.
    pub last: Vec<f64>,
}

impl Critic {
    /// The value of a row: what the slopes are tested against.
    #[cfg(test)]
    pub fn value(&self, row: &[f64]) -> f64 {
        let hidden = self.hidden.apply(row);
        hidden.iter().zip(&self.last).map(|(&unit, weight)| leaky(unit) * weight).sum()
    }

    /// Adds the slope of the value in the parameters, hidden layer first, times `factor`; first cut
    /// to length `most`. The length needs no slope written out: that of a layer is the product of
    /// the lengths of its input and of the slope of its output.
    pub fn add_slope(&self, row: &[f64], factor: f64, most: f64, into: &mut [f64]) {
        let hidden = self.hidden.apply(row);
        let slope = self.slope(&hidden);
        let square = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>();
        let units: Vec<f64> = hidden.into_iter().map(leaky).collect();
        let length = (square(&units) + square(&slope) * (1.0 + square(row))).sqrt();
        let factor = factor * (most / length).min(1.0);
        let (first, last) = into.split_at_mut(self.hidden.parameters.len());
        self.hidden.add_slope(row, &slope, factor, first);
        last.iter_mut().zip(units).for_each(|(into, unit)| *into += factor * unit);
    }

    /// The slope of the value in the row.
    pub fn row_slope(&self, row: &[f64]) -> Vec<f64> {
        self.hidden.back(row.len(), &self.slope(&self.hidden.apply(row)))
    }

    fn slope(&self, hidden: &[f64]) -> Vec<f64> {
        hidden.iter().zip(&self.last).map(|(&unit, weight)| leaky_slope(unit) * weight).collect()
    }

    /// The number of parameters.
    pub fn len(&self) -> usize {
        self.hidden.parameters.len() + self.last.len()
    }

    /// All parameters, in the order of their slopes.
    pub fn parameters(&mut self) -> impl Iterator<Item = &mut f64> {
        self.hidden.parameters.iter_mut().chain(&mut self.last)
    }
}

/// Makes rows of chances from random numbers: a hidden layer and a softmax for each column.
#[derive(Clone)]
pub struct Generator {
    /// From random numbers to hidden units.
    pub hidden: Dense,
    /// From hidden units to one number a code.
    pub last: Dense,
    /// The codes of each column.
    pub sizes: Vec<usize>,
    /// The number of random numbers.
    pub latent: usize,
}

impl Generator {
    /// Random numbers to start from.
    pub fn latent(&self, rng: &mut ChaCha20Rng) -> Vec<f64> {
        let mut numbers: Vec<f64> = (0..self.latent.div_ceil(2)).flat_map(|_| normal_pair(rng)).collect();
        numbers.truncate(self.latent);
        numbers
    }

    /// The chances of every code of every column.
    pub fn row(&self, latent: &[f64]) -> Vec<f64> {
        let units: Vec<f64> = self.hidden.apply(latent).into_iter().map(leaky).collect();
        self.softmax(&units)
    }

    fn softmax(&self, units: &[f64]) -> Vec<f64> {
        let mut row = self.last.apply(units);
        let mut rest = &mut row[..];
        for &size in &self.sizes {
            let (column, after) = rest.split_at_mut(size);
            let most = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            column.iter_mut().for_each(|value| *value = (*value - most).exp());
            let sum: f64 = column.iter().sum();
            column.iter_mut().for_each(|value| *value /= sum);
            rest = after;
        }
        row
    }

    /// Adds the slope of the critic's value of a made row in the parameters, hidden layer first.
    pub fn add_slope(&self, latent: &[f64], critic: &Critic, factor: f64, into: &mut [f64]) {
        let hidden = self.hidden.apply(latent);
        let units: Vec<f64> = hidden.iter().map(|&unit| leaky(unit)).collect();
        let row = self.softmax(&units);
        let mut slope = critic.row_slope(&row);
        let mut from = 0;
        for &size in &self.sizes {
            let (slope, chances) = (&mut slope[from..from + size], &row[from..from + size]);
            let mean: f64 = slope.iter().zip(chances).map(|(slope, chance)| slope * chance).sum();
            slope.iter_mut().zip(chances).for_each(|(slope, chance)| *slope = chance * (*slope - mean));
            from += size;
        }
        let (first, last) = into.split_at_mut(self.hidden.parameters.len());
        self.last.add_slope(&units, &slope, factor, last);
        let mut back = self.last.back(units.len(), &slope);
        back.iter_mut().zip(&hidden).for_each(|(slope, &unit)| *slope *= leaky_slope(unit));
        self.hidden.add_slope(latent, &back, factor, first);
    }

    /// The number of parameters.
    pub fn len(&self) -> usize {
        self.hidden.parameters.len() + self.last.parameters.len()
    }

    /// All parameters, in the order of their slopes.
    pub fn parameters(&mut self) -> impl Iterator<Item = &mut f64> {
        self.hidden.parameters.iter_mut().chain(&mut self.last.parameters)
    }
}
