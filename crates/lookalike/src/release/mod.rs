//! A release in memory: the model (or rows that were each paid for), the statement, and what can be
//! asked of them, all free of charge. A folder is one way to write it and to read it.

mod bytes;
mod files;
mod folder;
mod open;
mod place;
mod rows;
mod sample;
mod statement;
mod verify;

use std::path::PathBuf;
use std::sync::Arc;

use lookalike_measurement::{Statement, statement::Guarantee};
use lookalike_methods::PaidRows;
use lookalike_model::{Model, Origin};
use lookalike_schema::Schema;

use crate::Cancel;
use crate::error::Error;

pub(crate) use files::{SCHEMA_FILE, find, synthetic_rows};
pub use folder::{ReleaseFolder, WrittenRelease};
pub use open::read_model;
pub use rows::Format;
pub use sample::{SampleJob, SampleSpec, sample};
pub(crate) use statement::{guarantee_line, short};
pub use verify::{Verdict, verify};

/// The seed that synthetic rows are drawn with. Noise has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seed(pub u64);

/// A release that has been paid for and closed: nothing here can see a private row.
#[derive(Clone, Debug)]
pub struct Release {
    pub(crate) contents: Contents,
    /// In the order of the rows' columns.
    pub(crate) schema: Schema,
    pub(crate) statement: Statement,
    pub(crate) rows: u64,
    /// `None` where the rows were drawn inside the door: then there is no model either.
    pub(crate) seed: Option<Seed>,
    pub(crate) ledger_words: LedgerWords,
    /// The folder that it was read from.
    pub(crate) opened: Option<PathBuf>,
}

/// What is left in a ledger. Whether rows were recognized depends on them, so whoever prints a
/// release does not print this.
#[derive(Clone, Default)]
pub(crate) struct LedgerWords(pub Vec<String>);

impl std::fmt::Debug for LedgerWords {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("(steward-only)")
    }
}

/// What a release was made from.
#[derive(Clone, Debug)]
pub(crate) enum Contents {
    /// A model, shared with whoever makes its page.
    Model(Arc<Model>),
    /// Rows that were drawn inside the door.
    Rows(PaidRows),
}

impl Contents {
    /// The model, which carries the guarantee with it.
    pub(crate) fn of_model(model: Model, statement: &Statement) -> Self {
        let origin = Origin { method: model.origin().method.clone(), guarantee: guarantee_line(statement) };
        Self::Model(Arc::new(model.with_origin(origin)))
    }
}

impl Release {
    /// The model that more rows can be drawn from; `None` where the release is rows alone.
    pub fn model(&self) -> Option<&Model> {
        match &self.contents {
            Contents::Model(model) => Some(model),
            Contents::Rows(_) => None,
        }
    }

    /// The columns of the rows.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The privacy statement: every charge, and what they add up to.
    pub fn statement(&self) -> &Statement {
        &self.statement
    }

    /// The guarantee in one line, or why there is none.
    pub fn guarantee(&self) -> String {
        guarantee_line(&self.statement)
    }

    /// The guaranteed epsilon, when there is a guarantee.
    pub fn epsilon(&self) -> Option<f64> {
        match self.statement.guarantee() {
            Guarantee::Holds(budget) => Some(budget.epsilon.get()),
            Guarantee::None { .. } => None,
        }
    }

    /// The guaranteed delta, when there is a guarantee.
    pub fn delta(&self) -> Option<f64> {
        match self.statement.guarantee() {
            Guarantee::Holds(budget) => Some(budget.delta.get()),
            Guarantee::None { .. } => None,
        }
    }

    /// The epsilon recomputed from the scales used: a check, never the guarantee.
    pub fn used(&self) -> f64 {
        self.statement.used().epsilon
    }

    /// The number of synthetic rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The seed that they are drawn with; `None` where they were drawn as noise, which no seed
    /// fixes.
    pub fn seed(&self) -> Option<Seed> {
        self.seed
    }

    /// How many charged runs the journal or the ledger knows of, this one included.
    pub fn charged_runs(&self) -> u64 {
        self.statement.facts().charged_runs
    }

    /// What is left in the ledger, one line a data set. Steward-only: whether rows were recognized
    /// depends on them.
    pub fn ledger_words(&self) -> &[String] {
        &self.ledger_words.0
    }

    /// The page about the release, one HTML file.
    pub fn report(&self) -> String {
        match &self.contents {
            Contents::Model(model) => lookalike_report::public_page(&self.statement, &**model),
            Contents::Rows(paid) => {
                let shares = paid.drawn.shares(self.schema.domain());
                let made = lookalike_report::RowsOnly {
                    schema: &self.schema,
                    rows: self.rows,
                    shares: &shares,
                    words: &paid.words,
                };
                lookalike_report::public_page(&self.statement, made)
            }
        }
    }

    /// What every column and code means, as CSV.
    pub fn dictionary(&self) -> String {
        lookalike_report::dictionary_csv(&self.schema)
    }

    /// The same release, of which a journal knows this many charged runs.
    pub(crate) fn with_charged_runs(self, runs: u64) -> Self {
        let statement = self.statement.with_facts(|facts| facts.charged_runs = facts.charged_runs.max(runs));
        Self { statement, ..self }
    }
}

pub(crate) fn stop_if(cancel: &Cancel) -> Result<(), Error> {
    if cancel.is_cancelled() { Err(Error::Interrupted) } else { Ok(()) }
}
