//! Synthesizers that the papers compare with: DP-Copula, BSG, MWEM, DualQuery and DP-WGAN.
//!
//! They read coded public tables as if these were private. Each file states its own argument of
//! privacy and which source it was built from.

pub mod bsg;
pub mod composition;
pub mod dp_copula;
pub mod dp_wgan;
pub mod dual_query;
pub mod mwem;

use anyhow::{Result, ensure};
use lookalike_privacy::NoiseBits;
use lookalike_table::Table;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::simulate::draw::uniform;

/// A public table of which a copy is to be made as if it were private.
#[derive(Clone, Copy)]
pub struct SynthesisTask<'a> {
    /// The table.
    pub table: &'a Table,
    /// The budget's epsilon.
    pub epsilon: f64,
    /// The budget's delta; systems of pure epsilon leave it unspent.
    pub delta: f64,
    /// Rows to make. Public.
    pub rows: usize,
}

impl SynthesisTask<'_> {
    /// The codes of every column.
    fn columns(&self) -> Result<Vec<Vec<u32>>> {
        let attributes = self.table.domain().attributes();
        Ok(attributes.map(|attribute| self.table.codes(attribute)).collect::<Result<_, _>>()?)
    }

    /// The number of codes of every column.
    fn sizes(&self) -> Vec<usize> {
        self.table.domain().sizes().iter().map(|&size| size as usize).collect()
    }
}

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
    /// A generative adversarial network.
    DpWgan,
}

impl BaselineSynthesizer {
    /// All of them, in the order of the papers' figures.
    pub const ALL: [Self; 5] = [Self::DpCopula, Self::Bsg, Self::Mwem, Self::DualQuery, Self::DpWgan];

    /// The name that figures use.
    pub fn name(self) -> &'static str {
        match self {
            Self::DpCopula => "DP-Copula",
            Self::Bsg => "BSG",
            Self::Mwem => "MWEM",
            Self::DualQuery => "DualQuery",
            Self::DpWgan => "DP-WGAN",
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
            Self::DpWgan => dp_wgan::dp_wgan(task, bits),
        }?;
        Ok(Table::from_columns(task.table.schema(), columns))
    }
}

/// A generator of floats that is keyed by the noise.
fn floats(bits: &mut dyn NoiseBits) -> ChaCha20Rng {
    ChaCha20Rng::from_seed(std::array::from_fn(|_| bits.next_u64() as u8))
}

/// Running sums of weights, negative ones taken as 0; all alike when nothing is left.
fn cumulative(weights: &[f64]) -> Vec<f64> {
    let any = weights.iter().any(|&weight| weight > 0.0);
    let mut sum = 0.0;
    let add = |weight: &f64| {
        sum += if any { weight.max(0.0) } else { 1.0 };
        sum
    };
    weights.iter().map(add).collect()
}

/// An index with a chance that is proportional to its weight, from running sums.
fn pick(cumulative: &[f64], rng: &mut ChaCha20Rng) -> usize {
    let total = cumulative.last().copied().unwrap_or_default();
    let at = uniform(rng) * total;
    cumulative.partition_point(|&sum| sum <= at).min(cumulative.len().saturating_sub(1))
}
