//! What the method would reach, from public facts alone.

use lookalike_curator::CuratorError;
use lookalike_measurement::answer;
use lookalike_privacy::{Budget, Neighbours, Relation};
use lookalike_schema::Schema;

use super::AimParams;
use crate::graphical::forecast::mean_distance;
use crate::graphical::{Filter, Limit};
use crate::{Forecast, MethodError, Request};

/// Assumes add/remove neighbours with one row a person and columns whose codes are equally frequent; takes a column's own counts
/// alone. Rounds measure the columns again inside larger tables, so the truth is better.
pub(super) fn forecast(
    params: &AimParams,
    schema: &Schema,
    rows: u64,
    budget: Budget,
) -> Result<Forecast, MethodError> {
    let sizes = schema.domain().sizes();
    if sizes.is_empty() {
        return Ok(Forecast { tvd1: 0.0, cell_noise: 1.0 / budget.epsilon.get(), model_bytes: 8 });
    }
    let neighbours = Neighbours::new(Relation::AddRemove, 1).map_err(CuratorError::from)?;
    let filter = Filter::over(budget, neighbours)?;
    let variance =
        |amount: f64| -> Result<f64, MethodError> { Ok(answer::variance(&filter.step_of(filter.noise(amount)?))) };
    let ones = variance(params.one_share * filter.total() / sizes.len() as f64)?;
    // Experience: about three rounds a column, of growing budgets.
    let tables =
        variance((1.0 - params.one_share) * (1.0 - params.select_share) * filter.total() / sizes.len() as f64)?;
    let tvd1 = mean_distance(sizes, ones, rows.max(1) as f64);
    let model_bytes = 8 * Limit::of(&Request::default()).cells();
    Ok(Forecast { tvd1, cell_noise: tables.sqrt(), model_bytes })
}
