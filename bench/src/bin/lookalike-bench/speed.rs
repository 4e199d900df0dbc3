//! Seconds and memory of a method from coded rows to synthetic ones, on a generated table.

use anyhow::{Context, Result};
use lookalike_bench::run::Setting;
use lookalike_bench::simulate::tables;
use lookalike_bench::speed;
use serde_json::json;

use crate::meter::{emit, peak_memory, spent};

#[derive(clap::Args)]
pub struct Speed {
    /// Methods, by name.
    #[arg(long, value_delimiter = ',', default_value = "independent")]
    methods: Vec<String>,
    /// A generated table, by name.
    #[arg(long, default_value = "columns-100")]
    table: String,
    /// The table's columns, one copy of them behind another: wide tables.
    #[arg(long, default_value_t = 1)]
    copies: usize,
    /// A parameter of the method: name=value.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
    /// The total epsilon.
    #[arg(long, default_value_t = 1.0)]
    epsilon: f64,
    /// The total delta.
    #[arg(long, default_value_t = 1e-9)]
    delta: f64,
}

impl Speed {
    pub fn run(&self) -> Result<()> {
        let settings: Vec<(String, String)> = self
            .settings
            .iter()
            .map(|word| word.split_once('=').context("--set takes name=value").map(|(a, b)| (a.into(), b.into())))
            .collect::<Result<_>>()?;
        let table = speed::side_by_side(&tables::generate(&self.table, 1)?, self.copies)?;
        for method in &self.methods {
            let setting = Setting {
                method: method.clone(),
                settings: settings.clone(),
                epsilon: self.epsilon,
                delta: self.delta,
            };
            let mut door = speed::door(&table, &setting)?;
            let (model, fit) = spent(|| speed::fit(&mut door, &setting));
            let model = model?;
            let used = door.close().used()?;
            let (rows, drawing) = spent(|| speed::draw(&model, 1));
            emit(json!({
                "bench": "speed", "method": method, "table": self.table, "columns": table.schema().domain().len(),
                "rows": rows?, "epsilon": self.epsilon, "delta": self.delta, "used_epsilon": used,
                "fit_cpu_seconds": fit.cpu, "fit_wall_seconds": fit.wall,
                "draw_cpu_seconds": drawing.cpu, "draw_wall_seconds": drawing.wall, "peak_resident_bytes": peak_memory(),
            }));
        }
        Ok(())
    }
}
