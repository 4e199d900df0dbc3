//! Many losses added up: one Fourier transform of tilted distributions.
//!
//! A plain transform has errors of about 1e-16 in every place, far above the probabilities that a
//! delta of 1e-15 is made of. So each loss distribution is tilted first: its mass at loss l is
//! multiplied by exp(tilt l) and scaled to sum 1. Tilted distributions convolve to the tilted
//! convolution, and the tilt is chosen such that the sum's tilted mean lies where epsilon is
//! expected. There the errors are small *relative* to delta.
//!
//! # Privacy
//! Everything that the numbers leave out is added to delta:
//! - outcomes beyond the reach of the grid: their probability, for each step;
//! - sums above the window, which the circular transform folds down: at most P(sum > top), by
//!   Chernoff;
//! - sums below the window: their tilted probability (Chernoff again) times the most they can
//!   contribute. They also show up folded above the window, which only adds;
//! - the transform's rounding, as a bound for every place (see `spectrum_error`);
//! - the relative errors of masses, powers and exponentials, as one factor;
//! - rounding of the losses themselves, as a lower epsilon to look at.

use realfft::num_complex::Complex;
use realfft::{RealFftPlanner, RealToComplex};
use std::sync::Arc;

use super::grid::GridLoss;
use super::profile::Profile;
use crate::PrivacyError;
use crate::accounting::directed::UNIT;

/// What to compute: the grid step, the tilt, and the sums of loss that matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub step: f64,
    pub tilt: f64,
    /// Tilts for the Chernoff bounds of the two ends.
    pub tilt_above: f64,
    pub tilt_below: f64,
    /// Where the window begins.
    pub low: f64,
    /// The number of places: a power of two.
    pub size: usize,
}

/// The distribution of the summed loss inside a window, with all that it leaves out.
pub(super) struct Composed {
    /// Losses of the places that are used, and their probabilities under P, rounded up.
    step: f64,
    low: f64,
    masses: Vec<f64>,
    /// `sums[i]` is the sum of `masses[i..]`.
    sums: Vec<f64>,
    tilt: f64,
    /// The probability that was left out of the steps' grids.
    outside: f64,
    /// The probability above the window.
    above: f64,
    /// The tilted probability below the window, times the scale of the tilt: its logarithm.
    below: f64,
    /// The natural logarithm of the factor that covers relative errors.
    relative: f64,
    slack: f64,
}

impl Composed {
    /// The sum of `count` independent copies of each loss.
    pub(super) fn new(groups: &[(GridLoss, u32)], window: Window) -> Result<Self, PrivacyError> {
        let Window { step, tilt, size, .. } = window;
        let total =
            |tilt: f64| groups.iter().map(|(loss, count)| f64::from(*count) * loss.cumulant(step, tilt)).sum::<f64>();
        let log_scale = total(tilt);
        let shift: f64 = groups.iter().map(|(loss, count)| f64::from(*count) * loss.anchor).sum();
        // Index 0 of the window: the grid point at or below `low`.
        let first = ((window.low - shift) / step).floor();
        let low = shift + first * step;
        let high = low + size as f64 * step;

        let (spectrum, error) = product(groups, window)?;
        let (tilted, place_error) = back(spectrum, error, size)?;
        let first_place = (first as i64).rem_euclid(size as i64) as usize;
        let masses: Vec<f64> = (0..size)
            .map(|place| {
                let mass = tilted[(first_place + place) % size].max(0.0) + place_error;
                // No probability is above 1, so the cap keeps far places finite and stays a bound.
                (mass * (log_scale - tilt * (low + place as f64 * step)).exp()).min(1.0)
            })
            .collect();
        let mut sums = masses.clone();
        for place in (0..size - 1).rev() {
            sums[place] += sums[place + 1];
        }

        let outside = groups.iter().map(|(loss, count)| f64::from(*count) * loss.outside).sum();
        let ends = |end: fn(&GridLoss) -> i64| {
            groups.iter().map(|(loss, count)| f64::from(*count) * end(loss) as f64).sum::<f64>()
        };
        let all_below_top = ends(GridLoss::last) < first + size as f64;
        let above = if all_below_top { 0.0 } else { (total(window.tilt_above) - window.tilt_above * high).exp() };
        let none_below = ends(GridLoss::first) >= first;
        let below =
            if none_below { f64::NEG_INFINITY } else { total(window.tilt_below) + (tilt - window.tilt_below) * low };

        // Exponents are rounded, and the exponential makes their rounding a relative error.
        let mut tilts = tilt;
        if !all_below_top {
            tilts = tilts.max(window.tilt_above);
        }
        if !none_below {
            tilts = tilts.max(window.tilt_below.abs());
        }
        let exponents = |(loss, count): &(GridLoss, u32)| {
            let largest = loss.loss(loss.first(), step).abs().max(loss.loss(loss.last(), step).abs());
            f64::from(*count) * (loss.error + 8.0 * UNIT * (800.0 + tilts * largest))
        };
        let roundings = log_scale.abs() + tilts * (low.abs() + high.abs()) + size as f64;
        let relative = groups.iter().map(exponents).sum::<f64>() + UNIT * (8.0 + groups.len() as f64) * roundings;
        let slack = groups.iter().map(|(loss, count)| f64::from(*count) * loss.slack).sum::<f64>()
            + UNIT * (16.0 + groups.len() as f64) * (low.abs() + high.abs() + shift.abs());
        Ok(Self { step, low, masses, sums, tilt, outside, above, below, relative, slack })
    }

