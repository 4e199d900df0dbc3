//! Noise on every cell of every marginal.

use anyhow::Result;
use lookalike_privacy::NoiseBits;

use super::baseline::{MarginalTask, distribution};
use crate::marginal::exact;

/// Discrete Laplace noise on each asked marginal, the budget split over all of them.
///
/// # Privacy
/// Neighbours: either relation. One marginal's counts change by s in L1 (c under add/remove with
/// contribution c, 2 under replace-one), m marginals by m s. Discrete Laplace noise of scale m s /
/// epsilon on integer counts, rounded up to a rational, drawn exactly: pure epsilon. Dwork et al.
/// 2006, as PB14 section 5.1 uses it.
pub(super) fn laplace(task: &MarginalTask, bits: &mut dyn NoiseBits) -> Result<Vec<Vec<f64>>> {
    if task.marginals.is_empty() {
        return Ok(Vec::new());
    }
    let noise = task.noise(task.marginals.len() as u64)?;
    let mut estimates = Vec::with_capacity(task.marginals.len());
    for mut counts in exact(task.table, task.marginals)? {
        noise.add_to(&mut counts, bits);
        estimates.push(distribution(counts.iter().map(|&count| count as f64)));
    }
    Ok(estimates)
}
