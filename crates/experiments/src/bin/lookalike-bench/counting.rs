//! All 2-way marginals of a generated table.

use anyhow::{Context, Result};
use lookalike_experiments::generate;
use lookalike_schema::Clique;
use lookalike_table::count::increments_a_row;
use lookalike_table::{RawCounts, Table};
use serde_json::json;

use crate::meter::{Spent, emit, median, spent};
use crate::peers;

#[derive(clap::Args)]
pub struct Counting {
    /// Rows of the generated table.
    #[arg(long, default_value_t = 662_000)]
    rows: usize,
    /// Columns, with domains cycling 2, 5, 10, 20, 50.
    #[arg(long, default_value_t = 98)]
    columns: usize,
    /// Measurements; the median is printed.
    #[arg(long, default_value_t = 5)]
    repeats: usize,
    /// Worker threads; 0: all cores.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Also show how the cost grows with rows and with pairs (1, 2, 4 times).
    #[arg(long)]
    growth: bool,
    /// Also run numpy, pandas and mbi.
    #[arg(long)]
    peers: bool,
}

impl Counting {
    pub fn run(&self) -> Result<()> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let table = generate::cycling(self.rows, self.columns, 1)?;
        let pairs = pairs(&table, self.columns);
        let ours = pool.install(|| self.measure(&table, &pairs))?;
        let a_pair = ours.cpu * 1e3 / pairs.len() as f64;
        // What nobody can beat who touches every row once for every tally: one increment in the first-level cache.
        let increment = increment_nanoseconds();
        let tallies = increments_a_row(&pairs, table.domain()).context("too many cells")?;
        let roofline = increment * 1e-9 * self.rows as f64 * tallies as f64;
        let naive = increment * 1e-9 * self.rows as f64 * pairs.len() as f64;
        let bytes = self.rows as f64 * self.columns as f64;
        emit(json!({
            "bench": "counting", "what": "all pairs", "rows": self.rows, "columns": self.columns, "pairs": pairs.len(),
            "cpu_seconds": ours.cpu, "wall_seconds": ours.wall, "cpu_ms_a_pair": a_pair,
            "ns_a_row_and_pair": a_pair * 1e6 / self.rows as f64,
            "roofline": {
                "cache_increment_ns": increment, "tallies_a_row": tallies, "cpu_seconds": roofline,
                "share_reached": roofline / ours.cpu, "share_of_one_increment_a_pair": naive / ours.cpu,
                "coded_bytes": bytes, "seconds_to_read_them_once": bytes / read_bandwidth(),
            },
        }));
        if self.growth {
            pool.install(|| self.grow())?;
        }
        if self.peers {
            self.compare(a_pair)?;
        }
        Ok(())
    }

    fn measure(&self, table: &Table, pairs: &[Clique]) -> Result<Spent> {
        let mut runs = Vec::new();
        for _ in 0..self.repeats.max(1) {
            let (counts, cost) = spent(|| table.count(pairs, &|| false));
            check_sums(&counts?, table.rows())?;
            runs.push(cost);
        }
        Ok(median(runs))
    }

    fn grow(&self) -> Result<()> {
        for (rows, share) in [(self.rows / 4, 1), (self.rows / 2, 2), (self.rows, 4)] {
            let table = generate::cycling(rows, self.columns, 1)?;
            let cost = self.measure(&table, &pairs(&table, self.columns))?;
            emit(
                json!({"bench": "counting", "what": "growth in rows", "times": share, "rows": rows, "cpu_seconds": cost.cpu}),
            );
        }
        let table = generate::cycling(self.rows, self.columns, 1)?;
        let all = pairs(&table, self.columns);
        for times in [1, 2, 4] {
            let some = &all[..all.len() * times / 4];
            let cost = self.measure(&table, some)?;
            emit(
                json!({"bench": "counting", "what": "growth in pairs", "times": times, "pairs": some.len(), "cpu_seconds": cost.cpu}),
            );
        }
        Ok(())
    }

    fn compare(&self, ours_ms: f64) -> Result<()> {
        for mut line in peers::run(&["counting".into(), self.rows.to_string(), self.columns.to_string()])? {
            let theirs = line["cpu_ms_a_pair"].as_f64().context("a peer gave no time")?;
            line["ratio_to_ours"] = json!(theirs / ours_ms);
            emit(line);
        }
        Ok(())
    }
}

fn pairs(table: &Table, columns: usize) -> Vec<Clique> {
    let attributes: Vec<_> = table.domain().attributes().collect();
    let mut pairs = Vec::new();
    for first in 0..columns {
        for second in first + 1..columns {
            pairs.push(Clique::new([attributes[first], attributes[second]]));
        }
    }
    pairs
}

/// A benchmark of wrong counts is worth nothing.
fn check_sums(counts: &[RawCounts], rows: u64) -> Result<()> {
    for table in counts {
        let sum: u64 = match table {
            RawCounts::Dense(cells) => cells.iter().sum(),
            RawCounts::Sparse(entries) => entries.iter().map(|(_, count)| count).sum(),
        };
        anyhow::ensure!(sum == rows, "a marginal does not sum to the row count");
    }
    Ok(())
}

/// The cost of one histogram increment when nothing stands in its way: four tables in the first-level cache, spread indices.
fn increment_nanoseconds() -> f64 {
    let codes: Vec<u8> = (0..1 << 16).map(|i: u32| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let mut tables = [[0u32; 256]; 4];
    let rounds = 400;
    let ((), cost) = spent(|| {
        for _ in 0..rounds {
            for chunk in codes.chunks_exact(4) {
                for (table, &code) in tables.iter_mut().zip(chunk) {
                    table[code as usize] += 1;
                }
            }
        }
    });
    std::hint::black_box(&tables);
    cost.cpu * 1e9 / (rounds as f64 * codes.len() as f64)
}

/// Bytes a second that one core reads from memory.
fn read_bandwidth() -> f64 {
    let block = vec![1u64; 1 << 25];
    let (sum, cost) = spent(|| block.iter().fold(0u64, |sum, word| sum.wrapping_add(*word)));
    std::hint::black_box(sum);
    (block.len() * 8) as f64 / cost.cpu
}
