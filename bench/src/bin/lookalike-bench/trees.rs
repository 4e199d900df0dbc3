//! Junction trees: what a candidate clique costs to test, and one full pass of inference.

use anyhow::Result;
use lookalike_model::{Calibrated, JunctionTree, LogFactor};
use lookalike_schema::{AttrId, Clique, Domain};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use serde_json::json;

use crate::instances::uniform;
use crate::memory;
use crate::meter::{emit, median, spent};

/// A tree of more cells than this takes no further clique.
const MOST_CELLS: u64 = 2_000_000;

#[derive(clap::Args)]
pub struct Trees {
    /// Attributes, with domains cycling 2, 5, 10, 20, 50.
    #[arg(long, default_value_t = 98)]
    attributes: u32,
    /// Cliques to add.
    #[arg(long, default_value_t = 120)]
    cliques: usize,
    /// Random graphs on which a tree that grew is compared with one from scratch.
    #[arg(long, default_value_t = 1000)]
    graphs: usize,
}

impl Trees {
    pub fn run(&self) -> Result<()> {
        self.candidates()?;
        self.grown()
    }

    /// Trees grown clique by clique against trees made at once, of the same random cliques.
    fn grown(&self) -> Result<()> {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let (mut ratios, mut mean) = (Vec::new(), 0.0);
        for _ in 0..self.graphs {
            let attributes = 5 + rng.next_u32() % 30;
            let domain = Domain::new((0..attributes).map(|_| 2 + rng.next_u32() % 30).collect());
            let count = 1 + rng.next_u32() % attributes;
            let cliques: Vec<Clique> = (0..count)
                .map(|_| Clique::new((0..2 + rng.next_u32() % 2).map(|_| AttrId(rng.next_u32() % attributes))))
                .collect();
            let mut tree = JunctionTree::new(&domain, &[], &[])?;
            cliques.iter().try_for_each(|clique| tree.add(clique))?;
            let ratio = tree.cells() as f64 / JunctionTree::new(&domain, &cliques, &[])?.cells() as f64;
            mean += ratio / self.graphs as f64;
            ratios.push(ratio);
        }
        let worst = ratios.iter().copied().fold(0.0, f64::max);
        emit(json!({
            "bench": "trees", "what": "grown over scratch", "graphs": self.graphs, "mean_cells_ratio": mean,
            "worst_cells_ratio": worst,
        }));
        Ok(())
    }

    fn candidates(&self) -> Result<()> {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let domain = Domain::new([2, 5, 10, 20, 50].into_iter().cycle().take(self.attributes as usize).collect());
        let mut tree = JunctionTree::new(&domain, &[], &[])?;
        let mut candidates = Vec::new();
        for first in 0..self.attributes {
            candidates.extend((0..first).map(|second| Clique::new([AttrId(first), AttrId(second)])));
        }
        let mut added = 0;
        for _ in 0..100 * self.cliques {
            let size = if rng.next_u32() % 5 == 0 { 3 } else { 2 };
            let clique = Clique::new((0..size).map(|_| AttrId(rng.next_u32() % self.attributes)));
            if added == self.cliques || !tree.has_room_for(&clique, MOST_CELLS)? {
                continue;
            }
            tree.add(&clique)?;
            added += 1;
            if added % 30 == 0 {
                let (costs, cost) =
                    spent(|| candidates.iter().map(|clique| tree.has_room_for(clique, MOST_CELLS)).collect::<Vec<_>>());
                costs.into_iter().collect::<Result<Vec<_>, _>>()?;
                emit(json!({
                    "bench": "trees", "what": "candidate test", "attributes": self.attributes, "added": added,
                    "cells": tree.cells(), "cpu_microseconds": cost.cpu * 1e6 / candidates.len() as f64,
                }));
            }
        }
        Ok(())
    }
}

#[derive(clap::Args)]
pub struct Inference {
    /// Cells of the trees.
    #[arg(long, value_delimiter = ',', default_value = "100000,1000000,10000000")]
    cells: Vec<u64>,
    /// Passes; the median is printed.
    #[arg(long, default_value_t = 9)]
    repeats: usize,
}

impl Inference {
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
            let (mut passes, mut copies) = (Vec::new(), Vec::new());
            for _ in 0..self.repeats.max(1) {
                let (done, cost) = spent(|| model.calibrate());
                done?;
                passes.push(cost);
                copies.push(spent(|| to.copy_from_slice(std::hint::black_box(&from))).1);
                std::hint::black_box(&to);
            }
            let (pass, copy, many) = (median(passes), median(copies), tree.cells() as f64);
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
