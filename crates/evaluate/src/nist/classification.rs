//! Random conditions on a third of the columns, and how often rows meet them.

use rayon::prelude::*;

use crate::{CodedRows, EvaluationRng};

/// The floor of frequencies: below it a logarithm would speak of single rows.
const LEAST: f64 = 1e-6;

/// A condition: for each column in it, the codes that it allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NistCondition {
    columns: Vec<(usize, Vec<bool>)>,
}

impl NistCondition {
    /// Rows that meet it, as a share of all; 0 without rows.
    fn frequency(&self, rows: &CodedRows) -> f64 {
        let meets =
            |row: usize| self.columns.iter().all(|(column, allowed)| allowed[rows.columns()[*column][row] as usize]);
        let met = (0..rows.len()).filter(|&row| meets(row)).count();
        met as f64 / rows.len().max(1) as f64
    }
}

/// Random conditions, each on a third of the columns (at least one).
pub fn conditions(sizes: &[u32], ordered: &[bool], count: usize, seed: u64) -> Vec<NistCondition> {
    let mut rng = EvaluationRng::new(seed, "nist classification", 0);
    let third = (sizes.len() / 3).max(1).min(sizes.len());
    let one = |_| {
        let chosen = rng.choose(sizes.len() as u64, third);
        let columns = chosen.iter().map(|&column| {
            let column = column as usize;
            (column, allowed(sizes[column], ordered[column], &mut rng))
        });
        NistCondition { columns: columns.collect() }
    };
    (0..count).map(one).collect()
}

/// A random range of an ordered column; a random half of a category's values, with at least one.
fn allowed(size: u32, ordered: bool, rng: &mut EvaluationRng) -> Vec<bool> {
    if ordered {
        let (a, b) = (rng.below(size), rng.below(size));
        return (0..size).map(|code| code >= a.min(b) && code <= a.max(b)).collect();
    }
    let mut allowed: Vec<bool> = (0..size).map(|_| rng.below(2) == 1).collect();
    let sure = rng.below(size) as usize;
    allowed[sure] = true;
    allowed
}

/// The share of rows that meet each condition.
pub fn frequencies(rows: &CodedRows, conditions: &[NistCondition]) -> Vec<f64> {
    conditions.par_iter().map(|condition| condition.frequency(rows)).collect()
}

/// 10^6 max(0, 1 + RMS / ln(1/1000)) of the differences of log frequencies.
pub fn classification_score(real: &[f64], synthetic: &[f64]) -> f64 {
    let square = |(a, b): (&f64, &f64)| (a.max(LEAST).ln() - b.max(LEAST).ln()).powi(2);
    let sum: f64 = real.iter().zip(synthetic).map(square).sum();
    let root = (sum / real.len().max(1) as f64).sqrt();
    1e6 * (1.0 - root / 1000f64.ln()).max(0.0)
}
