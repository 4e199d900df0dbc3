//! The bound for Gaussian noise: from one event to the noise itself, and from the noise to epsilon
//! at any delta.
//!
//! At delta 1e-5 an event that shows the whole epsilon of Gaussian noise is too rare to be counted.
//! But all Gaussian mechanisms of one form differ in sigma alone, and how well two tables can be
//! told apart at best fixes sigma. So a bound on one event bounds sigma from above, and sigma
//! bounds epsilon at every delta. (The same idea with the continuous Gaussian is Gaussian
//! differential privacy: TPR and FPR bound mu, and mu bounds epsilon. The program's noise is
//! discrete, and at a sigma near 1 an event on integers shows 4% more mu than the continuous curve
//! allows. So the curve here is that of the discrete Gaussian.)
//!
//! What is watched is S, the sum of the cells that the canary moves, each with its sign. For
//! Gaussian noise the ratio of the two chances of an answer is a function of S alone, so nothing is
//! lost by it.

use lookalike_privacy::accounting::analytic::continuous_epsilon;

use super::Seen;
use crate::stats::normal_quantile;

/// From this sigma on the continuous curve is used, shrunk by more than the two differ.
const CONTINUOUS_FROM: f64 = 24.0;

/// Discrete Gaussian noise on cells of which the canary moves some by the same amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GaussianFamily {
    /// How many cells one neighbour step moves.
    pub cells: u32,
    /// By how much each.
    pub shift: u32,
}

impl GaussianFamily {
    /// The lower bound of epsilon at `delta`; 0 when nothing was found.
    pub fn epsilon(self, seen: Seen, delta: f64, alpha: f64) -> f64 {
        let (hits, alarms) = seen.bounds(alpha);
        self.sigma_at_most(hits, alarms).map_or(0.0, |sigma| self.epsilon_of(sigma, delta))
    }

    /// The largest sigma under which some test has at least these hits at no more than these
    /// alarms. (Halving needs curves that do not cross. Those of sigmas below 0.3 do, at alarms
    /// that no number of runs could bound: 1e-9 and less.)
    pub(super) fn sigma_at_most(self, hits: f64, alarms: f64) -> Option<f64> {
        if hits <= alarms {
            return None;
        }
        let mu = normal_quantile(hits) - normal_quantile(alarms);
        let near = self.distance() / mu;
        if near > CONTINUOUS_FROM {
            // An integer event shows at most 1 + 1/(24 sigma^2) of the continuous mu, about; twice
            // that is taken off.
            return Some(near * (1.0 + 1.0 / (12.0 * near * near)));
        }
        let (mut low, mut high) = ((near / 2.0).max(0.05), (near * 2.0).max(1.0));
        for _ in 0..50 {
            let sigma = (low * high).sqrt();
            if SumDistribution::new(self.cells, sigma).hits_at(alarms, self.whole_shift()) >= hits {
                low = sigma;
            } else {
                high = sigma;
            }
        }
        Some(high)
    }

    /// The exact epsilon at `delta` of this noise.
    pub fn epsilon_of(self, sigma: f64, delta: f64) -> f64 {
        if sigma > CONTINUOUS_FROM {
            return continuous_epsilon(sigma / self.distance(), 1, delta);
        }
        let sum = SumDistribution::new(self.cells, sigma);
        let mu = self.distance() / sigma;
        let (mut low, mut high) = (0.0, mu * mu + 20.0 * mu + 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if sum.delta(middle, self.whole_shift()) > delta {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The L2 distance of the two vectors of counts.
    fn distance(self) -> f64 {
        f64::from(self.shift) * f64::from(self.cells).sqrt()
    }

    /// How far S moves.
    fn whole_shift(self) -> usize {
        (self.shift * self.cells) as usize
    }
}

/// The distribution of a sum of discrete Gaussians around 0, cut where nothing is left.
struct SumDistribution {
    /// The chances of the values from `-middle` on.
    chances: Vec<f64>,
    /// The chance of this value or a larger one.
    above: Vec<f64>,
}

impl SumDistribution {
    fn new(cells: u32, sigma: f64) -> Self {
        let width = (9.0 * sigma).ceil() as i32 + 3;
        let one: Vec<f64> = (-width..=width).map(|x| (-f64::from(x * x) / (2.0 * sigma * sigma)).exp()).collect();
        let mut chances = one.clone();
        for _ in 1..cells {
            chances = convolved(&chances, &one);
        }
        let total: f64 = chances.iter().sum();
        chances.iter_mut().for_each(|chance| *chance /= total);
        let mut above = vec![0.0; chances.len() + 1];
        for place in (0..chances.len()).rev() {
            above[place] = above[place + 1] + chances[place];
        }
        Self { chances, above }
    }

    /// The chance of the place or beyond, when the sum was moved up by `shift`.
    fn moved_above(&self, place: usize, shift: usize) -> f64 {
        self.above[place.saturating_sub(shift).min(self.above.len() - 1)]
    }

    /// The most hits of any test with these alarms: thresholds, with a coin at the one between.
    fn hits_at(&self, alarms: f64, shift: usize) -> f64 {
        let place = self.above.partition_point(|&above| above > alarms);
        let hits = self.moved_above(place, shift);
        if place == 0 || place >= self.above.len() {
            return hits;
        }
        let share = (alarms - self.above[place]) / self.chances[place - 1];
        hits + share * (self.moved_above(place - 1, shift) - hits)
    }

    /// The delta at epsilon of a move by `shift`.
    fn delta(&self, epsilon: f64, shift: usize) -> f64 {
        let moved = |place: usize| place.checked_sub(shift).and_then(|place| self.chances.get(place));
        let each = (0..self.chances.len() + shift).map(|place| {
            let still = self.chances.get(place).copied().unwrap_or(0.0);
            (moved(place).copied().unwrap_or(0.0) - epsilon.exp() * still).max(0.0)
        });
        each.sum()
    }
}

fn convolved(one: &[f64], other: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; one.len() + other.len() - 1];
    for (place, &chance) in one.iter().enumerate() {
        for (cell, &more) in sum[place..].iter_mut().zip(other) {
            *cell += chance * more;
        }
    }
    sum
}
