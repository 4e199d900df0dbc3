//! Exact composition of a fixed plan, through discrete privacy-loss distributions.
//!
//! # Privacy
//! Let D be the delta that the steps still to come can add, as a function of epsilon less the loss
//! so far. Before any step it is `D0(s) = max(0, 1 - exp(s))`. A noisy count with loss L turns D
//! into `E[D(s - L)]`; a selection turns it into the largest value that a two-point loss of its
//! range can give ([`selection`]). The run's delta at epsilon is the value at s = epsilon after all
//! steps, the first step applied last. A selection's maximum is taken with the losses before it
//! known, and `E max >= max E`: moving a selection behind a noisy count can only raise the result.
//! So all selections are applied first, in the plan's order among themselves, and the composed loss
//! of all noisy counts after them. This bounds every order in which the plan mixes them. Skipping a
//! step never adds: each operator is at least the identity (E exp(-L) <= 1 and D convex in exp(s),
//! by Jensen; t = 0 for a selection).

mod compose;
mod design;
mod grid;
mod pair;
mod profile;
pub(crate) mod quality;
mod selection;
mod tail;

#[cfg(test)]
mod tests;

use compose::Composed;
use design::Design;
use grid::GridLoss;
use pair::NoisePair;
use profile::{Nothing, Profile};
use quality::Quality;
use selection::SelectionDeltas;

use crate::accounting::directed::up;
use crate::accounting::sums::pure_epsilon;
use crate::{PrivacyError, Rational, Step};

/// Whether exact composition has a proof, or brute force, for the step.
///
/// Gaussian counts where a person has c > 1 rows: one cell shifted by c was seen to be the worst
/// split for c <= 4 and sigma from 0.3 to 3.1. Beyond that the run is summed in zCDP. ([`pair`] has
/// an argument for every c and sigma; the specification's range is kept all the same.) A score is
/// one number, so there is no split to ask about: a change by less than its sensitivity is no
/// easier to tell than the whole shift, for log-concave noise ([`pair`]).
pub(crate) fn check(step: &Step) -> Result<(), PrivacyError> {
    match step {
        Step::Gaussian { sigma_squared, sensitivity } | Step::Threshold { sigma_squared, sensitivity, .. } => {
            let in_range = *sigma_squared >= Rational::new(9, 100)? && *sigma_squared <= Rational::new(961, 100)?;
            match sensitivity.shifts().iter().max() {
                Some(&shift) if sensitivity.score().is_none() && shift > 1 && (shift > 4 || !in_range) => Err(refused(
                    "exact composition of Gaussian noise needs a contribution of 1, or up to 4 and sigma from 0.3 to 3.1",
                )),
                _ => Ok(()),
            }
        }
        Step::Laplace { sensitivity, .. } => {
            if sensitivity.l1() > u64::from(pair::LARGEST_LAPLACE_SHIFT) {
                return Err(refused("exact composition of Laplace noise takes contributions up to 100000"));
            }
            Ok(())
        }
        Step::Exponential { .. } => Ok(()),
        Step::Histogram { .. } => Err(no_histogram()),
    }
}

fn no_histogram() -> PrivacyError {
    refused("exact composition has no smoothed histograms: they are for pure epsilon")
}

/// An upper bound of the epsilon at `delta > 0` of the steps in their order. The caller has called
/// [`check`].
///
/// Where all steps are pure and their epsilons sum to less than the grids can tell, it is that sum.
pub(crate) fn epsilon<'a>(
    steps: impl IntoIterator<Item = &'a Step> + Clone,
    delta: f64,
    quality: Quality,
) -> Result<f64, PrivacyError> {
    let found = composed(steps.clone(), delta, quality)?;
    Ok(pure_epsilon(steps).map_or(found, |pure| found.min(pure)))
}

