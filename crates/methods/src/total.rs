//! The estimated row count from everything that was paid for.

use lookalike_curator::{CountQuery, Curator, CuratorError, Noise};
use lookalike_measurement::{NoisyCount, NoisyMarginal, answer};
use lookalike_model::MeasuredClique;
use lookalike_privacy::{Budget, Delta, Epsilon, Rational, Relation};
use lookalike_schema::Clique;

use crate::MethodError;
use crate::budget::PlanBuilder;

/// The best unbiased combination of what is known of the row count, by inverse variances: the
/// bought count, and the sum of each noisy marginal (whose variance is that of one cell times the
/// number of cells).
///
/// Post-processing. A public count is taken as it is. Without any answer the estimate is 0. It may
/// be negative: use `max(1)` for decisions and `max(0)` for rows.
pub fn estimate(count: Option<&NoisyCount>, marginals: &[NoisyMarginal]) -> f64 {
    if let Some(NoisyCount { value, step: None }) = count {
        return *value as f64;
    }
    let bought = count.and_then(|count| Some((count.value as f64, answer::variance(count.step.as_ref()?))));
    let sums = marginals.iter().map(|marginal| {
        let sum: f64 = marginal.values.iter().map(|&value| value as f64).sum();
        (sum, marginal.variance() * marginal.values.len() as f64)
    });
    combine(bought.into_iter().chain(sums))
}

/// The mean of values with variances, weighted by the inverse of each variance; 0 without any.
pub fn combine(estimates: impl IntoIterator<Item = (f64, f64)>) -> f64 {
    let (mut weighted, mut weights) = (0.0, 0.0);
    for (value, variance) in estimates {
        // Noise so small that its variance rounds to 0 in floats is as good as none.
        let weight = 1.0 / variance.max(1e-300);
        weighted += weight * value;
        weights += weight;
    }
    if weights > 0.0 { weighted / weights } else { 0.0 }
}

/// The row count where it is public, free of charge.
pub fn public_count(curator: &mut Curator) -> Result<Option<NoisyCount>, MethodError> {
    match curator.neighbours().relation() {
        Relation::AddRemove => Ok(None),
        Relation::ReplaceOne => {
            // The noise is not used: a public count has none.
            let noise = Noise::Laplace(Rational::new(1, 1).map_err(CuratorError::from)?);
            Ok(Some(curator.row_count(&CountQuery { noise })?))
        }
    }
}

/// The public row count, or one that this share of the budget buys: below 1 as a pure stage of its
/// own, so that the plan that follows may depend on it.
pub fn row_count(curator: &mut Curator, share: f64) -> Result<NoisyCount, MethodError> {
    if let Some(public) = public_count(curator)? {
        return Ok(public);
    }
    let left = curator.remaining()?;
    let cap = if share < 1.0 { part(left, share)? } else { left };
    let mut plan = PlanBuilder::new(curator.neighbours(), cap);
    let count = plan.row_count(1.0);
    let bought = plan.commit_part(curator, cap)?;
    Ok(curator.row_count(&CountQuery { noise: bought.get(count)? })?)
}

/// A share of epsilon, and nothing of delta.
pub fn part(budget: Budget, share: f64) -> Result<Budget, MethodError> {
    let epsilon = Epsilon::new(budget.epsilon.get() * share).map_err(CuratorError::from)?;
    Ok(Budget { epsilon, delta: Delta::new(0.0).map_err(CuratorError::from)? })
}

/// A row count as one of the marginals that a model rests on: that of no columns.
pub fn coverage(count: &NoisyCount) -> MeasuredClique {
    // A public count has no noise.
    MeasuredClique { clique: Clique::new([]), variance: count.step.as_ref().map_or(0.0, answer::variance) }
}
