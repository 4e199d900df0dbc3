//! Marginals under a budget: Laplace, Fourier, Contingency, and Uniform as a floor.

mod baseline;
mod contingency;
mod fourier;
mod laplace;
mod uniform;

use anyhow::{Result, ensure};
use lookalike_schema::Clique;
use lookalike_table::Table;

use crate::marginal::exact;

pub use baseline::{MarginalBaseline, MarginalTask};
pub use contingency::Contingency;
pub use fourier::Fourier;
pub use laplace::Laplace;
pub use uniform::Uniform;

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
