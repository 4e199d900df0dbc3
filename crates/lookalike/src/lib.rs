//! Lookalike turns a private table into a synthetic one that may be published: same columns, same
//! statistics, nobody in it.
//!
//! This crate is the facade: all that a program needs. A job as typed ([`JobSpec`]) is checked once
//! and becomes a [`Job`]; its [`run`](Job::run) reads the table, pays for every look at it, and
//! writes a [`Release`]. [`verify`] recomputes what a release promises; [`sample`] draws more rows
//! from it, and [`query`] asks its model for a marginal with error bars, both free of charge.
//! [`PlanSpec`] says what a budget would buy, before anything is spent.
//!
//! ```
//! use lookalike::{Cancel, Input, JobSpec, Schema, Unwatched, verify};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let home = tempfile::tempdir()?;
//! # let folder = home.path();
//! let table = folder.join("people.csv");
//! std::fs::write(&table, "age,sex\n34,F\n61,M\n47,F\n")?;
//!
//! // The schema is public knowledge: nothing in it was read from the rows.
//! let schema = Schema::parse(
//!     r#"
//!     [columns.age]
//!     type = "integer"
//!     range = [0, 99]
//!
//!     [columns.sex]
//!     type = "category"
//!     values = ["F", "M"]
//!     "#,
//!     "people.toml",
//! )?;
//!
//! let job = JobSpec { epsilon: Some(1.0), out: Some(folder.join("people")), ..JobSpec::default() };
//! let release = job.check_with_schema(schema)?.run(&Input::Path(table), &Unwatched, &Cancel::new())?;
//!
//! assert_eq!(release.guarantee(), "(1, 1e-9)-differential privacy against adding or removing any one record");
//! assert!(release.used() <= 1.0);
//! assert!(verify(release.folder())?.agrees());
//! # Ok(())
//! # }
//! ```
//!
//! Nothing here prints, exits, reads a clock (but a ledger dates its entries) or touches the
//! process's global thread pool.

#![forbid(unsafe_code)]

pub mod demo_data;
mod draft;
mod error;
mod evaluate;
mod hash;
mod input;
mod job;
mod journal;
mod ledger;
mod observe;
mod output;
mod plan;
mod pool;
mod query;
mod release;
mod rows;
mod sample;
mod scratch;
mod size;
mod statement;
mod steward;
#[cfg(feature = "test-noise")]
#[doc(hidden)]
pub mod testing;
mod verify;

pub use draft::{Checked, check_against, draft_schema};
pub use error::{Error, ErrorKind};
pub use evaluate::{EvaluateSpec, evaluate};
pub use input::{read_options, read_schema, read_text, table_input, with_decimal};
pub use job::{Format, Job, JobSpec};
pub use journal::journal_of;
pub use ledger::{LedgerSpec, close_in_ledger, open_in_ledger, show_ledger};
pub use lookalike_report::{dictionary_csv, evaluation_page};
pub use lookalike_table::read::{Places, Shapes};
pub use observe::Unwatched;
pub use output::{WholeFile, write_private, write_whole};
pub use plan::{ExpectedDistance, Needed, Plan, PlanSpec, Prospect, REFERENCE_SECONDS, WorstCase, calibration_work};
pub use query::{Answer, Cell, Errors, IntervalKind, Question, query};
pub use release::Release;
pub use sample::{SampleJob, SampleSpec, read_model, sample};
pub use steward::{StewardSpec, compare_for_steward, steward_report};
pub use verify::{Verdict, verify};

pub use lookalike_curator::Cancel;
pub use lookalike_evaluate::{self as metrics, Evaluation, TableComparison};
pub use lookalike_ledger::{Cost, DataSet, Withdrawal};
pub use lookalike_measurement::{Statement, statement::Guarantee};
pub use lookalike_methods::{MethodInfo, Observer, Parameter, methods};
pub use lookalike_model::{Interval, Model, Replacement};
pub use lookalike_privacy::{Budget, HAS_TEST_NOISE, Relation};
pub use lookalike_schema::draft::Draft;
pub use lookalike_schema::{Mark, Schema};
pub use lookalike_table::{Input, ReadOptions, expects_damage};
