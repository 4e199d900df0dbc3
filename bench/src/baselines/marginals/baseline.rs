//! What a baseline for marginals is.

use anyhow::Result;
use lookalike_privacy::{DiscreteLaplace, Epsilon, Neighbours, Rational};
use lookalike_schema::Clique;
use lookalike_table::Table;

/// Marginals of a public table that are to be estimated as if it were private.
#[derive(Clone, Copy)]
pub struct MarginalTask<'a> {
    /// The table.
    pub table: &'a Table,
    /// The marginals.
    pub marginals: &'a [Clique],
    /// What all of them together may cost, without a delta.
    pub epsilon: Epsilon,
    /// Who counts as a neighbour.
    pub neighbours: Neighbours,
}

impl MarginalTask<'_> {
    /// Exact discrete Laplace noise for an L1 sensitivity of that many times a marginal's.
    pub(super) fn noise(&self, marginals: u64) -> Result<DiscreteLaplace> {
        let sensitivity = self.neighbours.marginal().l1() * marginals;
        Ok(DiscreteLaplace::new(Rational::at_least(sensitivity as f64 / self.epsilon.get())?)?)
    }
}

/// Non-negativity and normalization, as PB14 grants all baselines: negative cells become 0, the
/// rest is rescaled to 1. Without any mass left: uniform. Post-processing; the true row count is
/// not needed.
pub fn distribution(noisy: impl ExactSizeIterator<Item = f64>) -> Vec<f64> {
    let cells = noisy.len().max(1) as f64;
    let mut out: Vec<f64> = noisy.map(|value| value.max(0.0)).collect();
    let total: f64 = out.iter().sum();
    if total > 0.0 {
        out.iter_mut().for_each(|value| *value /= total);
    } else {
        out.fill(1.0 / cells);
    }
    out
}
