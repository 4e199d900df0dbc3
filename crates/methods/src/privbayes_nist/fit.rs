//! Plan, pay, measure, fit.

use lookalike_curator::{CountQuery, Curator};
use lookalike_measurement::{NoisyCount, answer};
use lookalike_model::{MeasuredClique, Model, Origin, Replacement, Rules};
use lookalike_schema::Clique;

use super::consistency::sets::MOST_SETS;
use super::hierarchy::{Hierarchy, Node};
use super::network::{Limits, Network, maximal};
use super::params::{NAME, PrivBayesNistParams, Rows};
use super::purse::{Purse, Wants};
use super::scores::{self, MOST_PAIR_CELLS, Scores};
use super::tables::{self, Table};
use super::{conditionals, consistency, stepping};
use crate::graphical::halt_of;
use crate::{MethodError, Observer, total};

/// What was learned at the door: all that a model is made from.
pub(crate) struct Learned {
    /// The bought or public row count.
    pub count: Option<NoisyCount>,
    /// Which columns hang on which.
    pub network: Network,
    /// The noisy tables.
    pub tables: Vec<Table>,
}

impl Learned {
    /// The best estimate of the row count: the bought count and the sum of every table.
    pub fn rows(&self) -> f64 {
        if let Some(NoisyCount { value, step: None }) = self.count {
            return value as f64;
        }
        let count = self.count.as_ref();
        let bought = count.and_then(|count| Some((count.value as f64, answer::variance(count.step.as_ref()?))));
        let sums = self.tables.iter().map(|table| (table.sum(), table.variance * table.cells.len() as f64));
        total::combine(bought.into_iter().chain(sums))
    }
}

pub(super) fn fit(
    params: PrivBayesNistParams,
    curator: &mut Curator,
    observer: &dyn Observer,
) -> Result<Model, MethodError> {
    // A schema that no row can fit is refused here, before anything is paid.
    Rules::new(curator.schema())?;
    let (hierarchy, derived) = Hierarchy::new(curator.schema(), params.group_width);
    curator.derive(&derived)?;
    let learned = learn(params, &hierarchy, curator, observer)?;

    observer.phase("fitting");
    let rows = learned.rows();
    let Learned { network, mut tables, .. } = learned;
    let measured = coverage(&tables);
    if params.sampling == Rows::Inconsistent {
        tables.iter_mut().for_each(|table| params.negatives.remove(&mut table.cells));
        tables = stepping::redraw(&hierarchy, &network, &tables, rows, &halt_of(curator))?;
    } else {
        let repair = (params.negatives, params.variances);
        consistency::enforce(&hierarchy, &mut tables, repair, MOST_SETS, &halt_of(curator))?;
    }
    curator.check_cancelled()?;
    let conditionals = conditionals::of(&hierarchy, &network, &tables);
    // The facade puts the final guarantee here once the ledger is closed.
    let origin = Origin { method: NAME.into(), guarantee: "not stated".into() };
    let model = Model::network(curator.schema().clone(), &[], conditionals, rows.max(0.0), measured, origin)?;
    // As published: the rows are those of the histograms, and none is kept or left for the others'
    // sake.
    let with = params.sampling == Rows::WithReplacement;
    Ok(model.with_replacement(if with { Replacement::With } else { Replacement::Without }))
}

/// Everything that is asked: the row count and the scores, then the tables of the network.
pub(crate) fn learn(
    params: PrivBayesNistParams,
    hierarchy: &Hierarchy,
    curator: &mut Curator,
    observer: &dyn Observer,
) -> Result<Learned, MethodError> {
    let pairs = scores::pairs(hierarchy);
    observer.phase("scoring pairs");
    // A public row count is free, and the sensitivity of a score may depend on it.
    let public = total::public_count(curator)?;
    let wants = wants(params, hierarchy, pairs.len(), curator.neighbours(), public.as_ref());
    let purse = Purse::open(curator, wants)?;
    let count = match (public, purse.count()?) {
        (Some(count), _) => Some(count),
        (None, Some(noise)) => Some(curator.row_count(&CountQuery { noise })?),
        (None, None) => None,
    };
    let tau = tau(params, count.as_ref(), purse.cautious_deviation()?);
    let scores = ask_scores(curator, hierarchy, &purse, pairs, tau)?;
    observer.round(1, 2);
    observer.budget(curator.share_spent());

    observer.phase("measuring");
    let limits = Limits { tau, least: params.least_score * scores.noise() };
    let network = Network::build(hierarchy, &scores, limits);
    let tables = tables::measure(curator, hierarchy, &purse, sets(hierarchy, &network))?;
    observer.round(2, 2);
    observer.budget(curator.share_spent());
    Ok(Learned { count, network, tables })
}

/// What the budget is for.
pub(super) fn wants(
    params: PrivBayesNistParams,
    hierarchy: &Hierarchy,
    pairs: usize,
    neighbours: lookalike_privacy::Neighbours,
    public: Option<&NoisyCount>,
) -> Wants {
    Wants {
        score_share: params.score_share,
        pairs: pairs as u32,
        tables: (hierarchy.len() + hierarchy.wide().len()) as u32,
        neighbours,
        public_rows: public.map_or(0, |count| count.value.max(0) as u64),
    }
}

/// The most cells of a table of several columns: such that an average cell holds `cell-factor`
/// times its noise, under the cautious assumption that there are as many tables as there can be.
fn tau(params: PrivBayesNistParams, count: Option<&NoisyCount>, deviation: f64) -> f64 {
    tau_of(params, count.map_or(1.0, |count| count.value.max(1) as f64), deviation)
}

pub(super) fn tau_of(params: PrivBayesNistParams, rows: f64, deviation: f64) -> f64 {
    // Noise so small that it rounds to nothing must not make tables without bounds.
    (rows / (params.cell_factor * deviation.max(1e-9))).min(MOST_PAIR_CELLS)
}

/// Scores the pairs that fit into a table. When none does all are scored: the draws are there, and
/// the scores do no harm.
fn ask_scores(
    curator: &mut Curator,
    hierarchy: &Hierarchy,
    purse: &Purse,
    pairs: Vec<(Node, Node)>,
    tau: f64,
) -> Result<Scores, MethodError> {
    let mut usable: Vec<(Node, Node)> =
        pairs.iter().copied().filter(|&(a, b)| hierarchy.cells(&[a, b]) <= tau).collect();
    if usable.is_empty() {
        usable = pairs;
    }
    match purse.scores(usable.len())? {
        None => Ok(Scores::default()),
        Some((noise, times)) => scores::ask(curator, hierarchy, &usable, noise, &times),
    }
}

/// The tables to measure: those of the network, and the one-way tables of columns with levels.
fn sets(hierarchy: &Hierarchy, network: &Network) -> Vec<Vec<Node>> {
    let joints = network.joints();
    let alone = hierarchy.wide().into_iter().map(|column| vec![Node::finest(column)]);
    let alone: Vec<Vec<Node>> = alone.filter(|set| !joints.contains(set)).collect();
    maximal(joints).into_iter().chain(alone).collect()
}

/// What the model rests on, as far as it can be said in the schema's own columns.
pub(crate) fn coverage(tables: &[Table]) -> Vec<MeasuredClique> {
    let own = tables.iter().filter(|table| table.nodes.iter().all(|node| node.level == 0));
    own.map(|table| {
        let clique = Clique::new(table.nodes.iter().map(|node| lookalike_schema::AttrId(node.column as u32)));
        MeasuredClique { clique, variance: table.variance }
    })
    .collect()
}
