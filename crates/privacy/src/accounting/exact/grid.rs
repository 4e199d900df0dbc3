//! A privacy loss put onto a grid, never below the true one.
//!
//! # Privacy
//! A part of the pair with probability p under P and q = p exp(-loss) under Q is split onto the two
//! grid losses around it, a below and b above, such that both p and q are kept: p_a + p_b = p and
//! p_a exp(-a) + p_b exp(-b) = q. Gluing the two pieces together gives the part back, so the true
//! pair is a post-processing of the split one, and the split one dominates it: alone, in every
//! composition, and adaptively. (In terms of curves: delta as a function of exp(epsilon) is convex,
//! and this is the chord between the grid points. Doroshenko and others 2022 call it connecting the
//! dots.) The error is of second order in the grid step, unlike rounding every loss up.
//!
//! A block of outcomes between two neighbouring grid losses is split by its sums of p and q alone,
//! since the split is linear in them. Too much p, too little q, or more weight on the upper point
//! only raise the loss: `E_P[g(loss)]` grows for every increasing g, and delta is such a mean.

use super::pair::{Losses, NoisePair};
use super::tail::Gaussian;
use crate::accounting::directed::UNIT;

/// A loss distribution on the grid `anchor + index * step`.
pub(super) struct GridLoss {
    /// Where index 0 lies.
    pub anchor: f64,
    /// Indices in increasing order, with their probability under P.
    pub entries: Vec<(i64, f64)>,
    /// Probability that was left out, and counts as infinite loss.
    pub outside: f64,
    /// The relative error of the masses.
    pub error: f64,
    /// By how much rounding may have lowered a loss.
    pub slack: f64,
}

impl GridLoss {
    /// Splits the pair's losses onto the grid through its anchor.
    pub(super) fn new(pair: NoisePair, step: f64, reach: f64) -> Self {
        let (anchor, (least, most)) = (pair.anchor(), pair.range(reach));
        // Losses, anchors and grid points are each good to a few roundings of the largest loss. A
        // loss that is on the grid but for rounding is put there: split, it would leave a trace on
        // the next point, far above a small delta.
        let rounding = 16.0 * UNIT * (least.abs() + most.abs() + anchor.abs() + step);
        let mut grid = Self {
            anchor,
            entries: Vec::new(),
            outside: pair.outside(reach),
            error: 64.0 * UNIT,
            slack: 2.0 * rounding,
        };
        match pair.losses(reach) {
            Losses::Atoms { atoms, error } => {
                grid.error += error;
                for atom in atoms {
                    let index = ((atom.loss - anchor) / step).floor();
                    let above = (atom.loss - anchor - index * step).clamp(0.0, step);
                    let above = if above <= rounding { 0.0 } else { above };
                    // p_b = p (1 - exp(a - loss)) / (1 - exp(a - b))
                    let upper = atom.mass * ((-above).exp_m1() / (-step).exp_m1()).min(1.0);
                    grid.add(index as i64, atom.mass - upper);
                    grid.add(index as i64 + 1, upper);
                }
            }
            Losses::Blocks(gaussian) => grid.add_blocks(&gaussian, step, least),
        }
        grid
    }

    fn add_blocks(&mut self, gaussian: &Gaussian, step: f64, least: f64) {
        let mut index = ((least - self.anchor) / step).floor();
        let mut from = -gaussian.radius();
        while from <= gaussian.radius() {
            let lower = self.anchor + index * step;
            let to = gaussian.first_outcome(lower + step).clamp(from, gaussian.radius() + 1.0);
            if to > from {
                let block = gaussian.block(from, to);
                // p_b = (p - exp(a) q) / (1 - exp(a - b)). The block's errors are already on the
                // cautious side; the roundings of the difference are relative to p, not to the
                // small difference, and added here.
                let difference = block.p - lower.exp() * block.q + UNIT * (16.0 + 4.0 * lower.abs()) * block.p;
                let upper = (difference / -(-step).exp_m1()).clamp(0.0, block.p);
                self.add(index as i64, block.p - upper);
                self.add(index as i64 + 1, upper);
            }
            from = to;
            index += 1.0;
        }
    }

    fn add(&mut self, index: i64, mass: f64) {
        if mass <= 0.0 {
            return;
        }
        for entry in self.entries.iter_mut().rev().take(2) {
            if entry.0 == index {
                entry.1 += mass;
                return;
            }
        }
        self.entries.push((index, mass));
    }

    /// The loss of an index.
    pub(super) fn loss(&self, index: i64, step: f64) -> f64 {
        self.anchor + index as f64 * step
    }

    /// The lowest index.
    pub(super) fn first(&self) -> i64 {
        self.entries.first().map_or(0, |entry| entry.0)
    }

    /// The highest index.
    pub(super) fn last(&self) -> i64 {
        self.entries.last().map_or(0, |entry| entry.0)
    }

    /// ln E_P[exp(tilt loss)] of the grid distribution.
    pub(super) fn cumulant(&self, step: f64, tilt: f64) -> f64 {
        let exponent = |&(index, mass): &(i64, f64)| mass.ln() + tilt * self.loss(index, step);
        let top = self.entries.iter().map(exponent).fold(f64::NEG_INFINITY, f64::max);
        top + self.entries.iter().map(|entry| (exponent(entry) - top).exp()).sum::<f64>().ln()
    }
}
