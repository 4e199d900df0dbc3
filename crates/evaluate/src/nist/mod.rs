//! The three scores of the 2018 NIST challenge, as PB21 section 4 prints them: from 0 to 1,000,000,
//! more is better.
//!
//! - **Clustering**: 10^6 (1 - half the L1 distance) of random 3-way marginals, mean of 100.
//! - **Classification**: 300 random conditions on a third of the columns; 10^6 max(0, 1 - RMS / ln
//!   1000) of the differences of log frequencies, frequencies floored at 10^-6. A category is asked
//!   for a random half of its values, an ordered column for a random range.
//! - **Regression**: city by city. The first half is 1 minus the mean squared difference of the
//!   Gini coefficients of income, over all cities and both sexes; the second is 1 minus the mean
//!   squared difference of the cities' ranks by gender pay gap, divided by what the reversed order
//!   would give. 10^6 times their mean. The paper leaves the normalization open; this is ours.

mod classification;
mod regression;

pub use classification::{NistCondition, classification_score, conditions, frequencies};
pub use regression::{NistColumns, Regression, gini, rank_deviation, regression_score};

use lookalike_schema::{AttrId, Clique};
use lookalike_table::{Table, TableError};
use serde::Serialize;

use crate::distance::{Cancelled, distances, mean};
use crate::{CodedRows, EvaluationRng};

/// How many repeats, and of which seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NistSettings {
    /// Random marginals of the clustering score.
    pub marginals: usize,
    /// Random conditions of the classification score.
    pub conditions: usize,
    /// Rows that the conditions are asked of, at most.
    pub rows: usize,
    /// The seed of marginals and conditions.
    pub seed: u64,
}

impl Default for NistSettings {
    fn default() -> Self {
        Self { marginals: 100, conditions: 300, rows: 1_000_000, seed: 0 }
    }
}

/// The three scores.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NistScores {
    /// 3-way marginals.
    pub clustering: f64,
    /// Conditions on a third of the columns.
    pub classification: f64,
    /// Income, sex and city, where they were named.
    pub regression: Option<Regression>,
}

/// Scores a synthetic table against the real one. Both have rows and the same columns.
///
/// # Errors
/// When the tables differ in shape, cannot be read back, or the work was cancelled.
pub fn nist_scores(
    real: &Table,
    synthetic: &Table,
    columns: Option<NistColumns>,
    settings: &NistSettings,
    cancelled: Cancelled<'_>,
) -> Result<NistScores, TableError> {
    let clustering = clustering_score(real, synthetic, settings, cancelled)?;
    let ordered = crate::ordered_columns(real.schema());
    let mut rng = EvaluationRng::new(settings.seed, "nist rows", 0);
    let (left, right) =
        (CodedRows::sample(real, settings.rows, &mut rng)?, CodedRows::sample(synthetic, settings.rows, &mut rng)?);
    let asked = conditions(left.sizes(), &ordered, settings.conditions, settings.seed);
    let classification = classification_score(&frequencies(&left, &asked), &frequencies(&right, &asked));
    let regression = columns.map(|columns| regression_score(real, synthetic, columns)).transpose()?.flatten();
    Ok(NistScores { clustering, classification, regression })
}

/// The clustering score alone. Tables of fewer than three columns are judged by all their columns.
pub fn clustering_score(
    real: &Table,
    synthetic: &Table,
    settings: &NistSettings,
    cancelled: Cancelled<'_>,
) -> Result<f64, TableError> {
    let count = real.domain().len();
    let mut rng = EvaluationRng::new(settings.seed, "nist clustering", 0);
    let mut order: Vec<u32> = (0..count as u32).collect();
    let draw = |_| {
        rng.shuffle(&mut order);
        Clique::new(order.iter().take(3).copied().map(AttrId))
    };
    let cliques: Vec<Clique> = (0..settings.marginals).map(draw).collect();
    let found = distances(real, synthetic, &cliques, cancelled)?;
    Ok(1e6 * (1.0 - mean(found.into_iter())))
}

#[cfg(test)]
mod tests;
