//! Marginals under a budget: Laplace, Fourier, Contingency, and Uniform as a floor.

mod baseline;
mod contingency;
mod fourier;
mod laplace;
mod uniform;

use anyhow::{Result, ensure};
use lookalike_privacy::NoiseBits;
use lookalike_schema::Clique;
use lookalike_table::Table;

use crate::marginal::exact;

pub use baseline::{MarginalTask, distribution};
pub use contingency::{ClippedTable, contingency};

/// The most cells of a joint domain that are held.
const MOST_CELLS: u64 = 1 << 24;

/// A baseline that estimates marginals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarginalBaseline {
    /// Noise on each marginal.
    Laplace,
    /// Noise on the Fourier coefficients that the marginals need.
    Fourier,
    /// Noise on the full contingency table, which is clipped and then summed.
    Contingency,
    /// The same noise; the table is summed first, and each marginal is clipped.
    ContingencyProjected,
    /// The floor: what one knows without looking.
    Uniform,
}

impl MarginalBaseline {
    /// All of them: the papers' three, Contingency in both readings, and the floor.
    pub const ALL: [Self; 5] =
        [Self::Laplace, Self::Fourier, Self::Contingency, Self::ContingencyProjected, Self::Uniform];

    /// The name that figures use.
    pub fn name(self) -> String {
        match self {
            Self::ContingencyProjected => "Contingency, each marginal clipped".into(),
            _ => format!("{self:?}"),
        }
    }

    /// Estimated distributions of the marginals, in order: every cell (row-major, last column
    /// fastest), none negative, summing to 1.
    pub fn estimate(self, task: &MarginalTask, bits: &mut dyn NoiseBits) -> Result<Vec<Vec<f64>>> {
        match self {
            Self::Laplace => laplace::laplace(task, bits),
            Self::Fourier => fourier::fourier(task, bits),
            Self::Contingency => contingency(task, ClippedTable::Joint, bits, MOST_CELLS),
            Self::ContingencyProjected => contingency(task, ClippedTable::EachMarginal, bits, MOST_CELLS),
            Self::Uniform => uniform::uniform(task),
        }
    }
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
