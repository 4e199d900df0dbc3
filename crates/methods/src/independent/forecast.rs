//! What the method would reach, from public facts alone.

use super::fit;
use super::params::IndependentParams;
use crate::{Forecast, MethodError, PublicFacts};

/// Each cell of the release misses by the noise and by the rounding to whole rows.
pub(super) fn forecast(params: &IndependentParams, facts: &PublicFacts) -> Result<Forecast, MethodError> {
    let &PublicFacts { schema, rows, neighbours, budget } = facts;
    let domain = schema.domain();
    let asked = fit::plan(params, domain, neighbours, budget);
    let bought = asked.plan.forecast(budget)?;
    let variance = asked.marginals.or(asked.count).map_or(0.0, |last| bought.variance(last));
    let sizes = domain.sizes().iter().map(|&size| [f64::from(size); 2]);
    Ok(Forecast::of_tables(sizes, variance, budget.is_pure(), rows))
}
