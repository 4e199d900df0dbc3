//! One method on one table: the whole way from rows to synthetic rows and distances, without files.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lookalike::{Release, Unwatched};
use lookalike_curator::{Cancel, Curator};
use lookalike_evaluate::{MarginalLists, marginal_distances};
use lookalike_methods::{Outcome, Request, list};
use lookalike_model::{Model, Replacement, Sampling};
use lookalike_privacy::ledger::MemoryStore;
use lookalike_privacy::{Budget, Delta, Epsilon, Ledger, Neighbours, NoiseBits, NoiseRng, Relation};
use lookalike_schema::{Clique, Schema};
use lookalike_table::{Input, PrivateTable, ReadOptions, ReadWatch, RowSource, Table};
use rayon::prelude::*;

use crate::marginal::mean;

/// The method whose privacy needs a public number of rows.
const HISTOGRAM: &str = "histogram";

/// A method with its parameters and budget.
#[derive(Clone, Debug)]
pub struct MethodSetting {
    /// The method's name.
    pub method: String,
    /// Its parameters.
    pub parameters: Vec<(String, String)>,
    /// The total epsilon.
    pub epsilon: f64,
    /// The total delta.
    pub delta: f64,
    /// How rows are drawn; `None`: as the method's model says.
    pub replacement: Option<Replacement>,
}

impl MethodSetting {
    /// A method with its default parameters.
    pub fn new(method: &str, epsilon: f64, delta: f64) -> Self {
        Self { method: method.to_owned(), parameters: Vec::new(), epsilon, delta, replacement: None }
    }

    /// The same with every row drawn by itself.
    pub fn with_replacement(self) -> Self {
        Self { replacement: Some(Replacement::With), ..self }
    }

    /// The same with a parameter, in place of an earlier one of this name.
    pub fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.parameters.retain(|(other, _)| other != name);
        self.parameters.push((name.to_owned(), value.to_string()));
        self
    }

    /// Runs the method on private rows with fresh noise. `rows`: how many to make, where the method
    /// makes rows and no model. The curator that answered comes back with what was made.
    pub fn run(&self, table: PrivateTable, relation: Relation, rows: Option<u64>) -> Result<(Outcome, Curator)> {
        self.run_with(table, relation, rows, Box::new(NoiseRng::from_os()?))
    }

    /// The same with noise that is given.
    fn run_with(
        &self,
        table: PrivateTable,
        relation: Relation,
        rows: Option<u64>,
        bits: Box<dyn NoiseBits>,
    ) -> Result<(Outcome, Curator)> {
        let request = Request { rows, ..Request::default() };
        let method = list::build(&self.method, &self.parameters)?;
        let budget = Budget { epsilon: Epsilon::new(self.epsilon)?, delta: Delta::new(self.delta)? };
        let neighbours = Neighbours::new(relation, 1)?;
        let schema = table.schema().clone();
        method.accept(&schema, neighbours, budget, &request)?;
        let ledger = Ledger::open(Box::new(MemoryStore::default()), budget, neighbours)?;
        let mut curator = Curator::new(schema, Box::new(table), ledger, bits, Cancel::new());
        Ok((method.run(&mut curator, &request, &Unwatched)?, curator))
    }

    /// [`run`](Self::run) on the rows of a public table, as if they were private.
    pub fn run_on(&self, table: &Table, relation: Relation, rows: Option<u64>) -> Result<(Outcome, Curator)> {
        let columns = table.domain().attributes().map(|attribute| table.codes(attribute)).collect::<Result<_, _>>()?;
        self.run(PrivateTable::from_columns(table.schema(), columns), relation, rows)
    }

    /// Synthetic rows of a public table for a study: noise and rows of the seed (see
    /// [`study_noise`]).
    pub fn synthesize(&self, table: &Table, relation: Relation, seed: u64) -> Result<Table> {
        self.synthesize_some(table, relation, None, seed)
    }

    /// The same with a stated number of rows instead of the method's own estimate.
    pub fn synthesize_some(&self, table: &Table, relation: Relation, rows: Option<u64>, seed: u64) -> Result<Table> {
        let columns = table.domain().attributes().map(|attribute| table.codes(attribute)).collect::<Result<_, _>>()?;
        let private = PrivateTable::from_columns(table.schema(), columns);
        let (outcome, _) = self.run_with(private, relation, rows, study_noise(seed)?)?;
        self.rows_of(outcome, table.schema(), rows, seed)
    }

    /// The rows of a release: those that were paid for, or, of a model, as many as are asked for or
    /// it has records.
    fn rows_of(&self, outcome: Outcome, schema: &Schema, rows: Option<u64>, seed: u64) -> Result<Table> {
        let columns = match outcome {
            Outcome::Model(model) => {
                let sampling = Sampling::new(rows.unwrap_or(model.rows()), seed);
                sampled(&model, &Sampling { replacement: self.replacement, ..sampling })?
            }
            Outcome::Rows(paid) => paid.drawn.columns(schema.domain()),
        };
        Ok(Table::from_columns(schema, columns))
    }
}

