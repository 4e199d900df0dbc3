//! Reading and coding a CSV of invented people. Each measurement runs in a process of its own, so
//! that peak memory is its own.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use lookalike::demo_data;
use lookalike_schema::Schema;
use lookalike_table::{Input, PrivateTable};
use serde_json::{Value, json};

use crate::measure::{emit, peak_memory, peers, spent};
use crate::run::{Quiet, read_options};

#[derive(clap::Args)]
pub struct IoArgs {
    /// Rows of the generated file.
    #[arg(long, default_value_t = 1_000_000)]
    rows: usize,
    /// Measurements; the median by CPU is printed.
    #[arg(long, default_value_t = 3)]
    repeats: usize,
    /// Worker threads; 0: all cores.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Also read it with pandas.
    #[arg(long)]
    peers: bool,
    /// Read this file and say what it cost (used by the benchmark itself).
    #[arg(long, hide = true, num_args = 2, value_names = ["CSV", "SCHEMA"])]
    inner: Option<Vec<PathBuf>>,
}

impl IoArgs {
    pub fn run(&self) -> Result<()> {
        match self.inner.as_deref() {
            Some([csv, schema]) => self.read_once(csv, schema),
            _ => self.bench(),
        }
    }

    fn bench(&self) -> Result<()> {
        let folder = tempfile::tempdir()?;
        let (csv, schema) = (folder.path().join("table.csv"), folder.path().join("schema.toml"));
        std::fs::write(&schema, demo_data::schema_toml())?;
        demo_data::write_csv(self.rows, 1, &mut BufWriter::new(File::create(&csv)?))?;
        let mut lines = Vec::new();
        for _ in 0..self.repeats.max(1) {
            lines.push(self.in_a_process_of_its_own(&csv, &schema)?);
        }
        lines.sort_by(|a, b| cpu(a).total_cmp(&cpu(b)));
        let ours = lines.swap_remove(lines.len() / 2);
        let ours_cpu = cpu(&ours);
        emit(ours);
        if self.peers {
            peers::compare(&["io".into(), csv.display().to_string()], "cpu_seconds", ours_cpu)?;
        }
        Ok(())
    }

    fn in_a_process_of_its_own(&self, csv: &Path, schema: &Path) -> Result<Value> {
        let output = Command::new(std::env::current_exe()?)
            .args(["io", "--rows", &self.rows.to_string()])
            .args(["--threads", &self.threads.to_string(), "--inner"])
            .args([csv, schema])
            .output()?;
        if !output.status.success() {
            bail!("the reading process failed: {}", String::from_utf8_lossy(&output.stderr));
        }
        serde_json::from_slice(&output.stdout).context("the reading process did not print JSON")
    }

    fn read_once(&self, csv: &Path, schema: &Path) -> Result<()> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let schema = Schema::parse(&std::fs::read_to_string(schema)?, "schema.toml")?;
        let bytes = std::fs::metadata(csv)?.len();
        let before = peak_memory();
        let input = Input::Path(csv.to_path_buf());
        let (table, cost) = pool.install(|| spent(|| PrivateTable::read(&input, &schema, &read_options(), &Quiet)));
        let table = table?;
        let sizes = table.schema().domain().sizes();
        let coded = self.rows as u64 * sizes.iter().map(|&size| code_bytes(size)).sum::<u64>();
        let peak = peak_memory();
        emit(json!({
            "bench": "io", "what": "CSV parsed and coded", "rows": self.rows, "columns": sizes.len(), "bytes": bytes,
            "cpu_seconds": cost.cpu, "wall_seconds": cost.wall, "mb_a_cpu_second": bytes as f64 / 1e6 / cost.cpu,
            "coded_bytes": coded, "peak_bytes": peak, "peak_before_bytes": before,
            "allowed_peak_bytes": 2 * coded + 200_000_000,
        }));
        Ok(())
    }
}

fn cpu(line: &Value) -> f64 {
    line["cpu_seconds"].as_f64().unwrap_or(f64::NAN)
}

fn code_bytes(size: u32) -> u64 {
    match size {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        _ => 4,
    }
}
