//! Synthesizers that the papers compare with: DP-Copula, BSG, MWEM, DualQuery and DP-WGAN.
//!
//! They read coded public tables as if these were private. Each file states its own argument of
//! privacy and which source it was built from.

pub mod bsg;
pub mod composition;
pub mod dp_copula;
pub mod dp_wgan;
mod draws;
pub mod dual_query;
pub mod mwem;
mod task;

use anyhow::{Result, ensure};
use lookalike_privacy::NoiseBits;
use lookalike_table::Table;

use self::dp_wgan::WganSettings;
pub use task::SynthesisTask;

/// A system that makes a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaselineSynthesizer {
    /// A Gaussian copula of noisy rank correlations.
    DpCopula,
    /// A Bayesian network that rewrites real records.
    Bsg,
    /// Multiplicative weights and the exponential mechanism.
    Mwem,
    /// Multiplicative weights over queries.
    DualQuery,
    /// A generative adversarial network, with the rates that its authors give.
    DpWgan,
    /// The same with rates that were chosen on NLTCS.
    DpWganTuned,
}

impl BaselineSynthesizer {
    /// All of them, in the order of the papers' figures.
    pub const ALL: [Self; 6] =
        [Self::DpCopula, Self::Bsg, Self::Mwem, Self::DualQuery, Self::DpWgan, Self::DpWganTuned];

    /// The name that figures use.
    pub fn name(self) -> &'static str {
        match self {
            Self::DpCopula => "DP-Copula",
            Self::Bsg => "BSG",
            Self::Mwem => "MWEM",
            Self::DualQuery => "DualQuery",
            Self::DpWgan => "DP-WGAN",
            Self::DpWganTuned => "DP-WGAN, tuned on NLTCS",
        }
    }

    /// A table of the same schema. Every random number comes from `bits`. Fails where the system
    /// cannot do what is asked: the message says why.
    pub fn synthesize(self, task: &SynthesisTask, bits: &mut dyn NoiseBits) -> Result<Table> {
        ensure!(task.epsilon.is_finite() && task.epsilon > 0.0, "epsilon is above 0");
        ensure!((0.0..1.0).contains(&task.delta), "delta is from 0 to below 1");
        ensure!(task.table.rows() > 1, "{} needs a table of two rows or more", self.name());
        let columns = match self {
            Self::DpCopula => dp_copula::dp_copula(task, bits),
            Self::Bsg => bsg::bsg(task, bits),
            Self::Mwem => mwem::mwem(task, bits),
            Self::DualQuery => dual_query::dual_query(task, bits),
            Self::DpWgan => dp_wgan::dp_wgan(task, &WganSettings::published(), bits),
            Self::DpWganTuned => dp_wgan::dp_wgan(task, &WganSettings::tuned(), bits),
        }?;
        Ok(Table::from_columns(task.table.schema(), columns))
    }
}
