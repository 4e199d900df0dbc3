//! What the method would reach, from public facts alone.

use super::params::PrivMrfParams;
use super::plan::Wants;
use crate::graphical::Detail;
use crate::{Forecast, MethodError, PublicFacts};

/// Assumes marginals as large as they may be. A column is then the sum of a marginal's cells, or
/// its own count.
pub(super) fn forecast(params: &PrivMrfParams, facts: &PublicFacts) -> Result<Forecast, MethodError> {
    let &PublicFacts { schema, rows, neighbours, budget } = facts;
    let columns = schema.domain().len();
    let pairs = columns * columns.saturating_sub(1) / 2;
    let detail = Detail::when(params.levels);
    let slots = detail.slots(schema, budget.is_pure());
    let counted = detail.marginals(schema, slots);
    let wants = Wants { params: *params, columns, slots, counted, pairs, neighbours, public_rows: 0 };
    let plan = wants.plan(budget)?;
    let last = plan.rounds.map(|each| each.marginal).or(plan.first).or(plan.ones).or(plan.count);
    let Some(last) = last else {
        return Ok(Forecast { tvd1: 0.0, column_noise: 0.0, cell_noise: 0.0, model_bytes: 8 });
    };
    let variance = plan.plan.forecast_quickly(budget)?.variance(last);
    let noise = (variance * std::f64::consts::FRAC_2_PI).sqrt();
    let useful = super::universe::most_cells(rows.max(1) as f64, params.theta, noise) as f64;
    let tables = schema.domain().sizes().iter().map(|&size| [f64::from(size), f64::from(size).max(useful)]);
    Ok(Forecast::of_tables(tables, variance, budget.is_pure(), rows))
}
