//! The copula of a tree: the correlations for which scores drawn given groups have these
//! correlations themselves (stochastic expectation and maximization, over rows of the tree).

use lookalike_schema::Schema;

use super::scores::{Conditionals, middles, sweep};
use super::{Copula, OrderedColumn};
use crate::ModelError;
use crate::structure::tree::TreeModel;

/// Rows that the correlations are found from.
pub(crate) const PILOT_ROWS: u64 = 20_000;
/// Rounds, and how many of the last are averaged.
const ROUNDS: usize = 25;
const AVERAGED: usize = 13;
/// What the streams are for. Part of what fixes a model: never changed.
const STREAM: &str = "lookalike copula v1";

impl Copula {
    /// The copula of a tree, from rows of it: their codes, a vector a column. None where no group
    /// of an ordered column has several codes, or there is no second column to follow.
    pub fn of(schema: &Schema, tree: &TreeModel, codes: &[Vec<u32>]) -> Result<Option<Self>, ModelError> {
        let columns = schema.domain().attributes().map(|attribute| OrderedColumn::of(schema, tree, attribute));
        let columns: Vec<OrderedColumn> = columns.filter_map(Result::transpose).collect::<Result<_, _>>()?;
        let is_wide = columns.iter().any(|column| column.is_wide.contains(&true));
        if columns.len() < 2 || !is_wide {
            return Ok(None);
        }
        let count = columns.len();
        let rows = codes.first().map_or(0, Vec::len);
        let unrelated = |place: usize| f64::from(u8::from(place / count == place % count));
        let mut copula = Self {
            columns: columns.iter().map(|column| column.attribute as u32).collect(),
            correlations: (0..count * count).map(unrelated).collect(),
        };
        let mut scores = middles(&columns, codes, 0..rows);
        let mut averaged = 0.0;
        for round in 0..ROUNDS {
            let conditionals = Conditionals::of(&copula);
            sweep((&columns, &conditionals), (codes, 0), &mut scores, (0, STREAM, round as u64), 1);
            averaged = if round + AVERAGED > ROUNDS { averaged + 1.0 } else { 1.0 };
            let found = correlations(&scores, count);
            copula.correlations.iter_mut().zip(&found).for_each(|(mean, found)| *mean += (found - *mean) / averaged);
        }
        Ok(Some(copula))
    }
}

/// Correlations of scores that stand row by row.
fn correlations(scores: &[f64], count: usize) -> Vec<f64> {
    let rows = (scores.len() / count).max(1) as f64;
    let (mut sums, mut products) = (vec![0.0; count], vec![0.0; count * count]);
    for row in scores.chunks(count) {
        for (one, first) in row.iter().enumerate() {
            sums[one] += first;
            products[one * count..=one * count + one]
                .iter_mut()
                .zip(row)
                .for_each(|(sum, second)| *sum += first * second);
        }
    }
    let covariance = |one: usize, two: usize| {
        let (high, low) = (one.max(two), one.min(two));
        products[high * count + low] / rows - sums[one] / rows * (sums[two] / rows)
    };
    let correlation = |place: usize| {
        let (one, two) = (place / count, place % count);
        let scale = (covariance(one, one) * covariance(two, two)).sqrt();
        match one == two {
            true => 1.0,
            false if scale > 1e-12 => (covariance(one, two) / scale).clamp(-1.0, 1.0),
            false => 0.0,
        }
    };
    (0..count * count).map(correlation).collect()
}
