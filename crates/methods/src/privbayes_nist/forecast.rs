//! What the method would reach, from public facts alone.

use super::fit;
use super::hierarchy::{Hierarchy, Node};
use super::params::PrivBayesNistParams;
use super::purse::Purse;
use super::scores;
use crate::one_way::distance;
use crate::{Forecast, MethodError, PublicFacts};

/// Assumes tables that are as large as they may be, and columns whose codes are equally frequent.
/// Consistency lowers the noise below this, relations that the network lacks do not show here.
pub(super) fn forecast(params: PrivBayesNistParams, facts: &PublicFacts) -> Result<Forecast, MethodError> {
    let &PublicFacts { schema, rows, neighbours, budget } = facts;
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
        distances += distance(size, deviation * deviation * table / size, rows);
        cells += table;
    }
    let tvd1 = if columns == 0 { 0.0 } else { distances / columns as f64 };
    Ok(Forecast { tvd1, column_noise: deviation, cell_noise: deviation, model_bytes: 8 * (cells as u64 + 1) })
}
