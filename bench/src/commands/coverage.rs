//! How often printed intervals hold the truth.

use anyhow::Result;
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use crate::coverage::{CLASSES, IntervalCounts, judge, release};
use crate::measure::emit;
use crate::run::MethodSetting;
use crate::simulate::generate;

#[derive(clap::Args)]
pub struct CoverageArgs {
    /// The methods.
    #[arg(long, value_delimiter = ',', default_value = "auto,mst,aim,privmrf")]
    methods: Vec<String>,
    /// The total epsilons.
    #[arg(long, value_delimiter = ',', default_value = "0.5,2")]
    epsilons: Vec<f64>,
    /// The total delta.
    #[arg(long, default_value_t = 1e-9)]
    delta: f64,
    /// A generated table.
    #[arg(long, default_value = "rare")]
    table: String,
    /// Releases of each method at each epsilon.
    #[arg(long, default_value_t = 200)]
    runs: usize,
}

impl CoverageArgs {
    pub fn run(&self) -> Result<()> {
        let table = generate(&self.table, 1)?;
        for method in &self.methods {
            for &epsilon in &self.epsilons {
                let setting = MethodSetting::new(method, epsilon, self.delta);
                let one = |_| judge(&table, &release(&table, &setting)?);
                let counts = (0..self.runs).into_par_iter().map(one).collect::<Result<Vec<IntervalCounts>>>()?;
                let mut all = IntervalCounts::default();
                counts.iter().for_each(|counts| all.add(counts));
                let classes: Map<String, Value> = CLASSES
                    .iter()
                    .zip(all.counts)
                    .map(|(&class, (_, cells))| (class.to_owned(), json!({"held": all.share(class), "cells": cells})))
                    .collect();
                emit(json!({
                    "bench": "coverage", "table": self.table, "method": method, "epsilon": epsilon,
                    "runs": self.runs, "classes": classes, "without_width": all.empty,
                }));
            }
        }
        Ok(())
    }
}
