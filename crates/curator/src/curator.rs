//! The curator: owns the rows, offers noisy answers and private selections, nothing else.
// SKELETON: the curator owner fills this in.

use lookalike_measurement::{NoisyCount, NoisyMarginal, Selection};
use lookalike_privacy::{Budget, CalibratedPlan, Ledger, Neighbours, NoiseBits, Plan};
use lookalike_schema::{Domain, Schema};

use crate::{Cancel, CountQuery, Counts, CuratorError, MarginalQuery, SelectQuery};

/// The only door to private rows.
pub struct Curator {}

#[allow(missing_docs, unused_variables)]
impl Curator {
    pub fn new(
        schema: Schema,
        counts: Box<dyn Counts>,
        ledger: Ledger,
        noise: Box<dyn NoiseBits>,
        cancel: Cancel,
    ) -> Self {
        todo!()
    }
    pub fn schema(&self) -> &Schema {
        todo!()
    }
    pub fn domain(&self) -> &Domain {
        todo!()
    }
    pub fn budget(&self) -> Budget {
        todo!()
    }
    pub fn neighbours(&self) -> Neighbours {
        todo!()
    }
    /// Calibrates the plan to what is left of the budget and commits it as the next stage.
    pub fn commit(&mut self, plan: &Plan) -> Result<CalibratedPlan, CuratorError> {
        todo!()
    }
    /// Like `commit`, for a part of the budget.
    pub fn commit_part(&mut self, plan: &Plan, cap: Budget) -> Result<CalibratedPlan, CuratorError> {
        todo!()
    }
    /// Begins the last stage as a filter over what is left.
    pub fn commit_filter(&mut self) -> Result<(), CuratorError> {
        todo!()
    }
    /// Noisy marginals: one durable charge for the batch, then one pass.
    pub fn marginals(&mut self, queries: &[MarginalQuery]) -> Result<Vec<NoisyMarginal>, CuratorError> {
        todo!()
    }
    /// The noisy row count; exact and free under replace-one.
    pub fn row_count(&mut self, query: &CountQuery) -> Result<NoisyCount, CuratorError> {
        todo!()
    }
    /// A private selection.
    pub fn select(&mut self, query: &SelectQuery) -> Result<Selection, CuratorError> {
        todo!()
    }
    /// The share of the budget spent so far, for progress.
    pub fn share_spent(&self) -> f64 {
        todo!()
    }
    /// Whether the answers so far are private (false only with the seeded test stream).
    pub fn is_private(&self) -> bool {
        todo!()
    }
    /// Closes the door: drops the rows and gives back the ledger for the statement.
    pub fn close(self) -> Ledger {
        todo!()
    }
}