    /// An upper bound of the delta at `epsilon` when the steps of `rest` follow: E[rest(epsilon -
    /// loss)].
    pub(super) fn delta(&self, epsilon: f64, rest: &dyn Profile) -> f64 {
        let epsilon = epsilon - self.slack;
        // Places below `epsilon - end` see at most the profile's value at its end, and have a
        // probability of at most 1.
        let start =
            ((epsilon - rest.end() - self.low) / self.step).floor().clamp(0.0, self.masses.len() as f64) as usize;
        let mut sum = rest.at(rest.end());
        for place in start..self.masses.len() {
            sum += self.masses[place] * rest.at(epsilon - self.low - place as f64 * self.step);
            // A profile is at most 1, so what is left adds at most its sum.
            if place % 64 == 0 && self.sums[place] <= 1e-13 * sum {
                sum += self.sums[place];
                break;
            }
        }
        // sum over l < low of p(l) rest(epsilon - l) <= P_tilted(l < low) scale exp(-t epsilon) max
        // exp(t s) rest(s)
        let below = (self.below - self.tilt * epsilon + rest.ln_largest_tilted(self.tilt, epsilon - self.low)).exp();
        (sum + self.above + below) * self.relative.exp() + self.outside
    }
}

/// A bound of the rounding error in each place of a transform of `size` places, relative to the sum
/// of the inputs' sizes.
///
/// A fast transform passes every input to every output along one path of about log2(size)
/// butterflies, plus three for the real-to-complex step. A butterfly is a product with a rounded
/// root of unity and a sum: at most 5 roundings. 12 are counted.
fn spectrum_error(size: usize) -> f64 {
    12.0 * UNIT * (f64::from(size.ilog2()) + 3.0)
}

/// The product of the powers of all spectra, and for each frequency a bound of its error.
fn product(groups: &[(GridLoss, u32)], window: Window) -> Result<(Vec<Complex<f64>>, Vec<f64>), PrivacyError> {
    let Window { step, tilt, size, .. } = window;
    let forward = RealFftPlanner::<f64>::new().plan_fft_forward(size);
    let mut result = vec![Complex::new(1.0, 0.0); size / 2 + 1];
    // Upper bound of the product's size, and of the sum of the relative errors, for each frequency.
    let mut bound = vec![1.0f64; size / 2 + 1];
    let mut errors = vec![0.0f64; size / 2 + 1];
    for (loss, count) in groups {
        let spectrum = transform(loss, step, tilt, size, &forward)?;
        let error = spectrum_error(size) * (1.0 + 1e-9);
        let count_float = f64::from(*count);
        for (index, value) in spectrum.into_iter().enumerate() {
            // (a + e)^k - a^k <= k e (a + e)^(k-1), and rounding a power of k costs at most 4 k
            // roundings.
            let size_bound = value.norm() + error;
            bound[index] *= size_bound.powi(*count as i32) * (1.0 + 4.0 * UNIT * count_float);
            errors[index] += count_float * (error / size_bound + 4.0 * UNIT);
            result[index] *= power(value, *count);
        }
    }
    for (error, bound) in errors.iter_mut().zip(&bound) {
        *error *= bound;
    }
    Ok((result, errors))
}

/// The spectrum of one tilted loss.
fn transform(
    loss: &GridLoss,
    step: f64,
    tilt: f64,
    size: usize,
    forward: &Arc<dyn RealToComplex<f64>>,
) -> Result<Vec<Complex<f64>>, PrivacyError> {
    let scale = loss.cumulant(step, tilt);
    let mut places = vec![0.0; size];
    for &(index, mass) in &loss.entries {
        let tilted = (mass.ln() + tilt * loss.loss(index, step) - scale).exp();
        places[index.rem_euclid(size as i64) as usize] += tilted;
    }
    let mut spectrum = vec![Complex::new(0.0, 0.0); size / 2 + 1];
    forward.process(&mut places, &mut spectrum).map_err(|error| failed(&error))?;
    Ok(spectrum)
}

/// The inverse transform, and a bound of the error in each place.
fn back(mut spectrum: Vec<Complex<f64>>, errors: Vec<f64>, size: usize) -> Result<(Vec<f64>, f64), PrivacyError> {
    // Each frequency but the first and the middle one stands for two.
    let carried: f64 = 2.0 * errors.iter().sum::<f64>();
    let sizes: f64 = 2.0 * spectrum.iter().map(|value| value.norm()).sum::<f64>();
    // The transform of a real sequence is real at both ends; rounding may have left a trace.
    if let [first, .., last] = spectrum.as_mut_slice() {
        (first.im, last.im) = (0.0, 0.0);
    }
    let mut places = vec![0.0; size];
    let backward = RealFftPlanner::<f64>::new().plan_fft_inverse(size);
    backward.process(&mut spectrum, &mut places).map_err(|error| failed(&error))?;
    let scale = 1.0 / size as f64;
    places.iter_mut().for_each(|place| *place *= scale);
    let error = (carried + spectrum_error(size) * sizes) * scale;
    Ok((places, error * (1.0 + 1e-6) + f64::MIN_POSITIVE))
}

fn power(mut base: Complex<f64>, mut exponent: u32) -> Complex<f64> {
    let mut result = Complex::new(1.0, 0.0);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result *= base;
        }
        base *= base;
        exponent >>= 1;
    }
    result
}

fn failed(error: &dyn std::fmt::Display) -> PrivacyError {
    PrivacyError::Plan { what: format!("the transform failed: {error}") }
}
