//! Plan, pay, measure, fit.

use lookalike_curator::{CountQuery, Curator, CuratorError, MarginalQuery, Noise};
use lookalike_measurement::{NoisyCount, NoisyMarginal, answer};
use lookalike_model::{MeasuredClique, Model, Origin, Rules};
use lookalike_privacy::{Budget, MechanismKind, Neighbours, Plan, PlanItem, Rational, Relation};
use lookalike_schema::{Clique, Domain};

use super::params::{IndependentParams, NAME};
use crate::{MethodError, Observer, planned, project, total};

/// What will be asked: the row count, if any, then the marginals.
pub(super) struct Asked {
    pub(super) plan: Plan,
    pub(super) buys_count: bool,
    pub(super) cliques: Vec<Clique>,
}

/// The plan, from public facts alone.
pub(super) fn plan(params: &IndependentParams, domain: &Domain, neighbours: Neighbours, budget: Budget) -> Asked {
    let kind = if budget.is_pure() { MechanismKind::Laplace } else { MechanismKind::Gaussian };
    let cliques: Vec<Clique> = domain.attributes().map(Clique::single).collect();
    // A public row count is free. Without a column to sum, the count is all there is to buy.
    let share = match (neighbours.relation(), cliques.is_empty()) {
        (Relation::ReplaceOne, _) => 0.0,
        (Relation::AddRemove, true) => 1.0,
        (Relation::AddRemove, false) => params.count_share,
    };
    let mut items = Vec::new();
    if share > 0.0 {
        let sensitivity = neighbours.row_count();
        items.push(PlanItem { label: "number of rows".into(), kind, sensitivity, share, copies: 1 });
    }
    if !cliques.is_empty() {
        items.push(PlanItem {
            label: "one-way marginals".into(),
            kind,
            sensitivity: neighbours.marginal(),
            share: 1.0 - share,
            copies: cliques.len() as u32,
        });
    }
    Asked { plan: Plan { items }, buys_count: share > 0.0, cliques }
}

pub(super) fn fit(
    params: &IndependentParams,
    curator: &mut Curator,
    observer: &dyn Observer,
) -> Result<Model, MethodError> {
    // A schema that no row can fit is refused here, before anything is paid.
    let rules = Rules::new(curator.schema())?;
    let asked = plan(params, curator.domain(), curator.neighbours(), curator.budget());
    observer.phase("measuring");
    let (count, marginals) = measure(curator, &asked)?;
    observer.round(1, 1);
    observer.budget(curator.share_spent());

    observer.phase("fitting");
    let rows = total::estimate(count.as_ref(), &marginals);
    let weights = marginals
        .iter()
        .enumerate()
        .map(|(attribute, marginal)| {
            let noisy: Vec<f64> = marginal.values.iter().map(|&value| value as f64).collect();
            project::onto_counts(&noisy, &|code| rules.allows(attribute, code), rows.max(1.0))
        })
        .collect();
    let counted = count.iter().map(|count| MeasuredClique {
        clique: Clique::new([]),
        // A public count has no noise.
        variance: count.step.as_ref().map_or(0.0, answer::variance),
    });
    let measured = marginals
        .iter()
        .map(|marginal| MeasuredClique { clique: marginal.clique.clone(), variance: marginal.variance() })
        .chain(counted)
        .collect();
    // The facade puts the final guarantee here once the ledger is closed.
    let origin = Origin { method: NAME.into(), guarantee: "not stated".into() };
    Ok(Model::product(curator.schema().clone(), rows.max(0.0), weights, measured, origin)?)
}

/// Commits the plan, then asks in its order.
fn measure(curator: &mut Curator, asked: &Asked) -> Result<(Option<NoisyCount>, Vec<NoisyMarginal>), MethodError> {
    let mut noises = Vec::new().into_iter();
    if !asked.plan.items.is_empty() {
        noises = planned::noises_of(&curator.commit(&asked.plan)?)?.into_iter();
    }
    let count = match (asked.buys_count, curator.neighbours().relation()) {
        (true, _) => Some(curator.row_count(&CountQuery { noise: next(&mut noises)? })?),
        // Public and free; the noise is not used.
        (false, Relation::ReplaceOne) => {
            let noise = Noise::Laplace(Rational::new(1, 1).map_err(CuratorError::from)?);
            Some(curator.row_count(&CountQuery { noise })?)
        }
        (false, Relation::AddRemove) => None,
    };
    let queries = asked
        .cliques
        .iter()
        .map(|clique| Ok(MarginalQuery { clique: clique.clone(), noise: next(&mut noises)? }))
        .collect::<Result<Vec<_>, MethodError>>()?;
    let marginals = if queries.is_empty() { Vec::new() } else { curator.marginals(&queries)? };
    Ok((count, marginals))
}

fn next(noises: &mut std::vec::IntoIter<Noise>) -> Result<Noise, MethodError> {
    noises.next().ok_or_else(planned::broken_plan)
}
