//! Total variation distance of a method's synthetic rows on the marginals that all figures use.

use std::path::PathBuf;

use anyhow::{Context, Result};
use lookalike_bench::run::{self, Setting};
use serde_json::json;

use crate::meter::{emit, spent};

#[derive(clap::Args)]
pub struct Accuracy {
    /// The folder with NAME.csv, NAME-domain.json and NAME-marginals.json.
    #[arg(long, env = "LOOKALIKE_DATA")]
    data: Option<PathBuf>,
    /// Tables, by name.
    #[arg(long, value_delimiter = ',', default_value = "adult")]
    tables: Vec<String>,
    /// Methods, by name.
    #[arg(long, value_delimiter = ',', default_value = "independent")]
    methods: Vec<String>,
    /// A parameter of the method: name=value.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
    /// Epsilons.
    #[arg(long, value_delimiter = ',', default_value = "0.8")]
    epsilon: Vec<f64>,
    /// Delta.
    #[arg(long, default_value_t = 1e-5)]
    delta: f64,
    /// Runs of each cell.
    #[arg(long, default_value_t = 5)]
    runs: u64,
}

impl Accuracy {
    pub fn run(&self) -> Result<()> {
        let folder =
            self.data.as_ref().context("which folder has the tables? set LOOKALIKE_DATA or give --data DIR")?;
        let settings: Vec<(String, String)> = self
            .settings
            .iter()
            .map(|word| word.split_once('=').context("--set takes name=value").map(|(a, b)| (a.into(), b.into())))
            .collect::<Result<_>>()?;
        for name in &self.tables {
            let bench = run::Benchmark::load(folder, name)?;
            for method in &self.methods {
                for &epsilon in &self.epsilon {
                    let setting =
                        Setting { method: method.clone(), settings: settings.clone(), epsilon, delta: self.delta };
                    self.cell(&bench, &setting)?;
                }
            }
        }
        Ok(())
    }

    fn cell(&self, bench: &run::Benchmark, setting: &Setting) -> Result<()> {
        let mut sums = [0.0; 4];
        for seed in 0..self.runs {
            let (outcome, cost) = spent(|| bench.run(setting, seed));
            let outcome = outcome?;
            for (sum, value) in sums.iter_mut().zip(outcome.tvd) {
                *sum += value;
            }
            emit(json!({
                "bench": "accuracy", "table": bench.name(), "method": setting.method, "epsilon": setting.epsilon,
                "delta": setting.delta, "run": seed, "tvd2": outcome.tvd[0], "tvd3": outcome.tvd[1],
                "tvd4": outcome.tvd[2], "tvd5": outcome.tvd[3], "rows": outcome.rows, "used_epsilon": outcome.used,
                "cpu_seconds": cost.cpu, "wall_seconds": cost.wall,
            }));
        }
        let mean = sums.map(|sum| sum / self.runs.max(1) as f64);
        emit(json!({
            "bench": "accuracy", "what": "mean", "table": bench.name(), "method": setting.method,
            "epsilon": setting.epsilon, "delta": setting.delta, "runs": self.runs,
            "tvd2": mean[0], "tvd3": mean[1], "tvd4": mean[2], "tvd5": mean[3],
        }));
        Ok(())
    }
}
