//! Columns that a structure holds as groups, and cliques as their columns' numbers.

use std::sync::Arc;

use lookalike_schema::{AttrId, Clique, Grouping, Schema};
use serde::{Deserialize, Serialize};

use super::sections::StructureSections;
use crate::structure::refinement::Refinements;
use crate::{ModelError, Refinement, refuse_if};

/// A column that is held as groups.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Coarse {
    /// The column's number.
    column: u32,
    /// The group of each of its codes.
    groups: Vec<u32>,
}

/// The columns that are held as groups.
pub(super) fn coarse(refinements: &Refinements) -> Vec<Coarse> {
    let one = |(column, one): (usize, &Refinement)| Coarse {
        column: column as u32,
        groups: one.grouping.group_of().to_vec(),
    };
    refinements.refined().map(one).collect()
}

/// The weights of the codes of each coarse column.
pub(super) fn weights(refinements: &Refinements) -> impl Iterator<Item = &[f64]> {
    refinements.refined().map(|(_, refinement)| refinement.weights.as_slice())
}

/// One slot for each column. Each coarse column has a section of weights.
pub(super) fn refinements(
    coarse: Vec<Coarse>,
    schema: &Schema,
    sections: &mut StructureSections,
) -> Result<Refinements, ModelError> {
    let mut refinements = vec![None; schema.domain().len()];
    for Coarse { column, groups } in coarse {
        let weights = sections.next()?;
        let grouping = grouping(groups)?;
        match refinements.get_mut(column as usize) {
            Some(slot @ None) => *slot = Some(Refinement { grouping, weights }),
            _ => return Err(ModelError::shape("the groups of a column stand twice, or belong to none")),
        }
    }
    Refinements::shaped(schema.domain().sizes(), refinements)
}

pub(super) fn grouping(groups: Vec<u32>) -> Result<Arc<Grouping>, ModelError> {
    Ok(Arc::new(Grouping::new(groups).map_err(|error| ModelError::shape(error.to_string()))?))
}

/// A clique as its columns' numbers.
pub(super) fn indices(clique: &Clique) -> Vec<u32> {
    clique.attributes().iter().map(|attribute| attribute.0).collect()
}

/// The clique of some columns' numbers, which ascend.
pub(super) fn clique(indices: &[u32]) -> Result<Clique, ModelError> {
    refuse_if(indices.windows(2).any(|pair| pair[0] >= pair[1]), "the columns of a marginal do not ascend")?;
    Ok(Clique::new(indices.iter().map(|&index| AttrId(index))))
}
