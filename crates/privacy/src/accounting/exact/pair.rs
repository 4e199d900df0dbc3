//! The two output distributions that a noisy cell has on neighbouring tables, and their privacy
//! loss.
//!
//! # Privacy
//! One cell whose count differs by `shift` gives the pair P = noise, Q = noise + shift. The loss of
//! an outcome is `ln P/Q`. Both noises are symmetric, so reflecting the outcome exchanges P and Q:
//! the loss of (Q, P) has the same distribution, and one direction covers both.
//!
//! A cell that takes the whole shift `c` is the worst way to place `c` rows. Both noises are
//! log-concave on the integers, so the best test of P against a shifted P is "outcome above a
//! threshold" (with a coin at the threshold), whatever the shift. For a split `c = a + b` over two
//! cells, go from P to Q through the table where only the first cell has moved. A test of level x
//! has power at most `f_a(x)` after the first move and at most `f_b(f_a(x))` after the second,
//! where `f_a` is the power of threshold tests against the shift `a`; and `f_b(f_a(x)) =
//! f_(a+b)(x)`, since the test with the same threshold attains each of them. So the split is no
//! easier to tell apart than one cell with shift `a + b`. (The specification asks for brute force
//! where the Gaussian's shift is above 1; `super::check` keeps to the range that was brute-forced.)

use super::tail::Gaussian;
use crate::Rational;
use crate::accounting::directed::UNIT;

/// Above this sigma single outcomes are too many; blocks of them are summed by `tail`.
const ENUMERATED_SIGMA: f64 = 1000.0;
/// From this sigma on the cumulants are those of the continuous Gaussian to 70 digits. Only the
/// choice of a grid uses them.
const SMOOTH_SIGMA: f64 = 3.0;
/// Laplace noise with a larger shift has too many distinct losses.
pub(super) const LARGEST_LAPLACE_SHIFT: u32 = 100_000;

/// One cell with its noise and the shift between neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum NoisePair {
    Gaussian { sigma_squared: Rational, shift: u32 },
    Laplace { scale: Rational, shift: u32 },
}

/// An outcome, or several with the same loss: its loss and its probability under P.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Atom {
    pub loss: f64,
    pub mass: f64,
}

/// The losses of a pair in increasing order.
pub(super) enum Losses {
    /// Outcome by outcome. The losses are good to 5 roundings; the masses are good to `error`
    /// (relative).
    Atoms { atoms: Vec<Atom>, error: f64 },
    /// Too many outcomes: to be asked for block by block.
    Blocks(Gaussian),
}

impl NoisePair {
    /// The distance between neighbouring losses.
    pub(super) fn spacing(self) -> f64 {
        match self {
            NoisePair::Gaussian { sigma_squared, shift } => f64::from(shift) / sigma_squared.to_f64(),
            NoisePair::Laplace { scale, .. } => 2.0 / scale.to_f64(),
        }
    }

    /// One of the losses; for a Gaussian the mean loss.
    pub(super) fn anchor(self) -> f64 {
        match self {
            NoisePair::Gaussian { sigma_squared, shift } => f64::from(shift).powi(2) / (2.0 * sigma_squared.to_f64()),
            NoisePair::Laplace { scale, shift } => f64::from(shift) / scale.to_f64(),
        }
    }

    /// The smallest and the largest loss when Gaussian outcomes beyond `reach` sigmas are left out.
    pub(super) fn range(self, reach: f64) -> (f64, f64) {
        match self {
            NoisePair::Gaussian { sigma_squared, .. } => {
                let radius = radius(sigma_squared.to_f64().sqrt(), reach);
                (self.anchor() - self.spacing() * radius, self.anchor() + self.spacing() * radius)
            }
            NoisePair::Laplace { .. } => (-self.anchor(), self.anchor()),
        }
    }

    /// A bound of the probability of the outcomes beyond `reach` sigmas.
    ///
    /// The discrete Gaussian is sub-Gaussian with parameter sigma^2 (Canonne, Kamath, Steinke 2020,
    /// lemma 1): P(|Y| >= r) <= 2 exp(-r^2 / (2 sigma^2)).
    pub(super) fn outside(self, reach: f64) -> f64 {
        match self {
            NoisePair::Gaussian { .. } => 2.0 * (-0.5 * reach * reach).exp() * (1.0 + 1e-12),
            NoisePair::Laplace { .. } => 0.0,
        }
    }

    /// The losses up to `reach` sigmas.
    pub(super) fn losses(self, reach: f64) -> Losses {
        match self {
            NoisePair::Gaussian { sigma_squared, shift } => {
                let sigma_squared = sigma_squared.to_f64();
                let radius = radius(sigma_squared.sqrt(), reach);
                if sigma_squared > ENUMERATED_SIGMA * ENUMERATED_SIGMA {
                    return Losses::Blocks(Gaussian::new(sigma_squared, shift, radius));
                }
                gaussian_atoms(sigma_squared, f64::from(shift), radius)
            }
            NoisePair::Laplace { scale, shift } => laplace_atoms(scale.to_f64(), shift),
        }
    }

