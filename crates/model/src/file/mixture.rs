//! Mixtures: a section of the components' weights, one a column with every component's
//! probabilities, then one a coarse column with its codes' weights.

use lookalike_schema::Schema;
use serde::{Deserialize, Serialize};

use super::coarse::{self, Coarse};
use super::sections::StructureSections;
use crate::structure::mixture::MixtureModel;
use crate::{ModelError, Rules};

/// What the numbers do not say themselves.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MixtureShape {
    /// Columns that the mixture holds as groups.
    coarse: Vec<Coarse>,
}

pub(super) fn write(mixture: &MixtureModel) -> (MixtureShape, Vec<&[f64]>) {
    let columns = mixture.mixture().columns().iter().map(Vec::as_slice);
    let numbers = std::iter::once(mixture.mixture().weights()).chain(columns);
    let shape = MixtureShape { coarse: coarse::coarse(mixture.refinements()) };
    (shape, numbers.chain(coarse::weights(mixture.refinements())).collect())
}

pub(super) fn read(
    shape: MixtureShape,
    schema: &Schema,
    mut sections: StructureSections,
) -> Result<(MixtureModel, Rules), ModelError> {
    let weights = sections.next()?;
    let columns = sections.several(schema.domain().len())?;
    let refinements = coarse::refinements(shape.coarse, schema, &mut sections)?;
    sections.end("the mixture has parts")?;
    MixtureModel::stored(schema, weights, columns, refinements)
}
