//! Black-box audits: a whole method, seen through the rows that it releases.
//!
//! A run is what `synth` does without the files: a fresh curator with a fresh ledger of the claimed
//! budget, the method's own plan, charges and fit, and rows drawn from the model. What is watched
//! is how many rows there are and how many each cell has, and one number that is made of all of
//! these, learned on runs of its own. A fit takes milliseconds, so there are thousands of runs and
//! not a million: less can be seen than in the white-box audits, and the controls say how much.
//! Budgets are pure (delta 0), which every method takes: a plan with Gaussian noise is calibrated
//! by exact composition, which would take ten times as long as the fit, and its noise is audited in
//! [`white`](crate::white).

use lookalike_curator::{Cancel, Curator};
use lookalike_methods::{Method, MethodError, Observer, Outcome, Request, build};
use lookalike_privacy::{
    Budget, Delta, Epsilon, Ledger, MemoryStore, Neighbours, NoiseBits, NoiseRng, PrivacyError, Relation,
};
use lookalike_schema::Schema;
use lookalike_table::PrivateTable;

use crate::AuditError;
use crate::attack::{Auditable, Side};

mod tiny_table;

#[cfg(test)]
mod tests;

use crate::neighbours::schema;
pub use tiny_table::TinyTable;

/// Rows of each of the two codes, under add/remove.
const EACH: usize = 40;

/// How a method is run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MethodFault {
    /// As the product does.
    None,
    /// With this many times the epsilon that is claimed.
    Budget(f64),
    /// With a schema whose categories are those that occur in the rows.
    CategoriesFromData,
    /// With the seeded test noise, the same in every run.
    #[cfg(feature = "broken")]
    SeededNoise,
}

/// A method on two neighbouring tables.
pub struct MethodRuns {
    method: Box<dyn Method>,
    table: TinyTable,
    neighbours: Neighbours,
    budget: Budget,
    schemas: [Schema; 2],
    request: Request,
    fault: MethodFault,
}

/// Nobody watches.
struct Nobody;

impl Observer for Nobody {}

impl MethodRuns {
    /// The method of that name at `epsilon`, under add/remove unless it needs replace-one.
    pub fn new(name: &str, epsilon: f64, table: TinyTable, fault: MethodFault) -> Result<Self, AuditError> {
        let method = build(name, &[])?;
        let factor = if let MethodFault::Budget(factor) = fault { factor } else { 1.0 };
        let budget = Budget { epsilon: Epsilon::new(epsilon * factor)?, delta: Delta::new(0.0)? };
        let whole = table.schema()?;
        let first =
            if fault == MethodFault::CategoriesFromData { schema(&vec![1; table.columns()])? } else { whole.clone() };
        let neighbours = relation(method.as_ref(), &whole, budget)?;
        // One row is asked for where each is paid for; a model's rows are free.
        let request =
            Request { rows: (neighbours.relation() == Relation::ReplaceOne).then_some(1), ..Request::default() };
        Ok(Self { method, table, neighbours, budget, schemas: [first, whole], request, fault })
    }

    /// The relation in the words of the command line.
    pub fn neighbours_in_words(&self) -> &'static str {
        match self.neighbours.relation() {
            Relation::AddRemove => "add-remove",
            Relation::ReplaceOne => "replace-one",
        }
    }

    /// Fresh noise for a run.
    fn noise(&self) -> Result<Box<dyn NoiseBits>, AuditError> {
        #[cfg(feature = "broken")]
        if self.fault == MethodFault::SeededNoise {
            return Ok(Box::new(lookalike_privacy::SeededNoise::new(0)));
        }
        Ok(Box::new(NoiseRng::from_os()?))
    }

    /// What one run shows.
    fn release(&self, side: Side, cancel: &Cancel) -> Result<Vec<i64>, AuditError> {
        let schema = &self.schemas[side as usize];
        // Categories that come from the rows matter where one is missing.
        let columns = if self.fault == MethodFault::CategoriesFromData {
            self.table.with_one_code(side)
        } else {
            self.table.rows(side, self.neighbours.relation(), EACH)
        };
        let engine = PrivateTable::from_columns(schema, columns);
        let ledger = Ledger::open(Box::new(MemoryStore::new()), self.budget, self.neighbours)?;
        let mut noise = self.noise()?;
        let seed = noise.next_u64();
        let mut curator = Curator::new(schema.clone(), Box::new(engine), ledger, noise, cancel.clone());
        let outcome = self.method.run(&mut curator, &self.request, &Nobody)?;
        let used = curator.close().used()?;
        if used > self.budget.epsilon.get() {
            return Err(PrivacyError::Refused { what: format!("a run of {} cost {used}", self.method.name()) }.into());
        }
        match outcome {
            Outcome::Model(model) => self.table.of_model(&model, seed),
            Outcome::Rows(paid) => Ok(self.table.of_rows(&paid.drawn.columns(schema.domain()))),
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

impl Auditable for MethodRuns {
    fn scores(&self, side: Side, runs: usize, cancel: &Cancel) -> Result<Vec<i64>, AuditError> {
        Ok((0..runs).map(|_| self.release(side, cancel)).collect::<Result<Vec<_>, _>>()?.concat())
    }

    fn features(&self) -> usize {
        self.table.features()
    }

    fn piece(&self) -> usize {
        8
    }
}
