//! What the method would reach, from public facts alone.

use super::fit;
use super::params::IndependentParams;
use crate::one_way::{LAPLACE, mean_distance};
use crate::{Forecast, MethodError, PublicFacts};

/// Assumes columns whose codes are equally frequent (the hardest case for a given number of codes):
/// each cell of the release then misses by the noise and by the rounding to whole rows.
pub(super) fn forecast(params: &IndependentParams, facts: &PublicFacts) -> Result<Forecast, MethodError> {
    let &PublicFacts { schema, rows, neighbours, budget } = facts;
    let domain = schema.domain();
    let asked = fit::plan(params, domain, neighbours, budget);
    let bought = asked.plan.forecast(budget)?;
    let variance = asked.marginals.or(asked.count).map_or(0.0, |last| bought.variance(last));
    let felt = if budget.is_pure() { LAPLACE * variance } else { variance };
    let tvd1 = mean_distance(domain.sizes(), felt, rows.max(1) as f64);
    let floats: u64 = domain.sizes().iter().map(|&size| u64::from(size)).sum();
    let noise = variance.sqrt();
    Ok(Forecast { tvd1, column_noise: noise, cell_noise: noise, model_bytes: 8 * (floats + 1) })
}
