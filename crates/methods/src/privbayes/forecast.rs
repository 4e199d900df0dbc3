//! What the method would reach, from public facts alone.

use lookalike_curator::CuratorError;
use lookalike_privacy::{Budget, Delta, Epsilon};
use lookalike_schema::View;

use super::layout::Layout;
use super::nodes::Nodes;
use super::params::PrivBayesParams;
use super::planning::Facts;
use crate::{Forecast, MethodError, PublicFacts};

/// Assumes tables as large as they may be. A column is then the sum of a table's cells.
pub(super) fn forecast(params: &PrivBayesParams, facts: &PublicFacts) -> Result<Forecast, MethodError> {
    let &PublicFacts { schema, rows, neighbours, budget } = facts;
    let nodes = Nodes::new(params, schema)?;
    let mut view = View::new(schema);
    view.derive(&nodes.derived)
        .map_err(|error| MethodError::Setting { what: error.to_string(), help: "set encoding=vanilla".into() })?;
    let rest = budget.epsilon.get() * (1.0 - params.count_share);
    let rest = Budget {
        epsilon: Epsilon::new(rest).map_err(CuratorError::from)?,
        delta: Delta::new(budget.delta.get()).map_err(CuratorError::from)?,
    };
    let domain = view.domain();
    let facts = Facts { params, domain, nodes: &nodes, neighbours, rows: rows.max(1) as f64, budget: rest };
    if facts.columns().is_empty() {
        return Ok(Forecast::without_columns(budget));
    }
    let layout = Layout::new(facts)?;
    let plan = facts.plan(layout.selections, layout.marginals);
    let bought = plan.plan.forecast_quickly(rest)?;
    let variance = plan.marginal.map_or(0.0, |marginal| bought.variance(marginal));
    let tables = nodes.attributes.iter().map(|&attribute| {
        let size = f64::from(domain.size(attribute));
        [size, if layout.wide.contains(&attribute) { size } else { size.max(layout.allowed.cells as f64) }]
    });
    Ok(Forecast::of_tables(tables, variance, budget.is_pure(), rows))
}
