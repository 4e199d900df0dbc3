//! What a method is.

use lookalike_curator::Curator;
use lookalike_measurement::DrawnRows;
use lookalike_model::Model;
use lookalike_privacy::{Budget, Neighbours};
use lookalike_schema::{Schema, SchemaError};

use crate::MethodError;
use crate::one_way::{LAPLACE, distance};
use crate::request::Request;
use crate::workload::Workload;

/// Watches a run. Everything told here may be published: phases, rounds, budget; never anything
/// about rows. What an observer does not care for it leaves out.
pub trait Observer: Sync {
    /// A new phase begins ("measuring", "fitting", "writing").
    fn phase(&self, _name: &str) {}
    /// Rounds done of rounds planned.
    fn round(&self, _done: u64, _planned: u64) {}
    /// The share of the budget spent, 0 to 1.
    fn budget(&self, _share: f64) {}
    /// How often all rows were passed over so far: a matter of the schema and of the answers.
    fn passes(&self, _passes: u64) {}
    /// The share of the input file read, 0 to 1. For the steward's own terminal only, never for a
    /// log that belongs to the release.
    fn reading(&self, _share: f64) {}
    /// What a server said when it failed. For the steward's own terminal only, never for a log: it
    /// may quote anything.
    fn server_said(&self, _words: &str) {}
    /// A remark in one line, free of data.
    fn note(&self, _text: &str) {}
}

/// What a method expects to cost and reach, from public facts alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// Expected mean total variation distance of one-way marginals.
    pub tvd1: f64,
    /// The standard deviation of the noise on one value of a column, in people.
    pub column_noise: f64,
    /// The standard deviation of the noise on one cell of a table of several columns, in people.
    pub cell_noise: f64,
    /// The model's size in bytes.
    pub model_bytes: u64,
}

impl Forecast {
    /// Of a table without columns, whose row count gets everything.
    pub fn without_columns(budget: Budget) -> Self {
        Self { tvd1: 0.0, column_noise: 0.0, cell_noise: 1.0 / budget.epsilon.get(), model_bytes: 8 }
    }

    /// Of columns that are sums of tables, given for each column its values and the cells of its
    /// table, whose counts have noise of this variance. Codes are taken to be equally frequent, the
    /// hardest case for a given number of them.
    pub(crate) fn of_tables(
        columns: impl IntoIterator<Item = [f64; 2]>,
        variance: f64,
        is_laplace: bool,
        rows: u64,
    ) -> Self {
        let felt = if is_laplace { LAPLACE * variance } else { variance };
        let (mut distances, mut cells, mut count) = (0.0, 0.0, 0.0f64);
        for [values, table] in columns {
            distances += distance(values, felt * table / values, rows.max(1) as f64);
            (cells, count) = (cells + table, count + 1.0);
        }
        let (tvd1, noise) = (distances / count.max(1.0), variance.sqrt());
        Self { tvd1, column_noise: noise, cell_noise: noise, model_bytes: 8 * (cells as u64 + 1) }
    }
}

/// How far tables of several columns go, for a method that chooses them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableReach {
    /// How many tables are measured.
    pub tables: f64,
    /// The epsilon of choosing one.
    pub choice_epsilon: f64,
    /// The number of rows over the noise of a column's counts with all of the budget, where the
    /// budget is dealt out by it; else infinite.
    pub signal: f64,
}

/// What a forecast rests on.
#[derive(Clone, Copy, Debug)]
pub struct PublicFacts<'a> {
    /// The columns.
    pub schema: &'a Schema,
    /// The number of rows, as somebody guesses it.
    pub rows: u64,
    /// The relation of the run.
    pub neighbours: Neighbours,
    /// What may be spent.
    pub budget: Budget,
}

/// What a method makes.
// There is one of these in a run: a box would save nothing.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A model, from which anybody may draw rows, free of charge.
    Model(Model),
    /// Rows that were drawn inside the door. Each was paid for, and there is nothing to draw more
    /// from.
    Rows(PaidRows),
}

/// Rows without a model.
#[derive(Clone, Debug, PartialEq)]
pub struct PaidRows {
    /// The rows.
    pub drawn: DrawnRows,
    /// What they hold and how to read them, one sentence or a few each, for the report.
    pub words: Vec<String>,
}

/// One way to turn measurements into a model, or into rows. Its parameters were checked when it was
/// made.
pub trait Method: Send + Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;
    /// Whether it looks at the workload and the target of a request; a job that names one for
    /// another method is refused.
    fn uses_workload(&self) -> bool {
        false
    }
    /// The most codes of a number or date column whose bins nobody stated, for a method that
    /// chooses their detail itself; the schema is then put [on its grid](Schema::on_grid).
    fn grid(&self) -> Option<u32> {
        None
    }
    /// The schema that rows are coded by.
    fn coding(&self, schema: &Schema) -> Result<Schema, SchemaError> {
        self.grid().map_or_else(|| Ok(schema.clone()), |most| schema.on_grid(most))
    }
    /// What it would reach; spends nothing, reads nothing.
    fn forecast(&self, facts: &PublicFacts) -> Result<Forecast, MethodError>;
    /// How many tables it would measure, where it chooses them among all pairs of columns.
    fn reach(&self, _facts: &PublicFacts) -> Result<Option<TableReach>, MethodError> {
        Ok(None)
    }
    /// What the budget allows, in words of one line each: where a user has a choice to make that
    /// has a price. Spends nothing, reads nothing.
    fn allowance(
        &self,
        _schema: &Schema,
        _rows: u64,
        _budget: Budget,
        _request: &Request,
    ) -> Result<Vec<String>, MethodError> {
        Ok(Vec::new())
    }
    /// Refuses what the method cannot do, from public facts alone: before a row is read or anything
    /// is paid.
    fn accept(
        &self,
        schema: &Schema,
        _neighbours: Neighbours,
        _budget: Budget,
        request: &Request,
    ) -> Result<(), MethodError> {
        if self.uses_workload() { Workload::of(request, schema).map(|_| ()) } else { Ok(()) }
    }
    /// Plans, pays, measures and makes what a release is made from.
    fn run(&self, curator: &mut Curator, request: &Request, observer: &dyn Observer) -> Result<Outcome, MethodError>;
}