    /// ln E_P[exp(tilt loss)] and its first two derivatives. Only good enough to choose a grid.
    pub(super) fn cumulant(self, reach: f64) -> Cumulant {
        if let NoisePair::Gaussian { sigma_squared, .. } = self
            && sigma_squared.to_f64() >= SMOOTH_SIGMA * SMOOTH_SIGMA
        {
            return Cumulant::Smooth { rho: self.anchor() };
        }
        match self.losses(reach) {
            Losses::Atoms { atoms, .. } => Cumulant::Atoms(atoms),
            Losses::Blocks(_) => Cumulant::Smooth { rho: self.anchor() },
        }
    }
}

/// How far outcomes are listed: whole numbers, at least 2.
fn radius(sigma: f64, reach: f64) -> f64 {
    (sigma * reach).ceil().max(2.0)
}

/// With outcome y at the P side, P is proportional to exp(-y^2 / 2s), Q to exp(-(y + c)^2 / 2s),
/// and the loss is c (c + 2y) / 2s: increasing in y.
fn gaussian_atoms(sigma_squared: f64, shift: f64, radius: f64) -> Losses {
    let radius_index = radius as i64;
    let density = |y: f64| (-y * y / (2.0 * sigma_squared)).exp();
    // Leaving out the far tail makes the normalizer smaller and each probability larger.
    let normalizer: f64 = 1.0 + 2.0 * (1..=radius_index).rev().map(|y| density(y as f64)).sum::<f64>();
    let atoms = (-radius_index..=radius_index)
        .map(|y| {
            let y = y as f64;
            let loss = shift * (shift + 2.0 * y) / (2.0 * sigma_squared);
            Atom { loss, mass: density(y) / normalizer }
        })
        .collect();
    // The exponent has 4 roundings, which the exponential magnifies by the exponent itself; the sum
    // has one a term.
    let error = UNIT * (4.0 * (radius * radius / (2.0 * sigma_squared)) + 16.0 + 2.0 * radius);
    Losses::Atoms { atoms, error }
}

/// With a = exp(-1/scale): outcomes at or below 0 have loss c/scale and mass 1/(1 + a) in all,
/// outcomes at or above c the opposite loss and a^c/(1 + a), and x between has loss (c - 2x)/scale
/// and mass (1 - a)/(1 + a) a^x.
fn laplace_atoms(scale: f64, shift: u32) -> Losses {
    let below_one = (-1.0 / scale).exp();
    let largest = f64::from(shift) / scale;
    let mut atoms = Vec::with_capacity(shift as usize + 1);
    atoms.push(Atom { loss: -largest, mass: (-largest).exp() / (1.0 + below_one) });
    for x in (1..shift).rev() {
        let loss = (f64::from(shift) - 2.0 * f64::from(x)) / scale;
        let mass = -(-1.0 / scale).exp_m1() / (1.0 + below_one) * (-f64::from(x) / scale).exp();
        atoms.push(Atom { loss, mass });
    }
    atoms.push(Atom { loss: largest, mass: 1.0 / (1.0 + below_one) });
    Losses::Atoms { atoms, error: UNIT * (4.0 * largest + 32.0) }
}

/// The logarithm of the moment generating function of a loss.
pub(super) enum Cumulant {
    /// rho t (1 + t).
    Smooth { rho: f64 },
    /// Summed up from atoms.
    Atoms(Vec<Atom>),
}

impl Cumulant {
    /// The value and two derivatives at `tilt`.
    pub(super) fn at(&self, tilt: f64) -> [f64; 3] {
        match self {
            Cumulant::Smooth { rho } => [rho * tilt * (1.0 + tilt), rho * (1.0 + 2.0 * tilt), 2.0 * rho],
            Cumulant::Atoms(atoms) => {
                let top = atoms.iter().map(|atom| atom.mass.ln() + tilt * atom.loss).fold(f64::NEG_INFINITY, f64::max);
                let weigh = |atom: &Atom| (atom.mass.ln() + tilt * atom.loss - top).exp();
                let (mut sum, mut first) = (0.0, 0.0);
                for atom in atoms {
                    sum += weigh(atom);
                    first += weigh(atom) * atom.loss;
                }
                let mean = first / sum;
                let second: f64 = atoms.iter().map(|atom| weigh(atom) * (atom.loss - mean).powi(2)).sum();
                [top + sum.ln(), mean, second / sum]
            }
        }
    }
}
