//! What the method would reach, from public facts alone.

use lookalike_curator::histogram_cells;

use super::params::HistogramParams;
use super::reach::Reach;
use crate::{Forecast, MethodError, PublicFacts};

/// Takes the number of rows that the method chooses by itself. The distance of a column is the
/// larger of two: what the smoothing does to a column that has one value only, and how far so few
/// rows scatter on a column of equally frequent values. (Smoothing does nothing to the latter,
/// scattering nothing to the former.) The noise is the typical error of the count of one cell of
/// average size, once the smoothing is undone.
pub(super) fn forecast(params: &HistogramParams, facts: &PublicFacts) -> Result<Forecast, MethodError> {
    let &PublicFacts { schema, rows, budget, .. } = facts;
    let cells = histogram_cells(schema)?;
    let reach = Reach::expected(params, cells, rows, budget)?;
    let (draws, smoothing) = (reach.facts().draws as f64, reach.smoothing());
    let scatter = |share: f64| (share * (1.0 - share) / draws).sqrt();
    let domain = schema.domain();
    let distance = |&size: &u32| {
        let size = f64::from(size);
        let scattered = 0.5 * size * scatter(1.0 / size) * (2.0 / std::f64::consts::PI).sqrt();
        (smoothing * (1.0 - 1.0 / size)).max(scattered).min(1.0 - 1.0 / size)
    };
    let tvd1 = domain.sizes().iter().map(distance).sum::<f64>() / domain.len().max(1) as f64;
    let cell_noise = rows as f64 * scatter(1.0 / cells as f64) / (1.0 - smoothing);
    Ok(Forecast { tvd1, column_noise: cell_noise, cell_noise, model_bytes: 0 })
}
