//! Fitting a model to a file of noisy marginals.

use std::path::PathBuf;

use anyhow::{Context, Result};
use lookalike_model::estimate::{Measured, Options, estimate};
use lookalike_model::tree::Tree;
use lookalike_schema::{AttrId, Clique, Domain};
use serde_json::{Value, json};

use crate::meter::{emit, median, spent};
use crate::peers;

#[derive(clap::Args)]
pub struct Estimation {
    /// JSON: `domain` (sizes) and `measurements` (each `clique`, `sigma`, `y`, row-major).
    #[arg(long)]
    measurements: PathBuf,
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

impl Estimation {
    pub fn run(&self) -> Result<()> {
        let name = self.measurements.display().to_string();
        let text = std::fs::read_to_string(&self.measurements).with_context(|| format!("cannot read {name}"))?;
        let file: Value = serde_json::from_str(&text).with_context(|| format!("{name} is not JSON"))?;
        let domain = Domain::new(numbers(&file["domain"])?.into_iter().map(|size| size as u32).collect());
        let (mut cliques, mut values, mut variances) = (Vec::new(), Vec::new(), Vec::new());
        for measurement in file["measurements"].as_array().context("no measurements in the file")? {
            let attributes = numbers(&measurement["clique"])?.into_iter().map(|index| AttrId(index as u32));
            cliques.push(Clique::new(attributes));
            values.push(numbers(&measurement["y"])?);
            variances.push(measurement["sigma"].as_f64().context("a measurement has no sigma")?.powi(2));
        }
        let options = Options { enough: self.to_loss, ..Options::default() };
        let (mut runs, mut last) = (Vec::new(), None);
        for _ in 0..self.repeats.max(1) {
            let (fit, cost) = spent(|| -> Result<_> {
                let tree = Tree::new(&domain, &cliques, &[])?;
                let measured = cliques.iter().zip(&values).zip(&variances);
                let measured: Vec<Measured<'_>> = measured
                    .map(|((clique, values), &variance)| Measured { clique: clique.clone(), values, variance })
                    .collect();
                Ok(estimate(&tree, &measured, &options)?)
            });
            last = Some(fit?);
            runs.push(cost);
        }
        let (fit, ours) = (last.context("no run")?, median(runs));
        emit(json!({
            "bench": "estimation", "what": "fit, tree included", "loss": fit.loss, "passes": fit.passes,
            "cpu_seconds": ours.cpu, "wall_seconds": ours.wall,
        }));
        if self.peers {
            for mut line in peers::run(&["estimation".into(), name, fit.loss.to_string()])? {
                let theirs = line["cpu_seconds"].as_f64().context("a peer gave no time")?;
                line["ratio_to_ours"] = json!(theirs / ours.cpu);
                emit(line);
            }
        }
        Ok(())
    }
}

fn numbers(value: &Value) -> Result<Vec<f64>> {
    let list = value.as_array().context("a list of numbers is not there")?;
    list.iter().map(|number| number.as_f64().context("a number is not one")).collect()
}
