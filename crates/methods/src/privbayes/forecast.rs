//! What the method would reach, from public facts alone.

use lookalike_curator::CuratorError;
use lookalike_privacy::{Budget, Delta, Epsilon};
use lookalike_schema::View;

use super::layout::Layout;
use super::nodes::Nodes;
use super::params::PrivBayesParams;
use super::planning::Facts;
use crate::one_way::{LAPLACE, distance};
use crate::{Forecast, MethodError, PublicFacts};

/// Assumes tables as large as they may be, and columns whose codes are equally frequent (the
/// hardest case for a given number of codes). A column is then the sum of a table's cells.
pub(super) fn forecast(params: &PrivBayesParams, facts: &PublicFacts) -> Result<Forecast, MethodError> {
    let &PublicFacts { schema, rows, neighbours, budget } = facts;
    let nodes = Nodes::new(params, schema)?;
    let mut view = View::new(schema);
    view.derive(&nodes.derived)
        .map_err(|error| MethodError::Setting { what: error.to_string(), help: "set encoding=vanilla".into() })?;
    let rows = rows.max(1) as f64;
    let rest = budget.epsilon.get() * (1.0 - params.count_share);
    let rest = Budget {
        epsilon: Epsilon::new(rest).map_err(CuratorError::from)?,
        delta: Delta::new(budget.delta.get()).map_err(CuratorError::from)?,
    };
    let domain = view.domain();
    let facts = Facts { params, domain, nodes: &nodes, neighbours, rows, budget: rest };
    if facts.columns().is_empty() {
        return Ok(Forecast { tvd1: 0.0, column_noise: 0.0, cell_noise: 1.0 / budget.epsilon.get(), model_bytes: 8 });
    }
    let layout = Layout::new(facts)?;
    let plan = facts.plan(layout.selections, layout.marginals);
    let bought = plan.plan.forecast_quickly(rest)?;
    let variance = plan.marginal.map_or(0.0, |marginal| bought.variance(marginal));
    let felt = if budget.is_pure() { LAPLACE * variance } else { variance };
    let (mut distances, mut cells) = (0.0, 0.0);
    for &attribute in &nodes.attributes {
        let size = f64::from(domain.size(attribute));
        let table = if layout.wide.contains(&attribute) { size } else { size.max(layout.allowed.cells as f64) };
        distances += distance(size, felt * table / size, rows);
        cells += table;
    }
    let tvd1 = distances / nodes.attributes.len() as f64;
    let noise = variance.sqrt();
    Ok(Forecast { tvd1, column_noise: noise, cell_noise: noise, model_bytes: 8 * cells as u64 })
}
