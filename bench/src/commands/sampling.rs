//! Rows from a tree model that was fitted to a file of noisy marginals.

use std::path::PathBuf;

use anyhow::Result;
use lookalike_model::{JunctionTree, MeasuredClique, Model, Origin, Replacement, Sampling};
use lookalike_model::{Measurement, Options, estimate};
use rayon::prelude::*;
use serde_json::json;

use super::instances::Instance;
use crate::measure::{emit, peers, repeated};
use crate::simulate::draw::coded_schema;

#[derive(clap::Args)]
pub struct SamplingArgs {
    /// JSON: `domain` (sizes) and `measurements` (each `clique`, `sigma`, `y`, row-major).
    #[arg(long)]
    measurements: PathBuf,
    /// Rows to draw into memory.
    #[arg(long, default_value_t = 2_000_000)]
    rows: u64,
    /// Measurements; the median is printed.
    #[arg(long, default_value_t = 9)]
    repeats: usize,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Also draw with mbi, from its own fit.
    #[arg(long)]
    peers: bool,
}

impl SamplingArgs {
    pub fn run(&self) -> Result<()> {
        let instance = Instance::read(&self.measurements)?;
        let columns = instance.domain.len();
        let model = fitted(&instance)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let mut ours = f64::NAN;
        for (way, replacement) in [("with", Replacement::With), ("without", Replacement::Without)] {
            let sampling = Sampling::new(self.rows, 1).with(replacement);
            let (drawn, cost) = repeated(self.repeats, || {
                let sampler = model.sampler(&sampling)?;
                let blocks: Vec<_> =
                    pool.install(|| (0..sampler.blocks()).into_par_iter().map(|index| sampler.block(index)).collect());
                Ok(blocks.iter().map(|block| block.rows as u64).sum::<u64>())
            })?;
            anyhow::ensure!(drawn == self.rows, "rows are missing");
            ours = cost.cpu;
            emit(json!({
                "bench": "sampling", "replacement": way, "rows": self.rows, "columns": columns,
                "cpu_seconds": cost.cpu, "wall_seconds": cost.wall, "rows_per_cpu_second": self.rows as f64 / cost.cpu,
                "ns_a_cell": cost.cpu * 1e9 / (self.rows as f64 * columns as f64),
            }));
        }
        if self.peers {
            let name = self.measurements.display().to_string();
            peers::compare(&["sampling".into(), name, self.rows.to_string()], "cpu_seconds", ours)?;
        }
        Ok(())
    }
}

/// The model that the measurements give.
fn fitted(instance: &Instance) -> Result<Model> {
    let tree = JunctionTree::new(&instance.domain, &instance.cliques, &[])?;
    let fit = estimate(&tree, &instance.measurements(), &Options::default())?;
    let schema = coded_schema(instance.domain.sizes())?;
    let coverage = |answer: Measurement<'_>| MeasuredClique { clique: answer.clique, variance: answer.variance };
    let measured = instance.measurements().into_iter().map(coverage).collect();
    let origin = Origin { method: "bench".into(), guarantee: "NO GUARANTEE: a benchmark".into() };
    Ok(Model::tree(schema, &fit.model, fit.total, vec![], measured, origin)?)
}
