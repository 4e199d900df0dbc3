//! One method on one benchmark table: the whole way from rows to distances, without files.

use std::path::Path;
use std::sync::OnceLock;

use anyhow::{Context, Result};
use lookalike_curator::{Cancel, Curator};
use lookalike_evaluate::{MarginalLists, marginal_distances};
use lookalike_methods::{Observer, Outcome as Made, Request, list};
use lookalike_model::{Model, Sampling};
use lookalike_privacy::ledger::MemoryStore;
use lookalike_privacy::{Budget, Delta, Epsilon, Ledger, Neighbours, NoiseRng, Relation};
use lookalike_schema::{Clique, Schema};
use lookalike_table::{Input, PrivateTable, ReadOptions, ReadWatch, Table};
use rayon::prelude::*;

/// The method whose privacy needs a public number of rows.
const HISTOGRAM: &str = "histogram";

/// A benchmark table with the marginals that all figures use. Rows are read when they are needed.
pub struct Benchmark {
    name: String,
    input: Input,
    schema: Schema,
    lists: String,
    real: OnceLock<Real>,
}

/// The real rows, and the marginals in the order of their columns.
struct Real {
    table: Table,
    marginals: [Vec<Clique>; 4],
}

/// Synthetic rows of a benchmark table.
pub struct Synthetic {
    /// The rows.
    pub table: Table,
    /// The epsilon recomputed from the scales used.
    pub used: f64,
}

/// What to run.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The method's name.
    pub method: String,
    /// Its parameters.
    pub settings: Vec<(String, String)>,
    /// The total epsilon.
    pub epsilon: f64,
    /// The total delta.
    pub delta: f64,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Mean total variation distance of 2-, 3-, 4- and 5-way marginals.
    pub tvd: [f64; 4],
    /// Synthetic rows.
    pub rows: u64,
    /// The epsilon recomputed from the scales used.
    pub used: f64,
}

impl Benchmark {
    /// Finds `NAME.csv`, `NAME-domain.json` and `NAME-marginals.json` in the folder; reads no rows
    /// yet.
    pub fn open(folder: &Path, name: &str) -> Result<Self> {
        let text = |suffix: &str| {
            let path = folder.join(format!("{name}-{suffix}.json"));
            std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
        };
        let schema = Schema::parse(&text("domain")?, name)?;
        let input = Input::Path(folder.join(format!("{name}.csv")));
        Ok(Self { name: name.to_owned(), input, schema, lists: text("marginals")?, real: OnceLock::new() })
    }

    /// [`open`](Self::open)s it and reads the rows.
    pub fn load(folder: &Path, name: &str) -> Result<Self> {
        let benchmark = Self::open(folder, name)?;
        benchmark.side()?;
        Ok(benchmark)
    }

    /// The table's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The real rows: public ones, since this is a benchmark.
    pub fn real(&self) -> Result<&Table> {
        Ok(&self.side()?.table)
    }

    fn side(&self) -> Result<&Real> {
        if self.real.get().is_none() {
            let table = Table::read(&self.input, &self.schema, &options(), &Quiet)?;
            let mut lists = MarginalLists::parse(&self.lists, table.schema())?.by_ways;
            let marginals = [2, 3, 4, 5].map(|ways| lists.remove(&ways).unwrap_or_default());
            anyhow::ensure!(
                marginals.iter().all(|list| !list.is_empty()),
                "{}-marginals.json has no list of 2, 3, 4 or 5 ways",
                self.name
            );
            // Another thread may have been faster with the same rows.
            let _ = self.real.set(Real { table, marginals });
        }
        self.real.get().context("the rows were just read")
    }

    /// One run: fresh noise, rows drawn with the seed, distances to the real table.
    pub fn run(&self, setting: &Setting, seed: u64) -> Result<Outcome> {
        let synthetic = self.make(setting, seed)?;
        let tvd = self.distances(&synthetic.table)?;
        Ok(Outcome { tvd, rows: synthetic.table.rows(), used: synthetic.used })
    }

