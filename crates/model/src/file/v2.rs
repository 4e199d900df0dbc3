//! The header of version 2, kept for ever, and the structures that version 3 shares with it.

use lookalike_schema::{AttrId, Clique, Schema};
use serde::{Deserialize, Serialize};

use super::{Sections, mixture, network, product, tree};
use crate::{ModelError, Rules, structure};

/// Everything but the numbers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    /// The method's name.
    pub method: String,
    /// The guarantee in one line.
    pub guarantee: String,
    /// How rows are drawn unless told otherwise.
    pub replacement: Replacement,
    /// What the sections after the second mean.
    pub structure: Structure,
    /// The measured marginals' columns. Their variances are the second section; the first is the
    /// row count.
    pub measured: Vec<Vec<u32>>,
    /// The number of floats in each section.
    pub sections: Vec<u64>,
    /// The schema, in the shape of a schema file.
    pub schema: serde_json::Value,
}

/// How rows are drawn.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Replacement {
    With,
    Without,
    Thinned,
}

/// What the sections mean: one file beside this one each.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Structure {
    Product,
    Tree(tree::Shape),
    Network(network::Shape),
    Mixture(mixture::Shape),
}

impl Structure {
    /// The shape of a structure and its numbers.
    pub fn of(structure: &structure::Structure) -> (Self, Vec<&[f64]>) {
        match structure {
            structure::Structure::Product(product) => (Self::Product, product::numbers(product)),
            structure::Structure::Tree(tree) => (Self::Tree(tree::shape(tree)), tree::numbers(tree)),
            structure::Structure::Network(network) => {
                (Self::Network(network::shape(network)), network::numbers(network))
            }
            structure::Structure::Mixture(mixture) => {
                (Self::Mixture(mixture::shape(mixture)), mixture::numbers(mixture))
            }
        }
    }

    /// The structure, checked against the schema; and the schema's rules, worked out once sizes are
    /// known to be paid for.
    pub fn read(self, schema: &Schema, sections: Sections) -> Result<(structure::Structure, Rules), ModelError> {
        Ok(match self {
            Self::Product => {
                let (product, rules) = product::read(schema, sections)?;
                (structure::Structure::Product(product), rules)
            }
            Self::Tree(shape) => {
                let (tree, rules) = tree::read(shape, schema, sections)?;
                (structure::Structure::Tree(tree), rules)
            }
            Self::Network(shape) => {
                let (network, rules) = network::read(shape, schema, sections)?;
                (structure::Structure::Network(network), rules)
            }
            Self::Mixture(shape) => {
                let (mixture, rules) = mixture::read(shape, schema, sections)?;
                (structure::Structure::Mixture(mixture), rules)
            }
        })
    }
}

impl Header {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(bytes).map_err(|error| format!("its header does not hold: {error}"))
    }
}

impl From<crate::Replacement> for Replacement {
    fn from(way: crate::Replacement) -> Self {
        match way {
            crate::Replacement::With => Self::With,
            crate::Replacement::Without => Self::Without,
            crate::Replacement::Thinned => Self::Thinned,
        }
    }
}

impl From<Replacement> for crate::Replacement {
    fn from(way: Replacement) -> Self {
        match way {
            Replacement::With => Self::With,
            Replacement::Without => Self::Without,
            Replacement::Thinned => Self::Thinned,
        }
    }
}

/// A clique as its columns' numbers.
pub(super) fn indices(clique: &Clique) -> Vec<u32> {
    clique.attributes().iter().map(|attribute| attribute.0).collect()
}

/// The clique of some columns' numbers, which ascend.
pub(super) fn clique(indices: &[u32]) -> Result<Clique, ModelError> {
    if indices.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err(ModelError::shape("the columns of a marginal do not ascend"));
    }
    Ok(Clique::new(indices.iter().map(|&index| AttrId(index))))
}
