//! Models: one consistent distribution made from measurements. Public from end to end.
//!
//! A [`Model`] is a schema, an estimated row count, the marginals it rests on ([`MeasuredClique`])
//! and a structure: how the columns hang together. Independent columns, junction trees (perhaps
//! over coarse columns with a [`Refinement`]), networks ([`Conditional`]) and mixtures of products
//! all answer the same calls: [`Model::marginal`], [`Model::probability`],
//! [`Model::marginal_where`], [`Model::sampler`] and [`Model::to_bytes`].
//!
//! ```
//! use lookalike_model::{JunctionTree, Measurement, Model, Options, Origin, Sampling, estimate};
//! use lookalike_schema::{AttrId, Clique, Schema};
//!
//! let text = "[columns.sex]\ntype = 'category'\nvalues = ['F', 'M']\n\
//!             [columns.retired]\ntype = 'boolean'\n";
//! let schema = Schema::parse(text, "example")?;
//! // Noisy counts of both columns together, as a curator answers them.
//! let both = Clique::new([AttrId(0), AttrId(1)]);
//! let counts = [310.0, 190.0, 420.0, 80.0];
//! let measured = [Measurement { clique: both.clone(), values: &counts, variance: 25.0 }];
//! let tree = JunctionTree::new(schema.domain(), &[both.clone()], schema.impossible())?;
//! let fit = estimate(&tree, &measured, &Options::default())?;
//! let origin = Origin { method: "example".into(), guarantee: "counts that were made up".into() };
//! let model = Model::tree(schema, &fit.model, fit.total, vec![], vec![], origin)?;
//! assert!((model.marginal(&both)?[0] - 0.31).abs() < 1e-3);
//! let rows = model.sampler(&Sampling::new(1000, 7))?.block(0);
//! assert_eq!((rows.columns.len(), rows.rows), (2, 1000));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - `pgm`: factors, junction trees, inference and estimation: from noisy marginals to one
//!   distribution;
//! - `one_way`: a column of many ordered values from answers that go down slot by slot, and which
//!   codes seem to have no rows;
//! - [`project`]: noisy counts as the nearest counts that could be;
//! - `mixture`: a mixture of products, where a junction tree would not fit the memory;
//! - `structure`: each kind of model as a [`Model`] holds it;
//! - `impossible`: the schema's `[[impossible]]` rules as hard zeros;
//! - `sampling`: any model as a list of draws, and blocks of rows from it, without replacement or
//!   with; its seeded generator is never used for noise;
//! - `shown`: columns of very many codes in the groups at which questions are answered;
//! - `error_bars`: how far an answer may be off because of the noise;
//! - `file`: model files.

mod answers;
mod copula;
mod error;
mod error_bars;
mod file;
mod halt;
mod impossible;
mod measured_clique;
mod mixture;
mod model;
mod one_way;
mod pgm;
pub mod project;
mod sampling;
mod shown;
mod structure;

pub use answers::{AnswerAxis, KeptAnswer};
pub use copula::{nearest_copula, normal_cdf};
pub use error::ModelError;
pub(crate) use error::refuse_if;
pub use error_bars::{ErrorBars, Interval, MOST_WORK};
pub use halt::Halt;
pub use impossible::Rules;
pub use measured_clique::MeasuredClique;
pub use mixture::{FitOptions, FittedModel, Mixture, MixtureFit, MixtureOptions, Route, fit, route};
pub use model::{Model, Origin};
pub use one_way::{CodeRun, Descent, LeftCount, Shape as ColumnShape, codes_in_doubt};
pub use pgm::estimate::{Fit, Fitter, Measurement, Options, Refit, estimate};
pub use pgm::factor::layout::permuted;
pub use pgm::factor::{Factor, LogFactor};
pub use pgm::inference::Calibrated;
pub use pgm::tree::JunctionTree;
pub use sampling::{
    BLOCK_ROWS, BinPlaces, LARGE_ROWS, Replacement, RowSampler, SPLIT_ROWS, SampleRng, SampledBlock, Sampling,
    drawing_bytes, is_thinned,
};
pub use shown::ShownCells;
pub use structure::{Conditional, Refinement};

#[cfg(test)]
mod tests;
