//! Black-box audits: a whole method, seen through the rows that it releases.
//!
//! A run is what `synth` does without the files: a fresh curator with a fresh ledger of the claimed budget, the method's own
//! plan, charges and fit, and as many rows drawn from the model as it has. What is watched are counts of rows like the
//! canary. A fit takes milliseconds, so there are thousands of runs and not a million: far less can be seen than in the
//! white-box audits, and the controls say how much. Budgets are pure (delta 0), which every method takes: a plan with Gaussian
//! noise is calibrated by exact composition, which would take ten times as long as the fit, and its noise is audited in [`white`](crate::white).

use lookalike_curator::{Cancel, Curator};
use lookalike_memory::MemoryEngine;
use lookalike_methods::{Method, MethodError, Observer, Outcome, Request, build};
use lookalike_model::{Model, Sampling};
use lookalike_privacy::{
    Budget, Delta, Epsilon, Ledger, MemoryStore, Neighbours, NoiseBits, NoiseRng, PrivacyError, Relation,
};
use lookalike_schema::Schema;
use lookalike_table::PrivateTable;

use crate::AuditError;
use crate::source::{Side, Source};
use crate::white::door::schema;

#[cfg(test)]
mod tests;

/// The columns of the tiny table.
const COLUMNS: usize = 3;
/// The rows that both tables share: all alike, and the canary is unlike them in every column.
const ROWS: usize = 8;
/// How a method is run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// As the product does.
    None,
    /// With so many times the epsilon that is claimed.
    Budget(f64),
    /// With a schema whose categories are those that occur in the rows.
    CategoriesFromData,
}

/// A method on two neighbouring tables.
pub struct MethodRuns {
    method: Box<dyn Method>,
    neighbours: Neighbours,
    budget: Budget,
    schemas: [Schema; 2],
}

/// Nobody watches.
struct Nobody;

impl Observer for Nobody {
    fn phase(&self, _name: &str) {}
    fn round(&self, _done: u64, _planned: u64) {}
    fn budget(&self, _share: f64) {}
    fn reading(&self, _share: f64) {}
    fn note(&self, _text: &str) {}
}

impl MethodRuns {
    /// The method of that name at `epsilon`, under add/remove unless it needs replace-one.
    pub fn new(name: &str, epsilon: f64, fault: Fault) -> Result<Self, AuditError> {
        let method = build(name, &[])?;
        let factor = if let Fault::Budget(factor) = fault { factor } else { 1.0 };
        let budget = Budget { epsilon: Epsilon::new(epsilon * factor)?, delta: Delta::new(0.0)? };
        let whole = schema(&[2; COLUMNS])?;
        let first = if fault == Fault::CategoriesFromData { schema(&[1; COLUMNS])? } else { whole.clone() };
        let neighbours = relation(method.as_ref(), &whole, budget)?;
        Ok(Self { method, neighbours, budget, schemas: [first, whole] })
    }

    /// The relation in the words of the command line.
    pub fn neighbours_in_words(&self) -> &'static str {
        match self.neighbours.relation() {
            Relation::AddRemove => "add-remove",
            Relation::ReplaceOne => "replace-one",
        }
    }

    /// The rows of one run, column by column.
    fn release(&self, side: Side, cancel: &Cancel) -> Result<Vec<Vec<u32>>, AuditError> {
        let replaced = self.neighbours.relation() == Relation::ReplaceOne;
        let mut column = vec![0; ROWS];
        match side {
            Side::Before if replaced => column.push(0),
            Side::Before => {}
            Side::After => column.push(1),
        }
        let schema = &self.schemas[usize::from(side == Side::After)];
        let engine = MemoryEngine::new(PrivateTable::from_columns(schema, vec![column; COLUMNS]));
        let ledger = Ledger::open(Box::new(MemoryStore::new()), self.budget, self.neighbours)?;
        let mut noise = NoiseRng::from_os()?;
        let seed = noise.next_u64();
        let mut curator = Curator::new(schema.clone(), Box::new(engine), ledger, Box::new(noise), cancel.clone());
        let outcome = self.method.run(&mut curator, &Request::default(), &Nobody)?;
        let used = curator.close().used()?;
        if used > self.budget.epsilon.get() {
            return Err(PrivacyError::Refused { what: format!("a run of {} cost {used}", self.method.name()) }.into());
        }
        match outcome {
            Outcome::Model(model) => drawn(&model, seed),
            Outcome::Rows(paid) => Ok(paid.drawn.columns(schema.domain())),
        }
    }
}

/// Add/remove, unless the method refuses it.
fn relation(method: &dyn Method, schema: &Schema, budget: Budget) -> Result<Neighbours, AuditError> {
    let add_remove = Neighbours::new(Relation::AddRemove, 1)?;
    match method.accept(schema, add_remove, budget, &Request::default()) {
        Ok(()) => Ok(add_remove),
        Err(MethodError::Setting { .. }) => {
            let replace_one = Neighbours::new(Relation::ReplaceOne, 1)?;
            method.accept(schema, replace_one, budget, &Request::default())?;
            Ok(replace_one)
        }
        Err(other) => Err(other.into()),
    }
}

/// As many rows as the model has, which is the noisy number.
fn drawn(model: &Model, seed: u64) -> Result<Vec<Vec<u32>>, AuditError> {
    let sampler = model.sampler(&Sampling::new(model.rows(), seed))?;
    let mut columns = vec![Vec::new(); COLUMNS];
    for index in 0..sampler.blocks() {
        for (column, part) in columns.iter_mut().zip(sampler.block(index).columns) {
            column.extend(part);
        }
    }
    Ok(columns)
}

/// The numbers that are watched: rows equal to the canary, codes of the canary, both less what a row number explains, and
/// the number of rows.
const FEATURES: usize = 5;

fn features(columns: &[Vec<u32>]) -> [i64; FEATURES] {
    let rows = columns.first().map_or(0, Vec::len);
    let canaries = (0..rows).filter(|&row| columns.iter().all(|column| column[row] == 1)).count() as i64;
    let codes = columns.iter().flatten().filter(|&&code| code == 1).count() as i64;
    let rows = rows as i64;
    let share = |part: i64, of: i64| if of > 0 { 1000 * part / of } else { 0 };
    [canaries, codes, share(canaries, rows), share(codes, rows), rows]
}

impl Source for MethodRuns {
    fn scores(&self, side: Side, runs: usize, cancel: &Cancel) -> Result<Vec<i64>, AuditError> {
        let mut scores = Vec::with_capacity(runs * FEATURES);
        for _ in 0..runs {
            scores.extend(features(&self.release(side, cancel)?));
        }
        Ok(scores)
    }

    fn features(&self) -> usize {
        FEATURES
    }

    fn piece(&self) -> usize {
        8
    }
}
