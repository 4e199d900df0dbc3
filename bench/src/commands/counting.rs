//! All 2-way marginals of a generated table, and wider candidates.

use std::sync::Arc;

use anyhow::{Context, Result};
use lookalike_schema::{AttrId, Clique, Derived, Domain, Grouping, View};
use lookalike_table::{CellCounts, Table};
use lookalike_tally::increments_a_row;
use serde_json::{Value, json};

use super::candidates;
use crate::marginal::all_marginals;
use crate::measure::{Spent, emit, peers, repeated, spent};
use crate::simulate::tables::cycling;

#[derive(clap::Args)]
pub struct CountingArgs {
    /// Rows of the generated table.
    #[arg(long, default_value_t = 662_000)]
    rows: usize,
    /// Columns, with domains cycling 2, 5, 10, 20, 50.
    #[arg(long, default_value_t = 98)]
    columns: usize,
    /// Wider cliques of 3 to 5 attributes; 0: none.
    #[arg(long, default_value_t = 400)]
    candidates: usize,
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

impl CountingArgs {
    pub fn run(&self) -> Result<()> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let table = cycling(self.rows, self.columns, 1)?;
        // What nobody can beat who touches every row once for every tally: one increment in the
        // first-level cache.
        let increment = increment_nanoseconds();
        let pairs = all_marginals(table.domain(), 2);
        let ours = pool.install(|| self.measure(&table, &pairs, &[]))?;
        let bytes = self.rows as f64 * self.columns as f64;
        let mut line = self.line("all pairs", &pairs, table.domain(), ours, increment)?;
        line["roofline"]["coded_bytes"] = json!(bytes);
        line["roofline"]["seconds_to_read_them_once"] = json!(bytes / read_bandwidth());
        emit(line);
        pool.install(|| self.others(&table, &pairs, increment))?;
        let a_pair = ours.cpu * 1e3 / pairs.len() as f64;
        if self.growth {
            pool.install(|| self.grow())?;
        }
        if self.peers {
            let words = ["counting".into(), self.rows.to_string(), self.columns.to_string()];
            peers::compare(&words, "cpu_ms_a_pair", a_pair)?;
        }
        Ok(())
    }

    /// One measurement beside what the increments alone would cost.
    fn line(&self, what: &str, cliques: &[Clique], domain: &Domain, cost: Spent, increment: f64) -> Result<Value> {
        let tallies = increments_a_row(cliques, domain).context("too many cells")?;
        let roofline = increment * 1e-9 * self.rows as f64 * tallies as f64;
        let each = cost.cpu / cliques.len().max(1) as f64;
        Ok(json!({
            "bench": "counting", "what": what, "rows": self.rows, "columns": self.columns, "cliques": cliques.len(),
            "cpu_seconds": cost.cpu, "wall_seconds": cost.wall, "cpu_ms_a_clique": each * 1e3,
            "ns_a_row_and_clique": each * 1e9 / self.rows as f64,
            "roofline": {
                "cache_increment_ns": increment, "tallies_a_row": tallies, "cpu_seconds": roofline,
                "share_reached": roofline / cost.cpu,
                "share_of_one_increment_a_clique": increment * 1e-9 * self.rows as f64 / each,
            },
        }))
    }

    /// Pairs of derived columns, and wider cliques.
    fn others(&self, table: &Table, pairs: &[Clique], increment: f64) -> Result<()> {
        let mut view = View::new(table.schema());
        let own = view.own() as u32;
        let halves = table.domain().attributes().map(|base| {
            let codes = 0..table.domain().size(base);
            let grouping = Arc::new(Grouping::new(codes.map(|code| code / 2).collect())?);
            Ok(Derived { base, grouping, name: format!("half of {}", view.name(base)) })
        });
        let halves: Vec<Derived> = halves.collect::<Result<_>>()?;
        view.derive(&halves)?;
        let shifted = |pair: &Clique| Clique::new(pair.attributes().iter().map(|a| AttrId(a.0 + own)));
        let derived: Vec<Clique> = pairs.iter().map(shifted).collect();
        let cost = self.measure(table, &derived, view.derived())?;
        emit(self.line("all pairs of derived columns", &derived, view.domain(), cost, increment)?);
        let domain = table.domain();
        for (what, cliques) in [
            ("random candidates", candidates::random(domain, self.candidates)),
            ("a round's candidates", candidates::round(domain, self.candidates)),
        ] {
            if !cliques.is_empty() {
                let cost = self.measure(table, &cliques, &[])?;
                emit(self.line(what, &cliques, domain, cost, increment)?);
            }
        }
        Ok(())
    }

    fn measure(&self, table: &Table, cliques: &[Clique], derived: &[Derived]) -> Result<Spent> {
        let (counts, cost) = repeated(self.repeats, || Ok(table.count_with(cliques, derived, &|| false)?))?;
        check_sums(&counts, table.rows())?;
        Ok(cost)
    }

    fn grow(&self) -> Result<()> {
        for times in [1, 2, 4] {
            let rows = self.rows * times / 4;
            let table = cycling(rows, self.columns, 1)?;
            let cost = self.measure(&table, &all_marginals(table.domain(), 2), &[])?.cpu;
            emit(
                json!({"bench": "counting", "what": "growth in rows", "times": times, "rows": rows, "cpu_seconds": cost}),
            );
        }
        let table = cycling(self.rows, self.columns, 1)?;
        let all = all_marginals(table.domain(), 2);
        for times in [1, 2, 4] {
            let pairs = all.len() * times / 4;
            let cost = self.measure(&table, &all[..pairs], &[])?.cpu;
            emit(
                json!({"bench": "counting", "what": "growth in pairs", "times": times, "pairs": pairs, "cpu_seconds": cost}),
            );
        }
        Ok(())
    }
}

/// A benchmark of wrong counts is worth nothing.
fn check_sums(counts: &[CellCounts], rows: u64) -> Result<()> {
    for table in counts {
        let sum: u64 = match table {
            CellCounts::Dense(cells) => cells.iter().sum(),
            CellCounts::Sparse(entries) => entries.iter().map(|(_, count)| count).sum(),
        };
        anyhow::ensure!(sum == rows, "a marginal does not sum to the row count");
    }
    Ok(())
}

/// The cost of one histogram increment when nothing stands in its way: four tables in the
/// first-level cache, spread indices.
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
