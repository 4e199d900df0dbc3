//! What the sections of a structure mean, in versions 2 and 3.

use lookalike_schema::Schema;
use serde::{Deserialize, Serialize};

use super::mixture::{self, MixtureShape};
use super::network::{self, NetworkShape};
use super::sections::StructureSections;
use super::tree::{self, TreeShape};
use crate::structure::Structure;
use crate::structure::product::Product;
use crate::structure::refinement::Refinements;
use crate::{ModelError, Rules};

/// One variant for each kind of structure, with a file of its own beside this one where there is a
/// shape to tell.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FileStructure {
    /// One section of probabilities for each modelled column.
    Product,
    Tree(TreeShape),
    Network(NetworkShape),
    Mixture(MixtureShape),
}

impl FileStructure {
    /// The shape of a structure and its numbers.
    pub fn of(structure: &Structure) -> (Self, Vec<&[f64]>) {
        fn shaped<S>(
            variant: fn(S) -> FileStructure,
            (shape, numbers): (S, Vec<&[f64]>),
        ) -> (FileStructure, Vec<&[f64]>) {
            (variant(shape), numbers)
        }
        match structure {
            Structure::Product(product) => (Self::Product, product.columns().iter().map(Vec::as_slice).collect()),
            Structure::Tree(tree) => shaped(Self::Tree, tree::write(tree)),
            Structure::Network(network) => shaped(Self::Network, network::write(network)),
            Structure::Mixture(mixture) => shaped(Self::Mixture, mixture::write(mixture)),
        }
    }

    /// The structure, checked against the schema; and the schema's rules, worked out once sizes are
    /// known to be paid for.
    pub fn read(self, schema: &Schema, sections: StructureSections) -> Result<(Structure, Rules), ModelError> {
        Ok(match self {
            Self::Product => with_rules(Structure::Product, Product::stored(schema, sections.0.collect())?),
            Self::Tree(shape) => with_rules(Structure::Tree, tree::read(shape, schema, sections)?),
            Self::Network(shape) => with_rules(Structure::Network, network::read(shape, schema, sections)?),
            Self::Mixture(shape) => with_rules(Structure::Mixture, mixture::read(shape, schema, sections)?),
        })
    }
}

/// Whether some column's groups are written as runs.
pub(super) fn has_runs(structure: &Structure) -> bool {
    let coarse = |refinements: &Refinements| refinements.refined().any(|(_, one)| one.grouping.is_long());
    match structure {
        Structure::Product(_) => false,
        Structure::Tree(tree) => coarse(&tree.parts().refinements),
        Structure::Network(network) => network.conditionals().iter().any(|one| {
            let parents = one.parents.iter().filter_map(|parent| parent.1.as_ref());
            let own = one.refinement.as_ref().map(|refinement| &refinement.grouping);
            parents.chain(own).any(|grouping| grouping.is_long())
        }),
        Structure::Mixture(mixture) => coarse(mixture.refinements()),
    }
}

fn with_rules<M>(variant: fn(M) -> Structure, (model, rules): (M, Rules)) -> (Structure, Rules) {
    (variant(model), rules)
}
