//! What the method would reach, from public facts alone.

use lookalike_curator::CuratorError;
use lookalike_measurement::answer;
use lookalike_model::SPLIT_ROWS;
use lookalike_privacy::{Budget, Neighbours, Relation};
use lookalike_schema::Schema;

use super::{Independent, fit};
use crate::{Forecast, MethodError};

/// Assumes add/remove neighbours with one row a person, and columns whose codes are equally frequent (the hardest case
/// for a given number of codes): each cell of the release then misses by the noise and by the rounding to whole rows.
pub(super) fn forecast(
    method: &Independent,
    schema: &Schema,
    rows: u64,
    budget: Budget,
) -> Result<Forecast, MethodError> {
    let neighbours = Neighbours::new(Relation::AddRemove, 1).map_err(CuratorError::from)?;
    let domain = schema.domain();
    let asked = fit::plan(method, domain, neighbours, budget);
    let plan = asked.plan.calibrate(budget).map_err(CuratorError::from)?;
    let variance = plan.steps().last().map_or(0.0, |planned| answer::variance(&planned.step));
    let rows = rows.max(1) as f64;
    let distances = domain.sizes().iter().map(|&size| distance(f64::from(size), variance, rows));
    let tvd1 = if domain.is_empty() { 0.0 } else { distances.sum::<f64>() / domain.len() as f64 };
    let floats: u64 = domain.sizes().iter().map(|&size| u64::from(size)).sum();
    Ok(Forecast { tvd1, cell_noise: variance.sqrt(), model_bytes: 8 * (floats + 1) })
}

/// The expected total variation distance of a column with `size` equally frequent codes.
fn distance(size: f64, variance: f64, rows: f64) -> f64 {
    // Noise that moves the total alone is scaled away, and so is its part in each cell.
    let noise = variance * (1.0 - 1.0 / size);
    // Rows are drawn without replacement: all that is left is the rounding of each block, whose fraction f is anywhere
    // from 0 to 1 and adds a variance of f (1 - f), a sixth on average.
    let rounding = (rows / SPLIT_ROWS as f64).ceil() / 6.0;
    let mean_miss = (noise + rounding).sqrt() * (2.0 / std::f64::consts::PI).sqrt();
    (0.5 * size * mean_miss / rows).min(1.0 - 1.0 / size)
}