    /// Reads the file, runs the method with fresh noise and draws rows with the seed: all that a
    /// release needs, and nothing that judges it.
    pub fn make(&self, setting: &Setting, seed: u64) -> Result<Synthetic> {
        let method = list::build(&setting.method, &setting.settings)?;
        let budget = Budget { epsilon: Epsilon::new(setting.epsilon)?, delta: Delta::new(setting.delta)? };
        // Only the histogram needs a public number of rows; for all others the usual promise.
        let relation = if setting.method == HISTOGRAM { Relation::ReplaceOne } else { Relation::AddRemove };
        let neighbours = Neighbours::new(relation, 1)?;
        method.accept(&self.schema, neighbours, budget, &Request::default())?;
        let ledger = Ledger::open(Box::new(MemoryStore::default()), budget, neighbours)?;
        let table = PrivateTable::read(&self.input, &self.schema, &options(), &Quiet)?;
        let schema = table.schema().clone();
        let engine = Box::new(table);
        let mut curator = Curator::new(schema.clone(), engine, ledger, Box::new(NoiseRng::from_os()?), Cancel::new());
        let made = method.run(&mut curator, &Request::default(), &Quiet)?;
        let used = curator.close().used()?;
        let columns = match made {
            Made::Model(model) => sampled(&model, schema.domain().len(), seed)?,
            Made::Rows(paid) => paid.drawn.columns(schema.domain()),
        };
        Ok(Synthetic { table: Table::from_columns(&schema, columns), used })
    }

    /// Synthetic rows of this table from a file.
    pub fn read(&self, path: &Path) -> Result<Table> {
        Ok(Table::read(&Input::Path(path.to_owned()), &self.schema, &options(), &Quiet)?)
    }

    /// Mean total variation distance of the columns alone.
    pub fn column_distance(&self, synthetic: &Table) -> Result<f64> {
        let side = self.side()?;
        let columns: Vec<Clique> = side.table.domain().attributes().map(Clique::single).collect();
        let distances = marginal_distances(&side.table, synthetic, &columns)?;
        Ok(distances.iter().sum::<f64>() / distances.len().max(1) as f64)
    }

    /// Mean total variation distance of the 2-, 3-, 4- and 5-way marginals.
    pub fn distances(&self, synthetic: &Table) -> Result<[f64; 4]> {
        let side = self.side()?;
        let mut tvd = [0.0; 4];
        for (mean, cliques) in tvd.iter_mut().zip(&side.marginals) {
            let distances = marginal_distances(&side.table, synthetic, cliques)?;
            *mean = distances.iter().sum::<f64>() / distances.len() as f64;
        }
        Ok(tvd)
    }
}

/// The codes of as many rows of the model as it has records.
fn sampled(model: &Model, columns: usize, seed: u64) -> Result<Vec<Vec<u32>>> {
    let rows = model.rows();
    let sampler = model.sampler(&Sampling::new(rows, seed))?;
    let blocks: Vec<_> = (0..sampler.blocks()).into_par_iter().map(|index| sampler.block(index)).collect();
    let mut columns = vec![Vec::with_capacity(rows as usize); columns];
    for block in blocks {
        for (column, part) in columns.iter_mut().zip(block.columns) {
            column.extend(part);
        }
    }
    Ok(columns)
}

fn options() -> ReadOptions {
    ReadOptions { delimiter: None, multiline: false, memory: u64::MAX }
}

/// Watches nothing.
pub(crate) struct Quiet;

impl ReadWatch for Quiet {
    fn share_read(&self, _share: f64) {}
    fn cancelled(&self) -> bool {
        false
    }
}

impl Observer for Quiet {
    fn phase(&self, _name: &str) {}
    fn round(&self, _done: u64, _planned: u64) {}
    fn budget(&self, _share: f64) {}
    fn reading(&self, _share: f64) {}
    fn note(&self, _text: &str) {}
}
