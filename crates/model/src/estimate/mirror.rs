//! Mirror descent with a line search.

use super::stop::Stop;
use super::{Options, problem::Problem};
use crate::ModelError;
use crate::factor::kernel::{self, Level};

/// Shorter steps than this share of the first are no steps.
const SHORTEST: f64 = 1e-12;

/// The potentials move against the gradient; the step doubles after success and halves until the
/// loss falls by half of what the gradient promised.
pub(super) fn run(problem: &mut Problem, options: &Options) -> Result<bool, ModelError> {
    let mut stop = Stop::new(problem.measured_cells());
    let mut trial = problem.point.clone();
    let first = problem.first_rate();
    let mut rate = first;
    while problem.passes < options.passes {
        let start = problem.loss;
        loop {
            for ((trial, &point), &slope) in trial.iter_mut().zip(&problem.point).zip(&problem.residual) {
                *trial = point - rate * slope;
            }
            let loss = problem.try_at(&trial)?;
            if start - loss >= 0.5 * promised(problem) {
                problem.loss = loss;
                break;
            }
            rate *= 0.5;
            if rate < SHORTEST * first {
                return Ok(true);
            }
        }
        std::mem::swap(&mut problem.point, &mut trial);
        problem.take_residual(|_, _, _| ());
        rate *= 2.0;
        if stop.after(problem.loss, options) {
            return Ok(true);
        }
        if stop.gap_is_due(options) && gap_is_small(problem, options)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How much the tangent plane falls from the point to the last pass.
pub(super) fn promised(problem: &Problem) -> f64 {
    let mut fall = 0.0;
    for (number, (field, &root)) in problem.engine.schedule.fields.iter().zip(&problem.roots).enumerate() {
        let (slopes, counts) = (&problem.residual[field.cells.clone()], &problem.counts()[field.cells.clone()]);
        // The residual is (N mu - y) / sigma, so N mu / sigma at the point is the residual plus y /
        // sigma.
        fall += kernel::dot(Level::detect(), slopes, slopes) + kernel::dot(Level::detect(), slopes, counts)
            - problem.total * root * kernel::dot(Level::detect(), slopes, problem.engine.marginal(number));
    }
    fall
}

/// Looks at the gap and puts the engine back.
pub(super) fn gap_is_small(problem: &mut Problem, options: &Options) -> Result<bool, ModelError> {
    let Some(share) = options.gap else { return Ok(false) };
    let gap = problem.gap();
    Ok(gap <= share * problem.loss)
}
