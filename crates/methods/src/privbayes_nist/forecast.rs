//! What the method would reach, from public facts alone.

use lookalike_curator::CuratorError;
use lookalike_model::SPLIT_ROWS;
use lookalike_privacy::{Budget, Neighbours, Relation};
use lookalike_schema::Schema;

use super::fit;
use super::hierarchy::{Hierarchy, Node};
use super::params::PrivBayesNistParams;
use super::purse::Purse;
use super::scores;
use crate::{Forecast, MethodError};

/// Assumes add/remove neighbours with one row a person, tables that are as large as they may be, and columns whose codes
/// are equally frequent. Consistency lowers the noise below this, relations that the network lacks do not show here.
pub(super) fn forecast(
    params: PrivBayesNistParams,
    schema: &Schema,
    rows: u64,
    budget: Budget,
) -> Result<Forecast, MethodError> {
    let neighbours = Neighbours::new(Relation::AddRemove, 1).map_err(CuratorError::from)?;
    let (hierarchy, _) = Hierarchy::new(schema, params.group_width);
    let pairs = scores::pairs(&hierarchy).len();
    let purse = Purse::forecast(fit::wants(params, &hierarchy, pairs, neighbours, None), budget)?;
    let deviation = purse.cautious_deviation()?;
    let rows = rows.max(1) as f64;
    let tau = fit::tau_of(params, rows, deviation);
    let columns = hierarchy.len();
    let all: f64 = (0..columns).map(|column| hierarchy.size(Node::finest(column)) as f64).product();
    let (mut distances, mut cells) = (0.0, 0.0);
    for column in 0..columns {
        let size = hierarchy.size(Node::finest(column)) as f64;
        let table = if size > tau { size } else { tau.min(all) };
        distances += distance(size, table, deviation, rows);
        cells += table;
    }
    let tvd1 = if columns == 0 { 0.0 } else { distances / columns as f64 };
    Ok(Forecast { tvd1, cell_noise: deviation, model_bytes: 8 * (cells as u64 + 1) })
}

/// The expected total variation distance of a column of `size` equally frequent codes in a table of `table` cells.
fn distance(size: f64, table: f64, deviation: f64, rows: f64) -> f64 {
    let noise = deviation * deviation * (table / size) * (1.0 - 1.0 / size);
    // Rows are drawn without replacement: all that is left is the rounding of each block, a sixth on average.
    let rounding = (rows / SPLIT_ROWS as f64).ceil() / 6.0;
    let mean_miss = (noise + rounding).sqrt() * (2.0 / std::f64::consts::PI).sqrt();
    (0.5 * size * mean_miss / rows).min(1.0 - 1.0 / size)
}
