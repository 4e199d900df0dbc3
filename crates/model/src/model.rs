//! A fitted distribution over the schema's codes.

use lookalike_schema::{Clique, Schema};

use crate::{ModelError, Rules, Sampler, marginal, product::Product};

/// Estimates above this are cut: a release of more rows than this is no use to anyone.
const MOST_ROWS: f64 = 1e15;

/// Where a model comes from: carried in its file and shown to whoever opens it.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// The method's name.
    pub method: String,
    /// The guarantee in one line, or the words NO GUARANTEE / NOT PRIVATE with the reason.
    pub guarantee: String,
}

/// A fitted model: what a release publishes beside its rows. More rows and any marginal can be had from it, free of charge.
///
/// Impossible combinations of the schema have probability 0 in every marginal and in every sampled row.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    schema: Schema,
    rules: Rules,
    rows: f64,
    structure: Structure,
    origin: Origin,
}

/// How the columns hang together. Trees and networks join here.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Structure {
    /// Independent columns.
    Product(Product),
}

impl Model {
    /// Independent columns: one non-negative weight vector an attribute (normalized here), and the estimated row count.
    ///
    /// The weights are the one-way marginals that the model should have. Codes that the schema calls impossible get
    /// weight 0. Where impossible rules tie columns together, the weights are refitted so that the marginals of the
    /// *possible* rows are the ones asked for, as far as the rules allow. A column without any weight becomes uniform.
    /// A negative row count becomes 0.
    ///
    /// Refuses weights that do not fit the schema's sizes, that are negative, infinite or not a number, and a schema
    /// whose rules leave no possible row.
    pub fn product(schema: Schema, rows: f64, weights: Vec<Vec<f64>>, origin: Origin) -> Result<Self, ModelError> {
        let rules = Rules::new(&schema)?;
        let product = Product::fitted(schema.domain().sizes(), &rules, weights)?;
        Self::assemble(schema, rules, rows, Structure::Product(product), origin)
    }

    pub(crate) fn assemble(
        schema: Schema,
        rules: Rules,
        rows: f64,
        structure: Structure,
        origin: Origin,
    ) -> Result<Self, ModelError> {
        if !rows.is_finite() {
            return Err(ModelError::shape("the row count is not a number"));
        }
        Ok(Self { schema, rules, rows: rows.clamp(0.0, MOST_ROWS), structure, origin })
    }

    /// The schema the model speaks of.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Method and guarantee.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Replaces the origin line (the facade knows the final guarantee).
    pub fn with_origin(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// The estimated number of rows, at least 0, rounded: how many rows a release has by default.
    pub fn rows(&self) -> u64 {
        self.rows.round() as u64
    }

    /// The estimated number of rows, at least 0, not rounded: what turns probabilities into counts.
    pub fn total(&self) -> f64 {
        self.rows
    }

    /// What the model holds of the data and what it does not, in one sentence for the readers of a release.
    pub fn in_words(&self) -> &'static str {
        match self.structure {
            Structure::Product(_) => {
                "The rows follow the shape of each column by itself. They hold no relation between columns: do not read \
                 correlations, cross tables or regressions from them."
            }
        }
    }

    /// The probabilities of a clique's cells, row-major, last attribute fastest. The empty clique has one cell of 1.
    ///
    /// Refuses attributes that the schema lacks and cliques of more than 2^27 cells.
    pub fn marginal(&self, clique: &Clique) -> Result<Vec<f64>, ModelError> {
        match &self.structure {
            Structure::Product(product) => marginal::of_product(product, &self.rules, self.schema.domain(), clique),
        }
    }

    /// A sampler of `rows` rows. Same model file and seed: same rows on any platform and thread count.
    pub fn sampler(&self, rows: u64, seed: u64) -> Sampler<'_> {
        match &self.structure {
            Structure::Product(product) => Sampler::of_product(product, &self.rules, rows, seed),
        }
    }

    pub(crate) fn structure(&self) -> &Structure {
        &self.structure
    }
}
