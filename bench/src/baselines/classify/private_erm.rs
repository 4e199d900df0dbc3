//! Objective perturbation.

use anyhow::{Result, ensure};
use lookalike_evaluate::learn::{Examples, Smooth, minimize};
use lookalike_privacy::{Epsilon, NoiseBits};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::simulate::draw::{normal_pair, uniform};

/// The price C of a unit of loss.
const COST: f64 = 1.0;
/// Half the width h of the rounded corner of the loss.
const HUBER: f64 = 0.5;
/// Length of the gradient at which minimization stops; weights move by about this over lambda.
const TOLERANCE: f64 = 1e-8;
const ITERATIONS: usize = 1000;

/// PrivateERM: regularized empirical risk with Huber loss, plus a random linear term.
///
/// # Privacy
/// Replace-one, n public, rows of length at most 1 (checked). Chaudhuri, Monteleoni and Sarwate
/// 2011, algorithm 2 and theorem 9: with the loss's slope at most 1 and curvature at most c =
/// 1/(2h), adding b.w/n with a density of b that is proportional to exp(-epsilon' |b| / 2) costs a
/// pure epsilon, where epsilon' = epsilon - 2 ln(1 + c/(n lambda)) when that is positive; otherwise
/// epsilon' = epsilon/2 and lambda is raised to c/(n (e^(epsilon/4) - 1)).
///
/// For experiments only: b is drawn in floats, and the theorem wants the exact minimum, where we
/// have one up to a small gradient.
///
/// # Settings
/// lambda = 1/(n C) with C = 1, as for the other machines of PB14, and h = 1/2, so c = 1 and c/(n
/// lambda) = 1: epsilon' is epsilon - 1.386 from epsilon 1.386 on. That is the artefact which
/// PB14's footnote 3 speaks of: at epsilon 1.6 the noise is far larger (epsilon' = 0.214) than at
/// 0.8 (0.4).
pub(super) fn private_erm(examples: &Examples, epsilon: Epsilon, bits: &mut dyn NoiseBits) -> Result<Vec<f64>> {
    let longest = (0..examples.len()).map(|index| examples.square(index)).fold(0.0, f64::max);
    ensure!(longest <= 1.0 + 1e-9, "PrivateERM needs rows of length at most 1");
    let (left, lambda) = calibrate(examples.len().max(1), epsilon);
    let tilt = direction(examples.features(), left / 2.0, bits);
    Ok(minimize(&Huber { examples, half_width: HUBER, lambda, tilt }, TOLERANCE, ITERATIONS).point)
}

/// The epsilon' that the random term is drawn with, and the regularization to use, for n rows.
pub fn calibrate(rows: usize, epsilon: Epsilon) -> (f64, f64) {
    let (n, curvature) = (rows as f64, 1.0 / (2.0 * HUBER));
    let lambda = 1.0 / (n * COST);
    let left = epsilon.get() - 2.0 * (curvature / (n * lambda)).ln_1p();
    if left > 0.0 {
        (left, lambda)
    } else {
        (epsilon.get() / 2.0, lambda.max(curvature / (n * (epsilon.get() / 4.0).exp_m1())))
    }
}

/// A vector with density proportional to exp(-rate |b|): a uniform direction, and a length that is
/// a sum of as many exponentials as there are features.
fn direction(features: usize, rate: f64, bits: &mut dyn NoiseBits) -> Vec<f64> {
    let mut floats = ChaCha20Rng::from_seed(std::array::from_fn(|_| bits.next_u64() as u8));
    let mut normals: Vec<f64> = (0..features.div_ceil(2)).flat_map(|_| normal_pair(&mut floats)).collect();
    normals.truncate(features);
    let length: f64 = normals.iter().map(|normal| normal * normal).sum::<f64>().sqrt();
    let radius: f64 = (0..features).map(|_| -(1.0 - uniform(&mut floats)).ln() / rate).sum();
    normals.iter_mut().for_each(|normal| *normal *= radius / length);
    normals
}

/// (1/n) sum of Huber's loss + lambda/2 |w|^2 + tilt.w / n.
///
/// Huber's loss of a margin z: 0 above 1 + h, 1 - z below 1 - h, and (1 + h - z)^2 / (4h) between.
pub struct Huber<'a> {
    /// The examples.
    pub examples: &'a Examples,
    /// Half the width h of the rounded corner.
    pub half_width: f64,
    /// The weight lambda of the regularization.
    pub lambda: f64,
    /// The linear term b.
    pub tilt: Vec<f64>,
}

impl Huber<'_> {
    /// The loss of a margin and its slope.
    fn loss(&self, margin: f64) -> (f64, f64) {
        let (h, short) = (self.half_width, 1.0 - margin);
        if short < -h {
            (0.0, 0.0)
        } else if short > h {
            (short, -1.0)
        } else {
            ((short + h).powi(2) / (4.0 * h), -(short + h) / (2.0 * h))
        }
    }
}

impl Smooth for Huber<'_> {
    fn variables(&self) -> usize {
        self.examples.features()
    }

    fn evaluate(&self, point: &[f64], gradient: &mut [f64]) -> f64 {
        let n = self.examples.len().max(1) as f64;
        let mut value = 0.0;
        for ((slot, weight), tilt) in gradient.iter_mut().zip(point).zip(&self.tilt) {
            *slot = self.lambda * weight + tilt / n;
            value += weight * (0.5 * self.lambda * weight + tilt / n);
        }
        for (index, &label) in self.examples.labels().iter().enumerate() {
            let (loss, slope) = self.loss(label * self.examples.dot(index, point));
            value += loss / n;
            if slope != 0.0 {
                self.examples.add(index, slope * label / n, gradient);
            }
        }
        value
    }
}
