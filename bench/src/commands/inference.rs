//! One full pass of inference on junction trees.

use anyhow::Result;
use lookalike_model::Calibrated;
use lookalike_model::JunctionTree;
use lookalike_model::LogFactor;
use lookalike_schema::{AttrId, Clique, Domain};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use serde_json::json;

use crate::measure::{emit, memory, repeated};
use crate::simulate::draw::uniform;

#[derive(clap::Args)]
pub struct InferenceArgs {
    /// Cells of the trees.
    #[arg(long, value_delimiter = ',', default_value = "100000,1000000,10000000")]
    cells: Vec<u64>,
    /// Passes; the median is printed.
    #[arg(long, default_value_t = 9)]
    repeats: usize,
}

impl InferenceArgs {
    pub fn run(&self) -> Result<()> {
        for &cells in &self.cells {
            let (domain, tree) = chain(cells)?;
            let mut rng = ChaCha8Rng::seed_from_u64(2);
            let potentials = tree.cliques().iter().map(|clique| {
                let many = domain.cells(clique).unwrap_or(0);
                LogFactor::new(&domain, clique, (0..many).map(|_| 3.0 * uniform(&mut rng)).collect())
            });
            let potentials = potentials.collect::<Result<Vec<_>, _>>()?;
            let (model, peak) = memory::peak(|| Calibrated::new(&tree, &potentials));
            let mut model = model?;
            let (from, mut to) = (vec![1.0f64; tree.cells() as usize], vec![0.0f64; tree.cells() as usize]);
            let (_, pass) = repeated(self.repeats, || Ok(model.calibrate()?))?;
            let (_, copy) = repeated(self.repeats, || {
                to.copy_from_slice(std::hint::black_box(&from));
                std::hint::black_box(&to);
                Ok(())
            })?;
            let many = tree.cells() as f64;
            emit(json!({
                "bench": "inference", "what": "one full pass", "cells": tree.cells(), "cpu_ns_a_cell": pass.cpu * 1e9 / many,
                "wall_ns_a_cell": pass.wall * 1e9 / many, "copy_ns_a_cell": copy.cpu * 1e9 / many,
                "share_of_copy_bandwidth": copy.wall / pass.wall, "peak_bytes": peak,
                // Every cell has a potential here, which counts as a measured one.
                "share_of_allowed_bytes": peak as f64 / (8.0 * 15.0 * many),
            }));
        }
        Ok(())
    }
}

/// Ten overlapping triples whose sizes are scaled until the tree has that many cells.
fn chain(cells: u64) -> Result<(Domain, JunctionTree)> {
    let cliques: Vec<Clique> = (0..10).map(|first| Clique::new((first..first + 3).map(AttrId))).collect();
    let mut scale = 2.0;
    loop {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let domain = Domain::new((0..12).map(|_| (scale * (0.5 + uniform(&mut rng))).max(2.0) as u32).collect());
        let tree = JunctionTree::new(&domain, &cliques, &[])?;
        if tree.cells() >= cells {
            return Ok((domain, tree));
        }
        scale *= 1.02;
    }
}
