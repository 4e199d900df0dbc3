//! Marginals under a budget: Laplace, Fourier, Contingency, and Uniform as a floor.

mod contingency;
mod fourier;
mod laplace;
mod uniform;

use anyhow::{Result, ensure};
use lookalike_privacy::{DiscreteLaplace, Epsilon, Neighbours, NoiseBits, Rational};
use lookalike_schema::Clique;
use lookalike_table::Table;

use crate::marginal::exact;

pub use contingency::Contingency;
pub use fourier::Fourier;
pub use laplace::Laplace;
pub use uniform::Uniform;

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
    fn noise(&self, marginals: u64) -> Result<DiscreteLaplace> {
        let sensitivity = self.neighbours.marginal().l1() * marginals;
        Ok(DiscreteLaplace::new(Rational::at_least(sensitivity as f64 / self.epsilon.get())?)?)
    }
}

/// Estimates marginals.
pub trait MarginalBaseline {
    /// The name that figures use.
    fn name(&self) -> &'static str;

    /// Estimated distributions of the marginals, in order: every cell (row-major, last column
    /// fastest), none negative, summing to 1.
    fn estimate(&self, task: &MarginalTask, bits: &mut dyn NoiseBits) -> Result<Vec<Vec<f64>>>;
}

/// All four, as the papers set them.
pub fn all() -> Vec<Box<dyn MarginalBaseline>> {
    vec![Box::new(Laplace), Box::new(Fourier), Box::new(Contingency::default()), Box::new(Uniform)]
}

/// The mean total variation distance of estimates to the table's own marginals; 0 when there are
/// none.
pub fn average_distance(table: &Table, marginals: &[Clique], estimates: &[Vec<f64>]) -> Result<f64> {
    ensure!(marginals.len() == estimates.len(), "one estimate for each marginal");
    let mut sum = 0.0;
    for (counts, estimate) in exact(table, marginals)?.iter().zip(estimates) {
        ensure!(counts.len() == estimate.len(), "an estimate has another number of cells than its marginal");
        let total = table.rows().max(1) as f64;
        sum += 0.5 * counts.iter().zip(estimate).map(|(&c, p)| (c as f64 / total - p).abs()).sum::<f64>();
    }
    Ok(sum / marginals.len().max(1) as f64)
}

/// Non-negativity and normalization, as PB14 grants all baselines: negative cells become 0, the
/// rest is rescaled to 1. Without any mass left: uniform. Post-processing; the true row count is
/// not needed.
fn distribution(noisy: impl ExactSizeIterator<Item = f64>) -> Vec<f64> {
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
