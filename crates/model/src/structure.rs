//! How the columns of a model hang together, and what each way can do.

use lookalike_schema::{Clique, Schema};

use crate::mixture::model::MixtureModel;
use crate::network::Network;
use crate::product::Product;
use crate::sampling_plan::SamplingPlan;
use crate::tree_model::TreeModel;
use crate::{ModelError, Rules, marginal};

/// One variant a kind of model. A new kind needs a sampling plan, marginals, words and a shape in
/// the file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Structure {
    /// Independent columns.
    Product(Product),
    /// A junction tree.
    Tree(TreeModel),
    /// A Bayesian network.
    Network(Network),
    /// A mixture of products.
    Mixture(MixtureModel),
}

impl Structure {
    pub fn in_words(&self) -> String {
        match self {
            Self::Product(_) => {
                "The rows follow the shape of each column by itself. They hold no relation between columns: do not read \
                 correlations, cross tables or regressions from them."
                    .into()
            }
            Self::Tree(tree) => tree.in_words(),
            Self::Network(network) => network.in_words(),
            Self::Mixture(mixture) => mixture.in_words(),
        }
    }

    /// The probabilities of a clique that has been checked.
    pub fn marginal(&self, schema: &Schema, rules: &Rules, clique: &Clique) -> Result<Vec<f64>, ModelError> {
        match self {
            Self::Product(product) => marginal::of_product(product, rules, schema.domain(), clique),
            Self::Tree(tree) => tree.marginal(clique),
            Self::Network(network) => network.marginal(schema.domain().sizes(), clique),
            Self::Mixture(mixture) => mixture.marginal(clique),
        }
    }

    /// The joint probabilities of some columns, ascending, under the structure's own sampling plan,
    /// perhaps conditioned since.
    pub fn marginal_of(&self, sampling_plan: &SamplingPlan, columns: &[usize]) -> Result<Vec<f64>, ModelError> {
        match self {
            Self::Mixture(_) => crate::mixture::model::marginal_of(sampling_plan, columns),
            Self::Product(_) | Self::Tree(_) | Self::Network(_) => sampling_plan.marginal(columns),
        }
    }

    /// The model as draws.
    pub fn sampling_plan(&self, schema: &Schema, rules: &Rules) -> Result<SamplingPlan, ModelError> {
        match self {
            Self::Product(product) => SamplingPlan::of_product(schema.domain().sizes(), product, rules),
            Self::Tree(tree) => Ok(tree.sampling_plan()),
            Self::Network(network) => Ok(network.sampling_plan(schema.domain().sizes()).clone()),
            Self::Mixture(mixture) => Ok(mixture.sampling_plan(schema.domain().sizes())),
        }
    }
}
