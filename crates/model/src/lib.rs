//! Models: one consistent distribution made from measurements. Public from end to end.
//!
//! A [`Model`] is a schema, an estimated row count and a `Structure`: how the columns hang together.
//! Today there is one structure, independent columns; trees and networks join the same enum later and answer the same
//! three calls: [`Model::marginal`], [`Model::sampler`] and [`Model::to_bytes`].
//!
//! - [`alias`] draws a code from a column in constant time, with integer thresholds.
//! - [`impossible`] turns the schema's `[[impossible]]` rules into hard zeros.
//! - [`sample`] draws blocks of rows; [`rng`] is the seeded generator behind it, which is never used for noise.
//! - [`file`] writes and reads model files.

pub mod alias;
pub mod error;
pub mod estimate;
pub mod factor;
pub mod file;
pub mod impossible;
pub mod inference;
mod marginal;
pub mod model;
mod product;
pub mod rng;
pub mod sample;
pub mod tree;

pub use error::ModelError;
pub use impossible::Rules;
pub use model::{Model, Origin};
pub use rng::SampleRng;
pub use sample::{BLOCK_ROWS, SampledBlock, Sampler};

#[cfg(test)]
mod tests;
