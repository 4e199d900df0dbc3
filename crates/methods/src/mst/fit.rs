//! Plan, pay, choose a tree, measure, fit.

use lookalike_curator::{Curator, Noise};
use lookalike_model::{Model, Rules};
use lookalike_privacy::{Budget, CalibratedPlan, MechanismKind, Neighbours, Plan, PlanItem, Rational, Step};
use lookalike_schema::{AttrId, Clique};

use super::params::{MstParams, NAME};
use crate::graphical::{Candidates, Columns, GrowingModel, Limit, Merging, Ones, Wish, empty_model};
use crate::planned::{broken_plan, noise_of};
use crate::{MethodError, Observer, Request};

/// The plan, from public facts alone: columns, choices of pairs, pairs.
pub(super) fn plan(params: &MstParams, columns: usize, neighbours: Neighbours, budget: Budget) -> Plan {
    let kind = if budget.is_pure() { MechanismKind::Laplace } else { MechanismKind::Gaussian };
    let pairs = columns.saturating_sub(1) as u32;
    let item = |label: &str, kind, share, copies| PlanItem {
        label: label.into(),
        kind,
        sensitivity: neighbours.marginal(),
        share,
        copies,
    };
    Plan {
        items: vec![
            item("one-way marginals", kind, params.one_share, columns as u32),
            item("choices of pairs", MechanismKind::Exponential, params.select_share, pairs),
            item("marginals of pairs", kind, 1.0 - params.one_share - params.select_share, pairs),
        ],
    }
}

/// The scales of a calibrated plan: one of each kind of step. A table of one column has no choices
/// and no pairs.
struct Scales {
    ones: Noise,
    pairs: Option<(Rational, Noise)>,
}

impl Scales {
    fn of(plan: &CalibratedPlan, columns: usize) -> Result<Self, MethodError> {
        let step = |place: usize| plan.steps().get(place).map(|planned| &planned.step).ok_or_else(broken_plan);
        let ones = noise_of(step(0)?)?;
        if columns < 2 {
            return Ok(Self { ones, pairs: None });
        }
        let Step::Exponential { epsilon } = step(columns)? else { return Err(broken_plan()) };
        Ok(Self { ones, pairs: Some((*epsilon, noise_of(step(2 * columns - 1)?)?)) })
    }
}

pub(super) fn fit(
    params: &MstParams,
    curator: &mut Curator,
    request: &Request,
    observer: &dyn Observer,
) -> Result<Model, MethodError> {
    // A schema that no row can fit is refused here, before anything is paid.
    Rules::new(curator.schema())?;
    let schema = curator.schema().clone();
    let columns = schema.domain().len();
    if columns == 0 {
        return empty_model(curator, observer, NAME);
    }
    let rounds = columns as u64 + 1;
    observer.phase("measuring columns");
    let plan = curator.commit(&plan(params, columns, curator.neighbours(), curator.budget()))?;
    let scales = Scales::of(&plan, columns)?;
    let ones = Ones::measure(curator, scales.ones)?;
    observer.round(1, rounds);
    observer.budget(curator.share_spent());
    let merging = Merging::for_pairs(params.merge_threshold, columns, Limit::of(request).cells());
    let groups = merging.groupings(&schema, &ones)?;
    let held = Columns::grouped(curator, groups)?;
    let mut model = GrowingModel::new(&schema, held, &ones)?;
    model.stop_with(curator);
    if let Some((epsilon, noise)) = scales.pairs {
        observer.phase("choosing pairs");
        let spreads = spreads(&model, params.spread_power)?;
        let pairs = choose(curator, &model, &spreads, epsilon, observer)?;
        observer.phase("measuring pairs");
        model.measure(curator, &pairs, noise)?;
        observer.round(rounds, rounds);
        observer.budget(curator.share_spent());
    }
    observer.phase("fitting");
    curator.check_cancelled()?;
    model.finish(&schema, NAME)
}

/// Spreads below this count as this, so that no pair of nearly constant columns makes all others'
/// choices noisy.
const LEAST_SPREAD: f64 = 0.05;

/// How spread out each column is under the model: the chance that two rows differ in it, to a
/// power.
///
/// The distance of a pair from independence is bounded by how little its columns are spread,
/// however closely they follow each other. A column that is nearly constant would always be joined
/// last, and to the widest column there is, not to the one it follows. Post-processing of the noisy
/// counts.
fn spreads(model: &GrowingModel, power: f64) -> Result<Vec<f64>, MethodError> {
    let singles: Vec<Clique> = model.columns().domain().attributes().map(Clique::single).collect();
    let spread = |counts: Vec<f64>| {
        let same: f64 = counts.iter().map(|count| (count / model.total()).powi(2)).sum();
        (1.0 - same).clamp(LEAST_SPREAD, 1.0).powf(power)
    };
    Ok(model.counts(&singles)?.into_iter().map(spread).collect())
}

/// A spanning tree, edge by edge: each is a private choice among the pairs that join two parts.
///
/// The scores do not change from choice to choice, so each pair is counted once.
fn choose(
    curator: &mut Curator,
    model: &GrowingModel,
    spreads: &[f64],
    epsilon: Rational,
    observer: &dyn Observer,
) -> Result<Vec<Clique>, MethodError> {
    let columns = model.columns().len();
    let mut part: Vec<usize> = (0..columns).collect();
    let mut candidates = Candidates::new();
    let mut chosen = Vec::new();
    while chosen.len() + 1 < columns {
        let joining = |a: usize| (a + 1..columns).map(move |b| (a, b));
        let pairs: Vec<(usize, usize)> = (0..columns).flat_map(joining).filter(|&(a, b)| part[a] != part[b]).collect();
        let wish = |&(a, b): &(usize, usize)| Wish {
            clique: Clique::new([AttrId(a as u32), AttrId(b as u32)]),
            weight: 1.0 / (spreads[a] * spreads[b]),
            offset: 0.0,
        };
        let wishes: Vec<Wish> = pairs.iter().map(wish).collect();
        let place = candidates.select(curator, model, &wishes, "a pair of the tree", epsilon)?;
        let (Some(&(a, b)), Some(wish)) = (pairs.get(place), wishes.get(place)) else { return Err(broken_plan()) };
        let (from, to) = (part[b], part[a]);
        part.iter_mut().filter(|part| **part == from).for_each(|part| *part = to);
        chosen.push(wish.clique.clone());
        observer.round(1 + chosen.len() as u64, columns as u64 + 1);
        observer.budget(curator.share_spent());
    }
    Ok(chosen)
}
