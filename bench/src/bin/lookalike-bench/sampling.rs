//! Rows from a tree model that was fitted to a file of noisy instance.

use std::path::PathBuf;

use anyhow::{Context, Result};
use lookalike_model::{JunctionTree, MeasuredClique, Model, Options, Origin, Replacement, Sampling as Rows, estimate};
use lookalike_schema::Schema;
use rayon::prelude::*;
use serde_json::json;

use crate::instances::Instance;
use crate::meter::{emit, median, spent};
use crate::peers;

#[derive(clap::Args)]
pub struct Sampling {
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

impl Sampling {
    pub fn run(&self) -> Result<()> {
        let instance = Instance::read(&self.measurements)?;
        let columns = instance.domain.len();
        let model = fitted(&instance)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let mut rate = 0.0;
        for (way, replacement) in [("with", Replacement::With), ("without", Replacement::Without)] {
            let sampling = Rows::new(self.rows, 1).with(replacement);
            let mut runs = Vec::new();
            for _ in 0..self.repeats.max(1) {
                let (drawn, cost) = spent(|| -> Result<u64> {
                    let sampler = model.sampler(&sampling)?;
                    let blocks: Vec<_> = pool
                        .install(|| (0..sampler.blocks()).into_par_iter().map(|index| sampler.block(index)).collect());
                    Ok(blocks.iter().map(|block| block.rows as u64).sum())
                });
                anyhow::ensure!(drawn? == self.rows, "rows are missing");
                runs.push(cost);
            }
            let cost = median(runs);
            rate = self.rows as f64 / cost.cpu;
            emit(json!({
                "bench": "sampling", "replacement": way, "rows": self.rows, "columns": columns,
                "cpu_seconds": cost.cpu, "wall_seconds": cost.wall, "rows_per_cpu_second": rate,
                "ns_a_cell": cost.cpu * 1e9 / (self.rows as f64 * columns as f64),
            }));
        }
        if self.peers {
            let name = self.measurements.display().to_string();
            for mut line in peers::run(&["sampling".into(), name, self.rows.to_string()])? {
                let theirs = line["cpu_seconds"].as_f64().context("a peer gave no time")?;
                line["ratio_to_ours"] = json!(rate / (self.rows as f64 / theirs));
                emit(line);
            }
        }
        Ok(())
    }
}

/// The model that the measurements give.
fn fitted(instance: &Instance) -> Result<Model> {
    let tree = JunctionTree::new(&instance.domain, &instance.cliques, &[])?;
    let fit = estimate(&tree, &instance.measurements(), &Options::default())?;
    let sizes = instance.domain.sizes().iter().enumerate();
    let columns: serde_json::Map<_, _> = sizes.map(|(column, &size)| (format!("c{column}"), json!(size))).collect();
    let schema = Schema::parse(&serde_json::Value::Object(columns).to_string(), "the measurements")?;
    let measured = instance.cliques.iter().zip(&instance.variances);
    let measured = measured.map(|(clique, &variance)| MeasuredClique { clique: clique.clone(), variance }).collect();
    let origin = Origin { method: "bench".into(), guarantee: "NO GUARANTEE: a benchmark".into() };
    Ok(Model::tree(schema, &fit.model, fit.total, vec![], measured, origin)?)
}
