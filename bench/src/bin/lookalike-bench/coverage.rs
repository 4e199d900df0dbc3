//! How often printed intervals hold the truth.

use anyhow::Result;
use lookalike_bench::coverage::{CLASSES, Tally, judge, release};
use lookalike_bench::run::Setting;
use lookalike_bench::simulate::generate;
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use crate::meter::emit;

#[derive(clap::Args)]
pub struct Coverage {
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

impl Coverage {
    pub fn run(&self) -> Result<()> {
        let table = generate(&self.table, 1)?;
        for method in &self.methods {
            for &epsilon in &self.epsilons {
                let setting = Setting { method: method.clone(), settings: vec![], epsilon, delta: self.delta };
                let one = |_| judge(&table, &release(&table, &setting)?);
                let tallies = (0..self.runs).into_par_iter().map(one).collect::<Result<Vec<Tally>>>()?;
                let mut all = Tally::default();
                tallies.iter().for_each(|tally| all.add(tally));
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
