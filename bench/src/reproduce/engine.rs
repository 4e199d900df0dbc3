//! A method on a table in memory, under either relation; and the benchmark tables, or stand-ins for
//! them.

use std::path::Path;

use anyhow::{Result, bail};
use lookalike_curator::{Cancel, Curator};
use lookalike_methods::{Outcome, Request, list};
use lookalike_model::{Model, Sampling};
use lookalike_privacy::ledger::MemoryStore;
use lookalike_privacy::{Budget, Delta, Epsilon, Ledger, Neighbours, NoiseRng, Relation};
use lookalike_schema::Clique;
use lookalike_table::{Input, PrivateTable, ReadOptions, Table};

use super::Settings;
use crate::run::{Quiet, Setting};
use crate::simulate::{BooleanNetwork, generate};

/// A setting from plain words.
pub(super) fn setting(method: &str, epsilon: f64, delta: f64, settings: &[(&str, String)]) -> Setting {
    let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Setting { method: method.to_owned(), settings, epsilon, delta }
}

/// Synthetic rows of a table: fresh noise, rows drawn with the seed.
pub(super) fn synthesize(table: &Table, setting: &Setting, relation: Relation, seed: u64) -> Result<Table> {
    let made = fit(table, setting, relation, None)?;
    let columns = match made {
        Outcome::Model(model) => sampled(&model, table.domain().len(), seed)?,
        Outcome::Rows(paid) => paid.drawn.columns(table.domain()),
    };
    Ok(Table::from_columns(table.schema(), columns))
}

/// What a method makes of a table; of so many rows, where it makes rows.
pub(super) fn fit(table: &Table, setting: &Setting, relation: Relation, rows: Option<u64>) -> Result<Outcome> {
    let request = Request { rows, ..Request::default() };
    let budget = Budget { epsilon: Epsilon::new(setting.epsilon)?, delta: Delta::new(setting.delta)? };
    let method = list::build(&setting.method, &setting.settings)?;
    let neighbours = Neighbours::new(relation, 1)?;
    method.accept(table.schema(), neighbours, budget, &request)?;
    let ledger = Ledger::open(Box::new(MemoryStore::default()), budget, neighbours)?;
    let columns = table.domain().attributes().map(|attribute| table.codes(attribute)).collect::<Result<_, _>>()?;
    let engine = Box::new(PrivateTable::from_columns(table.schema(), columns));
    let noise = Box::new(NoiseRng::from_os()?);
    let mut curator = Curator::new(table.schema().clone(), engine, ledger, noise, Cancel::new());
    Ok(method.run(&mut curator, &request, &Quiet)?)
}

/// The codes of as many rows of a model as it has records.
pub(super) fn sampled(model: &Model, columns: usize, seed: u64) -> Result<Vec<Vec<u32>>> {
    let sampler = model.sampler(&Sampling::new(model.rows(), seed))?;
    let mut out = vec![Vec::with_capacity(model.rows() as usize); columns];
    for index in 0..sampler.blocks() {
        for (column, part) in out.iter_mut().zip(sampler.block(index).columns) {
            column.extend(part);
        }
    }
    Ok(out)
}

/// A benchmark table, or a generated one that takes its place; and a note when it is one.
pub(super) fn table(name: &str, settings: &Settings) -> Result<(Table, Option<String>)> {
    let file = |folder: &Path, ending: &str| folder.join(format!("{name}{ending}"));
    if let Some(folder) = &settings.data {
        let (csv, domain) = (file(folder, ".csv"), file(folder, "-domain.json"));
        if csv.is_file() && domain.is_file() {
            let schema = lookalike_schema::Schema::parse(&std::fs::read_to_string(&domain)?, name)?;
            let options = ReadOptions { delimiter: None, multiline: false, memory: u64::MAX };
            return Ok((Table::read(&Input::Path(csv), &schema, &options, &Quiet)?, None));
        }
    }
    if !settings.simulated {
        bail!(
            "the table {name}.csv with {name}-domain.json is needed: name their folder in LOOKALIKE_DATA, or take a generated \
             stand-in with --simulated"
        );
    }
    let table = stand_in(name)?;
    let (rows, columns) = (table.rows(), table.domain().len());
    Ok((
        table,
        Some(format!("{name} was not there: a generated table of {rows} rows and {columns} columns stands in for it")),
    ))
}

/// Binary tables for binary ones, and as many rows and columns.
fn stand_in(name: &str) -> Result<Table> {
    match name {
        "nltcs" => BooleanNetwork::random(16, 2, 1).table(21_574, 2),
        "acs" => BooleanNetwork::random(23, 2, 3).table(47_461, 4),
        "br2000" => generate("rows-2000@28000", 1),
        _ => generate("rows-2000@45222", 1),
    }
}

/// `count` sets of `ways` columns, spread evenly over all of them: the same for everybody.
pub(super) fn some_marginals(table: &Table, ways: usize, count: usize) -> Vec<Clique> {
    let all = crate::baselines::marginals::all_marginals(table.domain(), ways);
    if all.len() <= count {
        return all;
    }
    // Steps of the golden ratio visit all parts alike.
    let place = |index: usize| ((index as f64 * 0.618_033_988_749_895).fract() * all.len() as f64) as usize;
    (0..count).map(|index| all[place(index)].clone()).collect()
}

/// The mean distance of marginals of two tables.
pub(super) fn distance(real: &Table, synthetic: &Table, marginals: &[Clique]) -> Result<f64> {
    let distances = lookalike_evaluate::marginal_distances(real, synthetic, marginals)?;
    Ok(mean(&distances))
}

/// The mean; 0 of nothing.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}
