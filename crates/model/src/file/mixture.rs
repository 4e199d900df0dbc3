//! Mixtures: a section of the components' weights, one a column with every component's
//! probabilities, then one a coarse column with its codes' weights.

use lookalike_schema::Schema;
use serde::{Deserialize, Serialize};

use super::{Sections, tree};
use crate::mixture::model::MixtureModel;
use crate::{ModelError, Rules};

/// What the numbers do not say themselves.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shape {
    /// Columns that the mixture holds as groups.
    pub coarse: Vec<tree::Coarse>,
}

pub(super) fn shape(mixture: &MixtureModel) -> Shape {
    Shape { coarse: tree::coarse(mixture.refinements()) }
}

pub(super) fn numbers(mixture: &MixtureModel) -> Vec<&[f64]> {
    let columns = mixture.mixture().columns().iter().map(Vec::as_slice);
    let weights = mixture.refinements().iter().flatten().map(|refinement| refinement.weights.as_slice());
    std::iter::once(mixture.mixture().weights()).chain(columns).chain(weights).collect()
}

pub(super) fn read(shape: Shape, schema: &Schema, mut sections: Sections) -> Result<(MixtureModel, Rules), ModelError> {
    let weights = sections.next()?;
    let columns = (0..schema.domain().len()).map(|_| sections.next()).collect::<Result<Vec<_>, _>>()?;
    let refinements = tree::refinements(shape.coarse, schema, &mut sections)?;
    if !sections.rest().is_empty() {
        return Err(ModelError::shape("there are more sections than the mixture has parts"));
    }
    MixtureModel::stored(schema, weights, columns, refinements)
}
