//! Scores made ready for noise: checked, priced and grouped by clique from public information
//! alone; then tallied.

use std::collections::BTreeMap;

use lookalike_measurement::NoisyScore;
use lookalike_privacy::{ChargedQuery, Neighbours, NoiseBits, SCORE_GRID, Step};
use lookalike_schema::{Clique, Domain, View};

use crate::noisy::Sampler;
use crate::scores::{GRID, labels, prepared};
use crate::{CountTable, CuratorError, ScoreQuery};

/// A score on the fine grid of selections becomes one on the coarser grid of noise by a second
/// floor, which is the floor of the true score: floor(floor(16 x) / 16) = floor(x).
const COARSER: i128 = (GRID / SCORE_GRID) as i128;
const _: () = assert!(GRID.is_multiple_of(SCORE_GRID));

/// A score of the fine grid on the grid of noise. Saturation never widens the distance of two
/// tables.
pub(crate) fn on_noise_grid(fine: i128) -> i64 {
    fine.div_euclid(COARSER).clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
}

/// A checked batch: the step and the sampler of each query, and the distinct cliques to count.
pub(crate) struct PreparedScores<'a> {
    queries: &'a [ScoreQuery],
    steps: Vec<Step>,
    samplers: Vec<Sampler>,
    cliques: Vec<Clique>,
    /// For each clique, the queries that are scored on it.
    places: Vec<Vec<usize>>,
    public_rows: Option<u64>,
}

impl<'a> PreparedScores<'a> {
    /// Prices every query. `public_rows` is the row count where it is public.
    pub fn new(
        queries: &'a [ScoreQuery],
        view: &View,
        neighbours: Neighbours,
        public_rows: Option<u64>,
    ) -> Result<Self, CuratorError> {
        let mut steps = Vec::with_capacity(queries.len());
        let mut samplers = Vec::with_capacity(queries.len());
        let mut grouped: BTreeMap<Clique, Vec<usize>> = BTreeMap::new();
        for (place, query) in queries.iter().enumerate() {
            let step = query.step(neighbours, view.domain(), public_rows.unwrap_or(0))?;
            samplers.push(Sampler::new(&step)?);
            steps.push(step);
            grouped.entry(query.score.clique()).or_default().push(place);
        }
        let (cliques, places) = grouped.into_iter().unzip();
        Ok(Self { queries, steps, samplers, cliques, places, public_rows })
    }

    /// One charge a query, in order. Runs of pairs share a label, so that the journal stays short.
    pub fn charges(&self, view: &View) -> Vec<ChargedQuery> {
        let labels = labels::of(self.queries, view);
        labels.into_iter().zip(&self.steps).map(|(label, step)| ChargedQuery { label, step: step.clone() }).collect()
    }

    /// The distinct cliques, in the order in which [`NoisyTally::score`] wants their tables.
    pub fn cliques(&self) -> &[Clique] {
        &self.cliques
    }

    /// An empty tally.
    pub fn tally(&self) -> NoisyTally<'_> {
        NoisyTally { prepared: self, values: vec![0; self.queries.len()], rows: self.public_rows }
    }
}

/// The exact scores so far, on the grid. Unprintable.
pub(crate) struct NoisyTally<'a> {
    prepared: &'a PreparedScores<'a>,
    values: Vec<i64>,
    /// The total of all tables: the public n, or that of the first table.
    rows: Option<u64>,
}

crate::unprintable::assert_lacks!(NoisyTally<'static>: std::fmt::Debug, Clone);

impl NoisyTally<'_> {
    /// Scores every query of one clique and uses up its table.
    pub fn score(&mut self, place: usize, table: CountTable, domain: &Domain) -> Result<(), CuratorError> {
        let rows = prepared::total(&table, &mut self.rows)?;
        for &query in &self.prepared.places[place] {
            let fine = self.prepared.queries[query].score.evaluate(&table, rows, domain);
            self.values[query] = on_noise_grid(fine);
        }
        Ok(())
    }

    /// Every score with its own draw.
    pub fn release(mut self, bits: &mut dyn NoiseBits) -> Vec<NoisyScore> {
        for (value, sampler) in self.values.iter_mut().zip(&self.prepared.samplers) {
            sampler.add_to(std::slice::from_mut(value), bits);
        }
        let steps = self.prepared.steps.iter().cloned();
        self.values.into_iter().zip(steps).map(|(value, step)| NoisyScore { value, step }).collect()
    }
}
