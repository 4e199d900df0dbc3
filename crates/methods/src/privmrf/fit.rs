//! Algorithms 4 and 6: plan, pay, choose, measure, fit.

use std::collections::BTreeSet;

use lookalike_curator::{CountQuery, Curator, Noise, Score, ScoreQuery};
use lookalike_measurement::NoisyCount;
use lookalike_model::{JunctionTree, Model, Rules, SampleRng};
use lookalike_schema::{AttrId, Clique};

use super::graph::{self, Bounds};
use super::initial;
use super::params::{NAME, PrivMrfParams};
use super::purse::{Price, Purse, Wants};
use super::scores::{MOST_PAIR_CELLS, Scores};
use super::universe::Universe;
use crate::graphical::{Candidates, Columns, GrowingModel, Limit, Merging, Ones, Wish, ones};
use crate::planned::broken_plan;
use crate::{MethodError, Observer, Request};

/// About the steps of putting a set into a tree.
const SET_STEPS: usize = 1 << 20;
/// What the public generator is for; part of its key.
const PURPOSE: &str = "privmrf";

pub(super) fn fit(
    params: &PrivMrfParams,
    curator: &mut Curator,
    request: &Request,
    observer: &dyn Observer,
) -> Result<Model, MethodError> {
    // A schema that no row can fit is refused here, before anything is paid.
    let schema = curator.schema().clone();
    Rules::new(&schema)?;
    let limit = Limit::of(request);
    let public = ones::public_count(curator)?;
    let wants = wants(params, curator, public.as_ref());
    observer.phase("counting");
    let purse = Purse::open(curator, &wants)?;
    let (columns, ones) = columns(params, curator, &purse, public)?;
    observer.budget(curator.share_spent());
    let mut run = Run { params, curator, observer, purse, bounds: bounds(params, limit) };
    let mut model = GrowingModel::new(&schema, columns, &ones)?;
    model.stop_with(run.curator);
    let model = run.measure(model, &wants)?;
    observer.phase("fitting");
    model.finish(&schema, NAME)
}

fn bounds(params: &PrivMrfParams, limit: Limit) -> Bounds {
    Bounds {
        clique: (params.clique_cells as u64).min(limit.cells()),
        total: (params.total_cells as u64).min(limit.cells()),
    }
}

/// What the budget is for. Columns that are counted alone are merged afterwards, so that every pair
/// can be scored.
fn wants(params: &PrivMrfParams, curator: &Curator, public: Option<&NoisyCount>) -> Wants {
    let domain = curator.schema().domain();
    let all = pairs(domain.len());
    let scored = |pair: &&Clique| params.ones_share > 0.0 || is_scored(domain.cells(pair));
    Wants {
        params: *params,
        columns: domain.len(),
        pairs: all.iter().filter(scored).count(),
        neighbours: curator.neighbours(),
        public_rows: public.map_or(0, |count| count.value.max(0) as u64),
    }
}

fn is_scored(cells: Option<u64>) -> bool {
    cells.is_some_and(|cells| cells <= MOST_PAIR_CELLS)
}

fn pairs(columns: usize) -> Vec<Clique> {
    let attribute = |index: usize| AttrId(index as u32);
    let pair = |a: usize| (a + 1..columns).map(move |b| Clique::new([attribute(a), attribute(b)]));
    (0..columns).flat_map(pair).collect()
}

/// The columns with rare values put together, and what is known of each alone; or, without looking
/// at columns alone, the columns as they are and the row count.
fn columns(
    params: &PrivMrfParams,
    curator: &mut Curator,
    purse: &Purse,
    public: Option<NoisyCount>,
) -> Result<(Columns, Ones), MethodError> {
    let count = match (public, purse.count) {
        (Some(count), _) => Some(count),
        (None, Some(noise)) => Some(curator.row_count(&CountQuery { noise })?),
        (None, None) => None,
    };
    let Some(noise) = purse.ones else {
        return Ok((Columns::plain(curator.schema())?, Ones::new(count, Vec::new())));
    };
    let ones = Ones::measure(curator, noise)?;
    let merging = Merging { threshold: params.merge, ..Merging::default() };
    let groupings = merging.groupings(curator.schema(), &ones)?;
    Ok((Columns::grouped(curator, groupings)?, ones))
}

/// A run after its first answers.
struct Run<'a> {
    params: &'a PrivMrfParams,
    curator: &'a mut Curator,
    observer: &'a dyn Observer,
    purse: Purse,
    bounds: Bounds,
}

