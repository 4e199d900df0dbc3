//! Models: one consistent distribution made from measurements. Public from end to end.

pub mod error;
pub mod file;
pub mod model;
pub mod sample;

pub use error::ModelError;
pub use model::{Model, Origin};
pub use sample::{SampleRng, SampledBlock, Sampler};
