//! Lookalike turns a private table into a synthetic one that may be published: same columns, same
//! statistics, nobody in it.
//!
//! This crate is the facade: all that a program needs. A [`Synthesizer`] is given the columns, the
//! budget and what else matters, and [fits](Synthesizer::fit) Arrow batches, a file, a table or an
//! engine; what comes back is a [`Release`] in memory. It can be [sampled](Release::sample),
//! [written](Release::write), [asked](Release::query) and [verified](Release::verify), all free of
//! charge, and [opened](Release::open) again. [`PlanSpec`] says what a budget would buy, before
//! anything is spent. A [`JobSpec`] is a run written down in a file or in flags.
//!
//! ```
//! use lookalike::{Budget, Category, Integer, Release, Schema, Seed, Synthesizer};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let home = tempfile::tempdir()?;
//! # let folder = home.path();
//! let table = folder.join("people.csv");
//! std::fs::write(&table, "age,sex\n34,F\n61,M\n47,F\n")?;
//!
//! // The schema is public knowledge: nothing in it was read from the rows.
//! let schema = Schema::builder()
//!     .column("age", Integer::range(0, 99))
//!     .column("sex", Category::of(["F", "M"]))
//!     .build()?;
//! let release = Synthesizer::new(schema).budget(Budget::new(1.0, 1e-9)?).fit(&table)?;
//!
//! let promise = "(1, 1e-9)-differential privacy against adding or removing any one record";
//! assert_eq!(release.guarantee(), promise);
//! assert!(release.used() <= 1.0);
//! let batches = release.sample(10, Seed(7))?;
//! assert_eq!(batches[0].num_rows(), 10);
//!
//! release.write(folder.join("people"))?;
//! assert!(Release::open(folder.join("people"))?.verify().agrees());
//! assert!(lookalike::verify(&folder.join("people"))?.agrees());
//! # Ok(())
//! # }
//! ```
//!
//! Nothing here prints, exits, reads a clock (but a ledger dates its entries) or touches the
//! process's global thread pool.

#![forbid(unsafe_code)]

mod book;
pub mod bounds;
pub mod demo_data;
mod draft;
mod entropy;
mod error;
mod evaluate;
mod fitted;
mod hash;
mod input;
mod job;
mod journal;
mod ledger;
mod limits;
mod methods_json;
mod observe;
mod output;
mod plan;
mod pool;
mod proposals;
mod protect;
mod query;
mod release;
mod scratch;
mod size;
mod steward;
mod synthesizer;
#[cfg(feature = "test-noise")]
#[doc(hidden)]
pub mod testing;
mod watch;
mod workload_file;

pub use book::import_book;
pub use draft::{Checked, check_against, draft_schema, sketch_columns};
pub use error::{Error, ErrorKind, FileError, FileFault, SettingError};
pub use evaluate::{EvaluateSpec, evaluate, synthetic_input};
pub use fitted::FittedRows;
pub use input::{
    parse_encoding, read_any_schema, read_options, read_schema, read_text, table_input, with_decimal, with_encoding,
};
pub use job::{Job, JobSpec};
pub use journal::{charged_runs, journal_of};
pub use ledger::{LedgerSpec, close_in_ledger, data_set_json, open_in_ledger, show_ledger};
pub use lookalike_report::{dictionary_csv, evaluation_page};
pub use methods_json::methods_json;
pub use observe::Unwatched;
pub use output::{WholeFile, write_private, write_whole};
pub use plan::{
    BudgetPlan, DiscoveryProspect, ExpectedDistance, ExpectedRelations, KeptRows, Needed, PlanSpec, PlannedEngine,
    Prospect, REFERENCE_SECONDS, STRENGTHS, TableProspect, WorstCase, calibration_work,
};
pub use proposals::{ProposedRule, SeenRule, propose_rules};
pub use query::{Answer, Cell, Errors, IntervalKind, Question, query};
pub use release::{
    Format, Release, ReleaseFolder, SampleJob, SampleSpec, Seed, Verdict, WrittenRelease, read_model, sample, verify,
};
pub use steward::{StewardSpec, compare_for_steward, steward_report};
pub use synthesizer::Synthesizer;
pub use synthesizer::source::{Engine, IntoSource, Source, kinds};
pub use workload_file::parse_workload;

pub use lookalike_curator::Cancel;
pub use lookalike_evaluate::{self as metrics, Evaluation, EvaluationSettings, TableComparison};
pub use lookalike_ledger::{Cost, DataSet, LedgerFile, Withdrawal};
pub use lookalike_measurement::{Statement, statement::Guarantee};
pub use lookalike_methods::aim::AimParams as Aim;
pub use lookalike_methods::auto::AutoParams as Auto;
pub use lookalike_methods::histogram::HistogramParams as Histogram;
pub use lookalike_methods::independent::IndependentParams as Independent;
pub use lookalike_methods::mst::MstParams as Mst;
pub use lookalike_methods::pb_pgm::PbPgmParams as PbPgm;
pub use lookalike_methods::privbayes::PrivBayesParams as PrivBayes;
pub use lookalike_methods::privbayes_nist::PrivBayesNistParams as PrivBayesNist;
pub use lookalike_methods::privmrf::PrivMrfParams as PrivMrf;
pub use lookalike_methods::workload::WorkloadSpec;
pub use lookalike_methods::{MethodInfo, Observer, Parameter, Parameters, methods};
pub use lookalike_model::{Interval, Model, Replacement};
pub use lookalike_privacy::ledger::{JournalStore, LedgerStore, MemoryStore};
pub use lookalike_privacy::{Budget, HAS_TEST_NOISE, Relation};
pub use lookalike_schema::draft::Draft;
pub use lookalike_schema::file::{SchemaKey, json_schema, schema_keys};
pub use lookalike_schema::{
    Boolean, Category, CodeBook, Date, DateTime, Id, Ignore, Integer, KeptRule, LookedUp, Mark, MarkKind, Number,
    OpenSchema, PendingFact, PlainValue, Review, Schema, SchemaBuilder, SchemaError, Spacing,
};
pub use lookalike_table::read::{Places, Shapes};
pub use lookalike_table::{
    FileList, HeldBatches, Input, PrivateTable, ReadOptions, ReadWatch, Table, TableError, expects_damage,
};

/// What an engine of one's own needs: it counts cliques of private rows for the curator, against
/// permits that only the curator makes.
pub mod engine {
    pub use lookalike_curator::{Cancel, CountTable, Counts, CuratorError, Permit};
    pub use lookalike_schema::{AttrId, Clique, Derived, Domain};
    pub use lookalike_table::SourceFacts;
    pub use lookalike_table::far::{Coding, CountRequest, FarRows, Kernel, SuiteTable, answered};
}
