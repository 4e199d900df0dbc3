//! Plan, pay, select, measure, fit.

use lookalike_curator::{Curator, MarginalQuery, Noise};
use lookalike_measurement::{NoisyCount, NoisyMarginal};
use lookalike_model::{Conditional, Model, Origin, Rules};
use lookalike_privacy::{CalibratedPlan, Rational};
use lookalike_schema::Clique;

use super::layout::Layout;
use super::nodes::Nodes;
use super::params::{NAME, PrivBayesParams};
use super::planning::{Facts, NetworkPlan};
use super::search::{Measure, Pair, Selections, network};
use super::tables;
use crate::budget::{Bought, broken_plan};
use crate::{MethodError, Observer, total};

/// What was learned at the door: all that a model is made from.
pub(crate) struct Learned {
    /// The bought or public row count.
    pub count: NoisyCount,
    /// The network, parents first.
    pub pairs: Vec<Pair>,
    /// The answers, some tables perhaps twice.
    pub marginals: Vec<NoisyMarginal>,
}

pub(super) fn fit(
    params: &PrivBayesParams,
    curator: &mut Curator,
    observer: &dyn Observer,
) -> Result<Model, MethodError> {
    // A schema that no row can fit is refused here, before anything is paid.
    Rules::new(curator.schema())?;
    let nodes = Nodes::new(params, curator.schema())?;
    curator.derive(&nodes.derived)?;
    let learned = learn(params, curator, &nodes, observer)?;
    observer.phase("fitting");
    let rows = total::estimate(Some(&learned.count), &learned.marginals);
    let domain = curator.domain().clone();
    let measured = tables::averaged(&learned.marginals);
    let mended: Vec<(Clique, Vec<f64>)> = measured
        .iter()
        .map(|table| {
            let values = tables::mended(table, params.negatives, rows.max(1.0), &domain, curator.schema().impossible());
            (table.clique.clone(), values)
        })
        .collect();
    let conditionals = learned.pairs.iter().map(|pair| tables::conditional(pair, &mended, &domain));
    let mut conditionals: Vec<Conditional> = conditionals.collect::<Result<_, _>>()?;
    conditionals.extend(nodes.untouched(&domain));
    let hidden = &domain.sizes()[curator.view().own()..];
    // The facade puts the final guarantee here once the ledger is closed.
    let origin = Origin { method: NAME.into(), guarantee: "not stated".into() };
    let coverage = tables::coverage(&measured, curator.view().own());
    let schema = curator.schema().clone();
    Ok(Model::network(schema, hidden, conditionals, rows.max(0.0), coverage, origin)?)
}

/// Everything that is asked, stage by stage.
pub(crate) fn learn(
    params: &PrivBayesParams,
    curator: &mut Curator,
    nodes: &Nodes,
    observer: &dyn Observer,
) -> Result<Learned, MethodError> {
    let neighbours = curator.neighbours();
    let measure = Measure::check(params, neighbours.relation(), curator.domain(), nodes)?;
    observer.phase("counting");
    let asks = nodes.attributes.iter().any(|&node| curator.domain().size(node) > 1);
    // Without attributes to ask for it is all there is to buy.
    let count = total::row_count(curator, if asks { params.count_share } else { 1.0 })?;
    if !asks {
        return Ok(Learned { count, pairs: Vec::new(), marginals: Vec::new() });
    }
    let domain = curator.domain().clone();
    let budget = curator.remaining()?;
    let rows = (count.value as f64).max(1.0);
    let facts = Facts { params, domain: &domain, nodes, neighbours, rows, budget };
    let (layout, plan, calibrated) = Layout::calibrated(facts, |plan| curator.calibrate(plan, budget))?;
    observer.phase("choosing the network");
    let (epsilon, noise) = begin(curator, facts, &layout, &plan, &calibrated)?;
    let planned = layout.selections;
    let pairs = network(params, &layout, &domain, &mut Selections { curator, observer, measure, epsilon, planned })?;
    observer.phase("measuring");
    let mut cliques = tables::maximal(&pairs);
    let noise = match noise {
        Some(noise) => {
            cliques = tables::with_repeats(cliques, layout.marginals, &domain);
            noise
        }
        // The last stage of a pure run: as many marginals as the network has, no more.
        None => {
            let last = facts.plan(0, cliques.len());
            last.plan.commit(curator)?.get(last.marginal.ok_or_else(broken_plan)?)?
        }
    };
    let queries: Vec<MarginalQuery> = cliques.into_iter().map(|clique| MarginalQuery { clique, noise }).collect();
    let marginals = curator.marginals(&queries)?;
    observer.budget(curator.share_spent());
    Ok(Learned { count, pairs, marginals })
}

/// Commits the plan of selections and marginals; with delta = 0 only that of the selections,
/// because the number of marginals is then better left open. The epsilon of a selection and the
/// noise of a marginal, where they are bought.
fn begin(
    curator: &mut Curator,
    facts: Facts,
    layout: &Layout,
    plan: &NetworkPlan,
    calibrated: &CalibratedPlan,
) -> Result<(Option<Rational>, Option<Noise>), MethodError> {
    if !facts.budget.is_pure() {
        curator.commit_calibrated(calibrated)?;
        let bought = Bought::of(calibrated);
        let epsilon = plan.selection.map(|selection| bought.get(selection)).transpose()?;
        return Ok((epsilon, plan.marginal.map(|marginal| bought.get(marginal)).transpose()?));
    }
    let selecting = facts.plan(layout.selections, 0);
    let Some(selection) = selecting.selection else { return Ok((None, None)) };
    let bought = selecting.plan.commit_part(curator, total::part(facts.budget, facts.params.beta)?)?;
    Ok((Some(bought.get(selection)?), None))
}
