//! Mirror descent with momentum.

use super::mirror::gap_is_small;
use super::stop::Stop;
use super::{Options, problem::Problem};
use crate::ModelError;

/// Shorter steps than this share of the first are no steps.
const SHORTEST: f64 = 1e-9;
/// After a step that raises the loss the rate becomes this much smaller.
const SHRINK: f64 = 0.7;

/// Nesterov's scheme on the potentials: step from an extrapolated point, and extrapolate further
/// the longer it goes well. When the loss rises, the speed is lost and the step shortened.
///
/// The map from potentials to gradient is, to first order, a product of two positive matrices, so
/// its eigenvalues are real and positive, and extrapolation gains what it gains for quadratics: the
/// root of the number of steps.
pub(super) fn run(problem: &mut Problem, options: &Options) -> Result<bool, ModelError> {
    let mut stop = Stop::new(problem.measured_cells());
    let first = problem.first_rate();
    let mut rate = first;
    // `problem.point` is the extrapolated point, where the residual is known; `base` is what it was
    // extrapolated from.
    let mut base = problem.point.clone();
    let mut trial = problem.point.clone();
    let mut age = 0.0;
    while problem.passes < options.passes {
        let speed = age / (age + 3.0);
        for (((trial, &point), &slope), &base) in trial.iter_mut().zip(&problem.point).zip(&problem.residual).zip(&base)
        {
            let stepped = point - rate * slope;
            *trial = stepped + speed * (stepped - base);
        }
        let loss = problem.try_at(&trial)?;
        if loss >= problem.loss || loss.is_nan() {
            base.copy_from_slice(&problem.point);
            age = 0.0;
            rate *= SHRINK;
            if rate < SHORTEST * first {
                return Ok(true);
            }
            continue;
        }
        // The next base is the stepped point, which is not kept: it follows from the trial.
        for ((base, &point), &slope) in base.iter_mut().zip(&problem.point).zip(&problem.residual) {
            *base = point - rate * slope;
        }
        age += 1.0;
        std::mem::swap(&mut problem.point, &mut trial);
        problem.loss = loss;
        problem.take_residual(|_, _, _| ());
        if stop.after(loss, options) {
            return Ok(true);
        }
        if stop.gap_is_due(options) && gap_is_small(problem, options)? {
            return Ok(true);
        }
    }
    Ok(false)
}