impl Run<'_> {
    fn measure(&mut self, mut model: GrowingModel, wants: &Wants) -> Result<GrowingModel, MethodError> {
        let Some(noise) = self.purse.first else { return Ok(model) };
        self.observer.phase("scoring pairs");
        let scores = self.scores(model.columns())?;
        self.observer.budget(self.curator.share_spent());
        self.observer.phase("measuring");
        let columns = model.columns();
        let cliques = graph::cliques(columns.domain(), columns.rules(), &scores, self.bounds, model.halt())?;
        let first = self.first(&model, &self.universe(&model, cliques.clone(), self.params.theta, noise), &scores)?;
        let universe = self.universe(&model, cliques, self.params.round_theta, noise);
        model.measure(self.curator, &first, noise)?;
        model.refit()?;
        let mut measured: Vec<Clique> = first;
        let rounds = wants.rounds();
        for round in 0..rounds {
            self.curator.check_cancelled()?;
            let set = self.choose(&model, &universe, &measured, round as u64)?;
            let noise = self.purse.later.ok_or_else(broken_plan)?;
            model.measure(self.curator, std::slice::from_ref(&set), noise)?;
            measured.push(set);
            if round + 1 < rounds {
                model.refit()?;
            }
            self.observer.round(round as u64 + 1, rounds as u64);
            self.observer.budget(self.curator.share_spent());
        }
        Ok(model)
    }

    /// R of every pair that is not too large.
    fn scores(&mut self, columns: &Columns) -> Result<Scores, MethodError> {
        let Some(noise) = self.purse.scores else { return Ok(Scores::new(columns.len())) };
        let mut asked = pairs(columns.len());
        asked.retain(|pair| is_scored(Some(columns.cells(pair))));
        let query = |pair: &Clique| {
            let asked = columns.asked(pair);
            let score =
                Score::Dependence { child: asked.attributes()[0], parents: Clique::single(asked.attributes()[1]) };
            ScoreQuery { score, noise }
        };
        let queries: Vec<ScoreQuery> = asked.iter().map(query).collect();
        let answers = self.curator.noisy_scores(&queries)?;
        Ok(Scores::of(columns.len(), &asked, answers.iter().map(|answer| answer.rows())))
    }

    fn universe(&self, model: &GrowingModel, cliques: Vec<Clique>, theta: f64, noise: Noise) -> Universe {
        let width = self.params.width as usize;
        Universe::new(model.columns().domain(), cliques, model.total(), theta, expected_noise(noise), width)
    }

    /// The first marginals. One whose tree would become too large gives way to its column alone:
    /// the rules of thumb that triangulate a graph may do worse on a part of it than on the whole.
    fn first(&self, model: &GrowingModel, universe: &Universe, scores: &Scores) -> Result<Vec<Clique>, MethodError> {
        let (columns, halt) = (model.columns(), model.halt());
        let mut tree = JunctionTree::new(columns.domain(), &[], columns.rules())?;
        let mut first = Vec::new();
        let chosen = initial::choose(universe, scores, self.params.first, halt)?;
        for (set, column) in chosen.into_iter().zip(columns.domain().attributes()) {
            halt.check(SET_STEPS)?;
            let fits = tree.has_room_for(&set, self.bounds.total.max(tree.cells()))?;
            let set = if fits { set } else { Clique::single(column) };
            tree.add(&set)?;
            first.push(set);
        }
        Ok(first)
    }

    /// The next marginal: the candidate whose counts are farthest from the model's. Where nothing
    /// useful is left that was not measured, one of those that were is measured again: the choice
    /// and the marginal are planned in any case.
    fn choose(
        &mut self,
        model: &GrowingModel,
        universe: &Universe,
        measured: &[Clique],
        round: u64,
    ) -> Result<Clique, MethodError> {
        let known: BTreeSet<&Clique> = measured.iter().collect();
        let most = self.bounds.total.max(model.cells());
        let mut fits = |set: &Clique| !known.contains(set) && model.has_room_for(set, most).is_ok_and(|room| room);
        let mut rng = SampleRng::new(self.params.shuffle, PURPOSE, round);
        let mut candidates = universe.sample(self.params.candidates as usize, &mut rng, &mut fits);
        // Whoever was told to stop has found too few.
        self.curator.check_cancelled()?;
        if candidates.is_empty() {
            candidates = known.into_iter().cloned().collect();
        }
        let place = match self.purse.choice.ok_or_else(broken_plan)? {
            Price::Selection(epsilon) => {
                let each = self.params.penalty * self.purse.later.map_or(0.0, expected_noise);
                let offset = |clique: &Clique| -each * model.columns().cells(clique) as f64;
                let wish = |clique: &Clique| Wish { clique: clique.clone(), weight: 1.0, offset: offset(clique) };
                let wishes: Vec<Wish> = candidates.iter().map(wish).collect();
                Candidates::new().select(self.curator, model, &wishes, "marginal of a round", epsilon)?
            }
            Price::Noise(noise) => self.noisy_maximum(model, &candidates, noise)?,
        };
        Ok(candidates.swap_remove(place))
    }

    /// As published: every distance gets noise, and the largest wins.
    fn noisy_maximum(
        &mut self,
        model: &GrowingModel,
        candidates: &[Clique],
        noise: Noise,
    ) -> Result<usize, MethodError> {
        let query = |(clique, expected): (&Clique, _)| {
            let score = Score::DistanceToModel { clique: model.columns().asked(clique), expected };
            ScoreQuery { score, noise }
        };
        let queries: Vec<ScoreQuery> = candidates.iter().zip(model.expected(candidates)?).map(query).collect();
        let answers = self.curator.noisy_scores(&queries)?;
        let better = |one: &(usize, i64), two: &(usize, i64)| one.1.cmp(&two.1).then(two.0.cmp(&one.0));
        let largest = answers.iter().map(|answer| answer.value).enumerate().max_by(better);
        Ok(largest.map_or(0, |(place, _)| place))
    }
}

/// The expected absolute noise of a cell: g of the paper.
pub(super) fn expected_noise(noise: Noise) -> f64 {
    match noise {
        Noise::Gaussian(sigma_squared) => (sigma_squared.to_f64() * std::f64::consts::FRAC_2_PI).sqrt(),
        Noise::Laplace(scale) => scale.to_f64(),
    }
}
