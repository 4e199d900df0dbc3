//! Marginals under a budget: Laplace, Fourier, Contingency, and Uniform as a floor.

mod contingency;
mod fourier;
mod laplace;
mod uniform;

use anyhow::{Result, ensure};
use lookalike_privacy::{Epsilon, Neighbours, NoiseBits};
use lookalike_schema::Clique;
use lookalike_table::Table;

use crate::marginal::exact;

pub use contingency::Contingency;
pub use fourier::Fourier;
pub use laplace::Laplace;
pub use uniform::Uniform;

/// Estimates marginals of a public table as if it were private.
pub trait MarginalBaseline {
    /// The name that figures use.
    fn name(&self) -> &'static str;

    /// Estimated distributions of the marginals, in order: every cell (row-major, last column
    /// fastest), none negative, summing to 1. All of them together cost `epsilon`, without a delta.
    fn estimate(
        &self,
        table: &Table,
        marginals: &[Clique],
        epsilon: Epsilon,
        neighbours: Neighbours,
        bits: &mut dyn NoiseBits,
    ) -> Result<Vec<Vec<f64>>>;
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
