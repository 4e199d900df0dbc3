//! What the method would reach, from public facts alone.

use lookalike_curator::CuratorError;
use lookalike_privacy::{Budget, Neighbours, Relation};
use lookalike_schema::Schema;

use super::purse;
use crate::graphical::Limit;
use crate::graphical::forecast::mean_distance;
use crate::{Forecast, MethodError, Request};

/// Assumes add/remove neighbours with one row a person and columns whose codes are equally frequent. A column is measured by
/// itself and inside some tables; the precisions add.
pub(super) fn forecast(schema: &Schema, rows: u64, budget: Budget) -> Result<Forecast, MethodError> {
    let sizes = schema.domain().sizes();
    if sizes.is_empty() {
        return Ok(Forecast { tvd1: 0.0, cell_noise: 1.0 / budget.epsilon.get(), model_bytes: 8 });
    }
    let neighbours = Neighbours::new(Relation::AddRemove, 1).map_err(CuratorError::from)?;
    let (ones, tables) = purse::forecast(sizes.len(), budget, neighbours)?;
    let tvd1 = mean_distance(sizes, ones, rows.max(1) as f64);
    let model_bytes = 8 * Limit::of(&Request::default()).cells();
    Ok(Forecast { tvd1, cell_noise: tables.sqrt(), model_bytes })
}
