//! What the method would reach, from public facts alone.

use super::fit;
use super::hierarchy::{Hierarchy, Node};
use super::params::PrivBayesNistParams;
use super::purse::Purse;
use super::scores;
use crate::{Forecast, MethodError, PublicFacts};

/// Assumes tables that are as large as they may be. Consistency lowers the noise below this,
/// relations that the network lacks do not show here.
pub(super) fn forecast(params: PrivBayesNistParams, facts: &PublicFacts) -> Result<Forecast, MethodError> {
    let &PublicFacts { schema, rows, neighbours, budget } = facts;
    let (hierarchy, _) = Hierarchy::new(schema, params.group_width);
    let pairs = scores::pairs(&hierarchy).len();
    let purse = Purse::forecast(fit::wants(params, &hierarchy, pairs, neighbours, None), budget)?;
    let deviation = purse.cautious_deviation()?;
    let tau = fit::tau_of(params, rows.max(1) as f64, deviation);
    let size = |column: usize| hierarchy.size(Node::finest(column)) as f64;
    let all: f64 = (0..hierarchy.len()).map(size).product();
    let table = |column| [size(column), if size(column) > tau { size(column) } else { tau.min(all) }];
    Ok(Forecast::of_tables((0..hierarchy.len()).map(table), deviation * deviation, false, rows))
}
