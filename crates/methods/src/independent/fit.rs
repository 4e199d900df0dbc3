//! Plan, pay, measure, fit.

use lookalike_curator::{CountQuery, Curator, MarginalQuery, Noise};
use lookalike_measurement::{NoisyCount, NoisyMarginal};
use lookalike_model::{MeasuredClique, Model, Origin, Rules};
use lookalike_privacy::{Budget, Neighbours, Relation};
use lookalike_schema::{Clique, Domain};

use super::params::IndependentParams;
use crate::budget::{PlanBuilder, Purchase};
use crate::graphical::OneWayMarginals;
use crate::{MethodError, Observer, total};

/// What will be asked: the row count, if any, then the marginals.
pub(super) struct Asked {
    pub plan: PlanBuilder,
    pub count: Option<Purchase<Noise>>,
    pub marginals: Option<Purchase<Noise>>,
    pub cliques: Vec<Clique>,
}

/// The plan, from public facts alone.
pub(super) fn plan(params: &IndependentParams, domain: &Domain, neighbours: Neighbours, budget: Budget) -> Asked {
    let cliques: Vec<Clique> = domain.attributes().map(Clique::single).collect();
    // A public row count is free. Without a column to sum, the count is all there is to buy.
    let share = match (neighbours.relation(), cliques.is_empty()) {
        (Relation::ReplaceOne, _) => 0.0,
        (Relation::AddRemove, true) => 1.0,
        (Relation::AddRemove, false) => params.count_share,
    };
    let mut plan = PlanBuilder::new(neighbours, budget);
    let count = (share > 0.0).then(|| plan.row_count(share));
    let marginals = (!cliques.is_empty()).then(|| plan.marginals("one-way marginals", 1.0 - share, cliques.len()));
    Asked { plan, count, marginals, cliques }
}

/// The model of a table without columns, for another method: all there is to know is how many rows
/// it has.
pub(crate) fn row_count_alone(
    curator: &mut Curator,
    observer: &dyn Observer,
    method: &str,
) -> Result<Model, MethodError> {
    fit(&IndependentParams::default(), curator, observer, method)
}

pub(super) fn fit(
    params: &IndependentParams,
    curator: &mut Curator,
    observer: &dyn Observer,
    method: &str,
) -> Result<Model, MethodError> {
    // A schema that no row can fit is refused here, before anything is paid.
    let rules = Rules::new(curator.schema())?;
    let asked = plan(params, curator.domain(), curator.neighbours(), curator.budget());
    observer.phase("measuring");
    let (count, marginals) = measure(curator, &asked)?;
    observer.round(1, 1);
    observer.budget(curator.share_spent());

    observer.phase("fitting");
    let measured = marginals
        .iter()
        .map(|marginal| MeasuredClique { clique: marginal.clique.clone(), variance: marginal.variance() })
        .chain(count.as_ref().map(total::coverage))
        .collect();
    let ones = OneWayMarginals::new(count, marginals).settled(curator.schema());
    let weights = ones.weights(&rules);
    // The facade puts the final guarantee here once the ledger is closed.
    let origin = Origin { method: method.into(), guarantee: "not stated".into() };
    Ok(Model::product(curator.schema().clone(), ones.rows().max(0.0), weights, measured, origin)?)
}

/// Commits the plan, then asks in its order.
fn measure(curator: &mut Curator, asked: &Asked) -> Result<(Option<NoisyCount>, Vec<NoisyMarginal>), MethodError> {
    let bought = asked.plan.commit(curator)?;
    let count = match asked.count {
        Some(count) => Some(curator.row_count(&CountQuery { noise: bought.get(count)? })?),
        None => total::public_count(curator)?,
    };
    let Some(marginals) = asked.marginals else { return Ok((count, Vec::new())) };
    let noise = bought.get(marginals)?;
    let query = |clique: &Clique| MarginalQuery { clique: clique.clone(), noise };
    let queries: Vec<MarginalQuery> = asked.cliques.iter().map(query).collect();
    Ok((count, curator.marginals(&queries)?))
}