/// The noise of a study: of its seed where the program is built with the feature `seeded`, so that
/// its figures can be had again; else fresh.
pub fn study_noise(seed: u64) -> Result<Box<dyn NoiseBits>> {
    #[cfg(feature = "seeded")]
    return Ok(Box::new(lookalike_privacy::SeededNoise::new(seed)));
    #[cfg(not(feature = "seeded"))]
    {
        let _ = seed;
        Ok(Box::new(NoiseRng::from_os()?))
    }
}

fn sampled(model: &Model, sampling: &Sampling) -> Result<Vec<Vec<u32>>> {
    let rows = sampling.rows;
    let sampler = model.sampler(sampling)?;
    let blocks: Vec<_> = (0..sampler.blocks()).into_par_iter().map(|index| sampler.block(index)).collect();
    let mut columns = vec![Vec::with_capacity(rows as usize); model.schema().domain().len()];
    for block in blocks {
        for (column, part) in columns.iter_mut().zip(block.columns) {
            column.extend(part);
        }
    }
    Ok(columns)
}

/// A benchmark table with the marginals that all figures use. Rows are read when they are needed.
pub struct Benchmark {
    name: String,
    /// The rows' file.
    pub csv: PathBuf,
    /// The public facts.
    pub schema: Schema,
    lists: String,
}

/// Synthetic rows of a benchmark table.
pub struct Synthetic {
    /// The rows.
    pub table: Table,
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
        let csv = folder.join(format!("{name}.csv"));
        Ok(Self { name: name.to_owned(), csv, schema, lists: text("marginals")? })
    }

    /// Reads the file, runs the method with fresh noise and draws rows with the seed: all that a
    /// release needs, and nothing that judges it.
    pub fn make(&self, setting: &MethodSetting, seed: u64) -> Result<Synthetic> {
        // Only the histogram needs a public number of rows; for all others the usual promise.
        let relation = if setting.method == HISTOGRAM { Relation::ReplaceOne } else { Relation::AddRemove };
        let table = PrivateTable::read(&Input::Path(self.csv.clone()), &self.schema, &read_options(), &Quiet)?;
        let schema = table.schema().clone();
        let (outcome, curator) = setting.run(table, relation, None)?;
        let used = curator.close().used()?;
        Ok(Synthetic { table: setting.rows_of(outcome, &schema, None, seed)?, used })
    }

    /// Rows of this table's schema from a file.
    pub fn read(&self, path: &Path) -> Result<Table> {
        Ok(Table::read(&Input::Path(path.to_owned()), &self.schema, &read_options(), &Quiet)?)
    }

    /// The synthetic rows of a release of this table.
    pub fn coded(&self, release: &Release) -> Result<Table> {
        let mut batches = release.synthetic_rows()?.into_iter().map(Ok);
        let source = RowSource::Batches(&mut batches);
        let (rows, _) = PrivateTable::take(source, &self.schema, &read_options(), None, None, &Quiet)?;
        Ok(rows.open_for_steward_only())
    }

    /// Mean total variation distance of the columns alone, and of the 2-, 3-, 4- and 5-way
    /// marginals.
    pub fn distances(&self, synthetic: &Table) -> Result<[f64; 5]> {
        let real = self.read(&self.csv)?;
        let mut lists = MarginalLists::parse(&self.lists, real.schema())?.by_ways;
        lists.insert(1, real.domain().attributes().map(Clique::single).collect());
        let mut distances = [0.0; 5];
        for (distance, ways) in distances.iter_mut().zip(1..) {
            let missing = || format!("{}-marginals.json has no list of {ways} ways", self.name);
            let cliques = lists.get(&ways).filter(|list| !list.is_empty()).with_context(missing)?;
            *distance = mean(&marginal_distances(&real, synthetic, cliques)?);
        }
        Ok(distances)
    }
}

/// All rows in memory, the delimiter by the file's name or header.
pub fn read_options() -> ReadOptions {
    ReadOptions { delimiter: None, encoding: None, multiline: false, memory: u64::MAX }
}

/// Watches no reading.
pub struct Quiet;

impl ReadWatch for Quiet {
    fn share_read(&self, _share: f64) {}
    fn cancelled(&self) -> bool {
        false
    }
}
