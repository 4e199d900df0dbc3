//! The floor: what one knows without looking.

use anyhow::{Context, Result};
use lookalike_schema::Clique;

use super::baseline::MarginalTask;

/// Every cell alike.
///
/// # Privacy
/// Looks at the schema only: costs nothing under any relation.
pub(super) fn uniform(task: &MarginalTask) -> Result<Vec<Vec<f64>>> {
    let flat = |clique: &Clique| {
        let cells = task.table.domain().cells(clique).and_then(|cells| usize::try_from(cells).ok());
        let cells = cells.filter(|&cells| cells <= 1 << 24).context("a marginal is too large to write out")?;
        Ok(vec![1.0 / cells as f64; cells])
    };
    task.marginals.iter().map(flat).collect()
}
