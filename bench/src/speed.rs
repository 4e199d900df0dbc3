//! A method on a generated table, in steps that can be timed.

use anyhow::Result;
use lookalike_curator::{Cancel, Curator};
use lookalike_methods::list;
use lookalike_model::{Model, Sampling};
use lookalike_privacy::ledger::MemoryStore;
use lookalike_privacy::{Budget, Delta, Epsilon, Ledger, Neighbours, NoiseRng, Relation};
use lookalike_table::{PrivateTable, Table};
use rayon::prelude::*;

use crate::run::{Quiet, Setting};
use crate::simulate::draw::coded_schema;

/// The table's columns so many times, one copy behind another.
pub fn side_by_side(table: &Table, copies: usize) -> Result<Table> {
    let columns: Vec<Vec<u32>> =
        table.domain().attributes().map(|attribute| table.codes(attribute)).collect::<Result<_, _>>()?;
    let sizes = table.domain().sizes().repeat(copies);
    let columns = columns.iter().cycle().take(sizes.len()).cloned().collect();
    Ok(Table::from_columns(&coded_schema(&sizes)?, columns))
}

/// The door to the table's rows: add/remove neighbours.
pub fn door(table: &Table, setting: &Setting) -> Result<Curator> {
    let budget = Budget { epsilon: Epsilon::new(setting.epsilon)?, delta: Delta::new(setting.delta)? };
    let ledger = Ledger::open(Box::new(MemoryStore::default()), budget, Neighbours::new(Relation::AddRemove, 1)?)?;
    let columns = table.domain().attributes().map(|attribute| table.codes(attribute)).collect::<Result<_, _>>()?;
    let engine = Box::new(PrivateTable::from_columns(table.schema(), columns));
    Ok(Curator::new(table.schema().clone(), engine, ledger, Box::new(NoiseRng::from_os()?), Cancel::new()))
}

/// The method's model.
pub fn fit(curator: &mut Curator, setting: &Setting) -> Result<Model> {
    Ok(list::build(&setting.method, &setting.settings)?.fit(curator, &Quiet)?)
}

/// Draws as many rows as the model has, and says how many.
pub fn draw(model: &Model, seed: u64) -> Result<u64> {
    let sampler = model.sampler(&Sampling::new(model.rows(), seed))?;
    let rows = |index| sampler.block(index).columns.first().map_or(0, Vec::len) as u64;
    Ok((0..sampler.blocks()).into_par_iter().map(rows).sum())
}
