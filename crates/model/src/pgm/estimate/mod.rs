//! Estimation: from noisy marginals, each with its own variance, to one distribution.
//!
//! What is minimized is half the sum, over measurements, of `|y - N mu|^2 / variance`, where `mu`
//! is the model's marginal of the measured clique and `N` the total. The model is an exponential
//! family on the tree: one potential for each measured clique. In terms of `mu` the problem is
//! convex, and the optimum often lies on the border (noise makes counts negative), where potentials
//! run to minus infinity.
//!
//! # Which method, and why
//! Mirror descent from the best combination of recent iterates. In mirror descent the potentials
//! move against the gradient in `mu`, and a pass of inference says which marginals they then have.
//! The loss is a known quadratic of `mu`, so the affine combination of recent iterates with the
//! least loss can be worked out without a pass; the same combination of the potentials, and one
//! gradient step from it, is the next iterate. This is Anderson's acceleration in the loss's own
//! metric. Near the optimum it is as good as conjugate gradients on the problem's own curvature,
//! and no step or curvature has to be known.
//!
//! On 24 noisy marginals of a census table (4,795 measured cells) it takes about 115 passes to
//! within 2.6% of the optimal loss; on ten triples of a million cells about 90 to 0.1% of the
//! optimum. Tried and rejected:
//! - mirror descent with a line search: sure and slow, about 3,000 passes on the census table,
//!   since the step is set by the largest cells, and small cells crawl;
//! - Nesterov's extrapolation of the potentials with restarts: about 250 passes there, and 95 on
//!   the triples;
//! - L-BFGS on the potentials with the gradient from a second pass: 13 times the optimal loss after
//!   2,000 steps;
//! - L-BFGS on the entropy-smoothed dual: 2,000 passes, because the temperature must be tiny;
//! - diagonal scalings of the mirror step: another limit, since at the border the gradient does not
//!   vanish, and scaling turns it;
//! - a first rate that is safe for cells of probability 1: it stalls on large cliques, where a
//!   uniform start is far from everything.
//!
//! # Stopping
//! By relative decrease: when the last [`Options::window`] steps have lowered the loss by less than
//! [`Options::tolerance`] of it. The duality gap ([`Fit::gap`]) is exact (its linear problem is a
//! best row of the tree) but looser by orders of magnitude at the border, so it is a certificate,
//! and stops no fit.

mod anderson;
mod fitter;
mod options;
mod problem;
mod stop;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::ModelError;
use crate::pgm::tree::JunctionTree;
use anderson::descend;
use problem::FitProblem;

pub use fitter::{Fitter, Refit};
pub(crate) use options::Combined;
pub use options::{Fit, Measurement, Options};

/// Fits the potentials of the measured cliques to the measurements.
///
/// Impossible combinations of the tree have probability 0 throughout. Without measurements the
/// model is uniform over possible rows. Refuses measurements that lie in no clique of the tree, a
/// wrong number of values, values that are not numbers, a variance or total that is not positive
/// and finite, and rules that leave no possible row.
pub fn estimate(tree: &JunctionTree, measurements: &[Measurement], options: &Options) -> Result<Fit, ModelError> {
    estimate_on(Arc::new(tree.clone()), measurements, options.clone())
}

fn estimate_on(tree: Arc<JunctionTree>, measurements: &[Measurement], mut options: Options) -> Result<Fit, ModelError> {
    let mut problem = FitProblem::new(tree, measurements, &options)?;
    // The start has been taken in; it is as large as the measurements.
    options.start = Vec::new();
    let converged = descend(&mut problem, &options)?;
    problem.finish(converged)
}
