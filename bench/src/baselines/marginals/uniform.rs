//! The floor: what one knows without looking.

use anyhow::{Context, Result};
use lookalike_privacy::{Epsilon, Neighbours, NoiseBits};
use lookalike_schema::Clique;
use lookalike_table::Table;

use super::MarginalBaseline;

/// Every cell alike.
///
/// # Privacy
/// Looks at the schema only: costs nothing under any relation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl MarginalBaseline for Uniform {
    fn name(&self) -> &'static str {
        "Uniform"
    }

    fn estimate(
        &self,
        table: &Table,
        marginals: &[Clique],
        _epsilon: Epsilon,
        _neighbours: Neighbours,
        _bits: &mut dyn NoiseBits,
    ) -> Result<Vec<Vec<f64>>> {
        let flat = |clique: &Clique| {
            let cells = table.domain().cells(clique).and_then(|cells| usize::try_from(cells).ok());
            let cells = cells.filter(|&cells| cells <= 1 << 24).context("a marginal is too large to write out")?;
            Ok(vec![1.0 / cells as f64; cells])
        };
        marginals.iter().map(flat).collect()
    }
}