fn composed<'a>(steps: impl IntoIterator<Item = &'a Step>, delta: f64, quality: Quality) -> Result<f64, PrivacyError> {
    let (groups, selections) = sorted(steps)?;
    if groups.is_empty() && selections.is_empty() {
        return Ok(0.0);
    }
    let rest: Box<dyn Profile> = if selections.is_empty() {
        Box::new(Nothing)
    } else {
        let found = SelectionDeltas::new(&selections, delta, quality);
        Box::new(found.ok_or_else(|| refused("there are too many selections for exact composition"))?)
    };
    let count: f64 = groups.iter().map(|group| f64::from(group.1)).sum();
    // Outcomes beyond this many sigmas have, over all steps, less than 1e-10 of delta.
    let reach = (2.0 * (2.0 * count.max(1.0) * 1e10 / delta).ln()).sqrt().min(37.0);
    let selection_rho = selections.iter().map(|epsilon| epsilon * epsilon / 8.0).sum();
    let design = Design::new(&groups, selection_rho, reach);
    let (tilt, guess) = design.tilt(delta);
    if groups.is_empty() {
        return solve(delta, guess, |epsilon| rest.at(epsilon));
    }
    let window =
        design.window(delta, tilt, guess, quality).ok_or_else(|| refused("the losses are beyond all measure"))?;
    let losses: Vec<_> = groups.iter().map(|&(pair, count)| (GridLoss::new(pair, window.step, reach), count)).collect();
    let composed = Composed::new(&losses, window)?;
    solve(delta, guess, |epsilon| composed.delta(epsilon, rest.as_ref()))
}

/// The cells with noise, equal ones counted, and the selections' epsilons in their order.
type Sorted = (Vec<(NoisePair, u32)>, Vec<f64>);

fn sorted<'a>(steps: impl IntoIterator<Item = &'a Step>) -> Result<Sorted, PrivacyError> {
    let (mut groups, mut selections) = (Vec::<(NoisePair, u32)>::new(), Vec::new());
    for step in steps {
        let mut add = |pair: NoisePair| match groups.iter_mut().find(|group| group.0 == pair) {
            Some(group) => group.1 += 1,
            None => groups.push((pair, 1)),
        };
        match step {
            Step::Gaussian { sigma_squared, sensitivity } | Step::Threshold { sigma_squared, sensitivity, .. } => {
                sensitivity
                    .shifts()
                    .iter()
                    .for_each(|&shift| add(NoisePair::Gaussian { sigma_squared: *sigma_squared, shift }));
            }
            Step::Laplace { scale, sensitivity } => {
                sensitivity.shifts().iter().for_each(|&shift| add(NoisePair::Laplace { scale: *scale, shift }));
            }
            Step::Exponential { epsilon } => selections.push(up(epsilon.to_f64())),
            Step::Histogram { .. } => return Err(no_histogram()),
        }
    }
    Ok((groups, selections))
}

fn refused(what: &str) -> PrivacyError {
    PrivacyError::Plan { what: what.into() }
}

/// The smallest epsilon found with `at(epsilon) <= delta`, where `at` is nonincreasing.
fn solve(delta: f64, guess: f64, at: impl Fn(f64) -> f64) -> Result<f64, PrivacyError> {
    // How far above the aim, in logarithms; what is no number is above everything.
    let height = |epsilon: f64| {
        let value = at(epsilon);
        if value.is_nan() { f64::INFINITY } else { value.max(f64::MIN_POSITIVE).ln() - delta.ln() }
    };
    let (mut low, mut low_height) = (0.0, height(0.0));
    if low_height <= 0.0 {
        return Ok(0.0);
    }
    let mut high = if guess > 0.0 && guess.is_finite() { guess } else { 1e-6 };
    let mut high_height = height(high);
    for _ in 0..60 {
        if high_height <= 0.0 {
            break;
        }
        (low, low_height) = (high, high_height);
        high *= 1.1;
        high_height = height(high);
    }
    if high_height > 0.0 {
        return Err(PrivacyError::Plan { what: format!("exact composition cannot resolve a delta of {delta:e}") });
    }
    // Secants on the logarithm, since delta falls off nearly exponentially; every third step
    // halves, for kinks and cliffs.
    for turn in 0..120 {
        if high - low <= 1e-10 * high || high_height > -1e-9 {
            break;
        }
        let secant = low_height / (low_height - high_height);
        let share = if turn % 3 == 2 || !secant.is_finite() { 0.5 } else { secant.clamp(0.01, 0.99) };
        let middle = low + share * (high - low);
        let value = height(middle);
        if value <= 0.0 {
            (high, high_height) = (middle, value);
        } else {
            (low, low_height) = (middle, value);
        }
    }
    Ok(high)
}
