//! Fitting a model to noisy marginals.

use std::path::PathBuf;

use anyhow::{Context, Result};
use lookalike_model::JunctionTree;
use lookalike_model::{Options, estimate};
use serde_json::json;

use super::instances::Instance;
use crate::measure::{emit, memory, peers, repeated};

#[derive(clap::Args)]
pub struct EstimationArgs {
    /// JSON: `domain` (sizes) and `measurements` (each `clique`, `sigma`, `y`, row-major). Left
    /// out: ten generated triples of a million cells in all.
    #[arg(long)]
    measurements: Option<PathBuf>,
    /// Stop at this loss; left out: where the fit stops by itself.
    #[arg(long)]
    to_loss: Option<f64>,
    /// Measurements; the median is printed.
    #[arg(long, default_value_t = 9)]
    repeats: usize,
    /// Also fit with mbi: cold (with compilation), then warm, with more and more iterations.
    #[arg(long)]
    peers: bool,
}

impl EstimationArgs {
    pub fn run(&self) -> Result<()> {
        let folder = tempfile::tempdir().context("no temporary folder")?;
        let (instance, path) = match &self.measurements {
            Some(path) => (Instance::read(path)?, path.clone()),
            None => (Instance::million()?, folder.path().join("million.json")),
        };
        let options = Options { enough: self.to_loss, ..Options::default() };
        let ((fit, peak), ours) = repeated(self.repeats, || {
            let (fit, peak) = memory::peak(|| -> Result<_> {
                let tree = JunctionTree::new(&instance.domain, &instance.cliques, &[])?;
                Ok(estimate(&tree, &instance.measurements(), &options)?)
            });
            Ok((fit?, peak))
        })?;
        let (tree_cells, cells) = (fit.model.tree().cells(), instance.cells() as u64);
        let bound = 8 * (3 * tree_cells + 12 * cells);
        emit(json!({
            "bench": "estimation", "what": "fit, tree included", "loss": fit.loss, "passes": fit.passes,
            "cpu_seconds": ours.cpu, "wall_seconds": ours.wall, "tree_cells": tree_cells, "measured_cells": cells,
            "peak_bytes": peak, "share_of_allowed_bytes": peak as f64 / bound as f64,
        }));
        if self.peers {
            if self.measurements.is_none() {
                instance.write(&path)?;
            }
            let words = ["estimation".into(), path.display().to_string(), fit.loss.to_string()];
            peers::compare(&words, "cpu_seconds", ours.cpu)?;
        }
        Ok(())
    }
}
