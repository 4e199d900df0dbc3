//! What the method would reach, from public facts alone.

use super::params::AimParams;
use crate::budget::BudgetFilter;
use crate::graphical::Limit;
use crate::one_way::{LAPLACE, mean_distance};
use crate::{Forecast, MethodError, PublicFacts, Request};

/// Takes a column's own counts alone. Rounds measure the columns again inside larger tables, so the
/// truth is better.
pub(super) fn forecast(params: &AimParams, facts: &PublicFacts) -> Result<Forecast, MethodError> {
    let &PublicFacts { schema, rows, neighbours, budget } = facts;
    let sizes = schema.domain().sizes();
    if sizes.is_empty() {
        return Ok(Forecast::without_columns(budget));
    }
    let filter = BudgetFilter::over(budget, neighbours)?;
    let ones = filter.variance(params.one_share * filter.total() / sizes.len() as f64)?;
    // Experience: about three rounds a column, of growing budgets.
    let tables = filter
        .variance((1.0 - params.one_share) * (1.0 - params.select_share) * filter.total() / sizes.len() as f64)?;
    let tvd1 = mean_distance(sizes, if filter.is_pure() { LAPLACE * ones } else { ones }, rows.max(1) as f64);
    let model_bytes = 8 * Limit::of(&Request::default()).cells();
    Ok(Forecast { tvd1, column_noise: ones.sqrt(), cell_noise: tables.sqrt(), model_bytes })
}
