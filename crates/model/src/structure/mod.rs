//! How the columns of a model hang together, and what each way can do.
//!
//! - `product`: independent columns;
//! - `tree`: a junction tree with the marginals of its cliques;
//! - `network`: a Bayesian network;
//! - `mixture`: a mixture of products;
//! - `refinement`: columns that a tree, a network or a mixture holds at a coarse level.

pub(crate) mod mixture;
pub(crate) mod network;
pub(crate) mod product;
pub(crate) mod refinement;
pub(crate) mod tree;

use lookalike_schema::{AttrId, Clique, Schema};

use crate::sampling::plan::SamplingPlan;
use crate::{ModelError, Rules};
use mixture::MixtureModel;
use network::NetworkModel;
use product::Product;
use tree::TreeModel;

pub use network::Conditional;
pub use refinement::Refinement;

/// One variant for each kind of model. A new kind needs a sampling plan, marginals, words and a
/// shape in the file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Structure {
    /// Independent columns.
    Product(Product),
    /// A junction tree.
    Tree(TreeModel),
    /// A Bayesian network.
    Network(NetworkModel),
    /// A mixture of products.
    Mixture(MixtureModel),
}

impl Structure {
    pub fn in_words(&self) -> String {
        match self {
            Self::Product(product) => product.in_words(),
            Self::Tree(tree) => tree.in_words(),
            Self::Network(network) => network.in_words(),
            Self::Mixture(mixture) => mixture.in_words(),
        }
    }

    /// How the groups of a coarse column become codes.
    pub fn refinement(&self, attribute: AttrId) -> Option<&Refinement> {
        match self {
            Self::Product(_) => None,
            Self::Tree(tree) => tree.parts().refinements.get(attribute.index()),
            Self::Network(network) => {
                network.conditionals().iter().find(|one| one.child == attribute)?.refinement.as_ref()
            }
            Self::Mixture(mixture) => mixture.refinements().get(attribute.index()),
        }
    }

    /// The same with coarse columns for which `keep` holds left as groups, where that can be had at
    /// once.
    pub fn coarse_marginal(
        &self,
        clique: &Clique,
        keep: &dyn Fn(AttrId) -> bool,
    ) -> Option<Result<Vec<f64>, ModelError>> {
        match self {
            Self::Product(_) | Self::Network(_) => None,
            Self::Tree(tree) => Some(tree.marginal_but(clique, keep)),
            Self::Mixture(mixture) => Some(mixture.marginal_but(clique, keep)),
        }
    }

    /// The probabilities of a clique that has been checked.
    pub fn marginal(&self, schema: &Schema, rules: &Rules, clique: &Clique) -> Result<Vec<f64>, ModelError> {
        match self {
            Self::Product(product) => product.marginal(rules, schema.domain(), clique),
            Self::Tree(tree) => tree.marginal(clique),
            Self::Network(network) => network.marginal(schema.domain().sizes(), clique),
            Self::Mixture(mixture) => mixture.marginal(clique),
        }
    }

    /// The joint probabilities of some columns, ascending, under the structure's own sampling plan,
    /// perhaps conditioned since.
    pub fn marginal_of(&self, sampling_plan: &SamplingPlan, columns: &[usize]) -> Result<Vec<f64>, ModelError> {
        match self {
            Self::Mixture(_) => mixture::marginal_of(sampling_plan, columns),
            Self::Product(_) | Self::Tree(_) | Self::Network(_) => sampling_plan.marginal(columns),
        }
    }

    /// The model as draws.
    pub fn sampling_plan(&self, schema: &Schema, rules: &Rules) -> Result<SamplingPlan, ModelError> {
        match self {
            Self::Product(product) => product.sampling_plan(schema.domain().sizes(), rules),
            Self::Tree(tree) => Ok(tree.sampling_plan()),
            Self::Network(network) => Ok(network.sampling_plan(schema.domain().sizes()).clone()),
            Self::Mixture(mixture) => Ok(mixture.sampling_plan(schema.domain().sizes())),
        }
    }
}
