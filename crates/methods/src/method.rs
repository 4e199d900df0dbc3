//! What a method is.

use lookalike_curator::Curator;
use lookalike_model::Model;
use lookalike_privacy::Budget;
use lookalike_schema::Schema;

use crate::MethodError;

/// Watches a run. Everything told here may be published: phases, rounds, budget; never anything about rows.
pub trait Observer: Sync {
    /// A new phase begins ("measuring", "fitting", "writing").
    fn phase(&self, name: &str);
    /// Rounds done of rounds planned.
    fn round(&self, done: u64, planned: u64);
    /// The share of the budget spent, 0 to 1.
    fn budget(&self, share: f64);
    /// The share of the input file read, 0 to 1. For the steward's own terminal only, never for a log that belongs to the release.
    fn reading(&self, share: f64);
    /// A remark in one line, free of data.
    fn note(&self, text: &str);
}

/// What a method expects to cost and reach, from public facts alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// Expected mean total variation distance of one-way marginals.
    pub tvd1: f64,
    /// The standard deviation of the noise on one cell, in people.
    pub cell_noise: f64,
    /// The model's size in bytes.
    pub model_bytes: u64,
}

/// One way to turn measurements into a model. Its parameters were checked when it was made.
pub trait Method: Send + Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;
    /// What it would reach; spends nothing, reads nothing.
    fn forecast(&self, schema: &Schema, rows: u64, budget: Budget) -> Result<Forecast, MethodError>;
    /// Plans, pays, measures and fits.
    fn fit(&self, curator: &mut Curator, observer: &dyn Observer) -> Result<Model, MethodError>;
}
