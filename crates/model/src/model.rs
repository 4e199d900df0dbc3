//! A fitted distribution over the schema's codes.
// SKELETON: the model owner fills this in.

use lookalike_schema::{Clique, Schema};

use crate::{ModelError, Sampler};

/// Where a model comes from: carried in its file and shown to whoever opens it.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// The method's name.
    pub method: String,
    /// The guarantee in one line, or the words NO GUARANTEE / NOT PRIVATE with the reason.
    pub guarantee: String,
}

/// A fitted model.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {}

#[allow(missing_docs, unused_variables)]
impl Model {
    /// Independent columns: one non-negative weight vector an attribute (normalised here), and the estimated row count.
    pub fn product(schema: Schema, rows: f64, weights: Vec<Vec<f64>>, origin: Origin) -> Result<Self, ModelError> {
        todo!()
    }
    pub fn schema(&self) -> &Schema {
        todo!()
    }
    pub fn origin(&self) -> &Origin {
        todo!()
    }
    /// Replaces the origin line (the facade knows the final guarantee).
    pub fn with_origin(self, origin: Origin) -> Self {
        todo!()
    }
    /// The estimated number of rows, at least 0, rounded: how many rows a release has by default.
    pub fn rows(&self) -> u64 {
        todo!()
    }
    /// The probabilities of a clique's cells, row-major.
    pub fn marginal(&self, clique: &Clique) -> Result<Vec<f64>, ModelError> {
        todo!()
    }
    /// A sampler of `rows` rows. Same model file and seed: same rows on any platform and thread count.
    pub fn sampler(&self, rows: u64, seed: u64) -> Sampler<'_> {
        todo!()
    }
}
