//! Models: one consistent distribution made from measurements. Public from end to end.
//!
//! A [`Model`] is a schema, an estimated row count, the marginals it rests on ([`Coverage`]) and a
//! `Structure`: how the columns hang together. Independent columns, junction trees (perhaps over
//! coarse columns with a [`Refinement`]), networks ([`Conditional`]) and mixtures of products all
//! answer the same calls: [`Model::marginal`], [`Model::probability`], [`Model::marginal_where`],
//! [`Model::sampler`] and [`Model::to_bytes`].
//!
//! The engine for models with dependent columns turns noisy marginals into one distribution on a
//! junction tree:
//! - [`factor`]: dense tables over a clique, in linear and in log space, and the vector loops over
//!   them;
//! - [`tree`]: junction trees, made at once or grown clique by clique;
//! - [`inference`]: the marginals of all tree cliques in one pass each way, and of any other
//!   columns;
//! - [`estimate`](mod@estimate): the distribution that fits noisy marginals best;
//! - [`mixture`]: a mixture of products, where a junction tree would not fit the memory.
//!
//! The rest:
//! - [`alias`] draws a code from a column in constant time, with integer thresholds.
//! - [`error_bars`](mod@error_bars) says how far an answer may be off because of the noise.
//! - [`impossible`] turns the schema's `[[impossible]]` rules into hard zeros.
//! - `sampling_plan` is any model as a list of draws; [`sample`] draws blocks of rows from it,
//!   without replacement or with; [`rng`] is the seeded generator behind it, which is never used
//!   for noise.
//! - [`mod@file`] writes and reads model files.

pub mod alias;
pub mod answers;
pub mod coverage;
pub mod error;
pub mod error_bars;
pub mod estimate;
pub mod factor;
pub mod file;
pub mod halt;
pub mod impossible;
pub mod inference;
mod marginal;
pub mod mixture;
pub mod model;
pub mod network;
mod product;
pub mod refinement;
pub mod rng;
pub mod sample;
mod sampling_plan;
mod structure;
pub mod tree;
mod tree_model;

pub use answers::{AnswerAxis, AnswerTable};
pub use coverage::Coverage;
pub use error::ModelError;
pub use error_bars::{ErrorBars, Interval, error_bars};
pub use estimate::{Fit, Fitter, Measured, Method, Options, Refit, estimate};
pub use factor::{Factor, LogFactor};
pub use halt::Halt;
pub use impossible::Rules;
pub use inference::Calibrated;
pub use mixture::{FitOptions, Fitted, Mixture, MixtureFit, Route, fit};
pub use model::{Model, Origin};
pub use network::Conditional;
pub use refinement::Refinement;
pub use rng::SampleRng;
pub use sample::{
    BLOCK_ROWS, LARGE_ROWS, Places, Replacement, SPLIT_ROWS, SampledBlock, Sampler, Sampling, drawing_bytes, is_thinned,
};
pub use tree::Tree;

#[cfg(test)]
mod tests;
