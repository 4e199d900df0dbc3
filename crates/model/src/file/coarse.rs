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
    /// The groups of its codes.
    groups: FileGroups,
}

/// The groups of a column's codes.
#[derive(PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum FileGroups {
    /// The group of each code.
    Listed(Vec<u32>),
    /// Many codes in few runs: each run's group, and how many codes it has.
    Runs { runs: Vec<(u32, u32)> },
}

impl FileGroups {
    pub fn of(grouping: &Grouping) -> Self {
        match grouping.is_long() {
            true => Self::Runs { runs: grouping.runs().collect() },
            false => Self::Listed(grouping.group_of().into_owned()),
        }
    }

    pub fn grouping(self) -> Result<Arc<Grouping>, ModelError> {
        let grouping = match self {
            Self::Listed(groups) => Grouping::new(groups),
            Self::Runs { runs } => Grouping::from_runs(&runs),
        };
        Ok(Arc::new(grouping.map_err(|error| ModelError::shape(error.to_string()))?))
    }
}

/// The columns that are held as groups.
pub(super) fn coarse(refinements: &Refinements) -> Vec<Coarse> {
    let one =
        |(column, one): (usize, &Refinement)| Coarse { column: column as u32, groups: FileGroups::of(&one.grouping) };
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
        let grouping = groups.grouping()?;
        match refinements.get_mut(column as usize) {
            Some(slot @ None) => *slot = Some(Refinement { grouping, weights }),
            _ => return Err(ModelError::shape("the groups of a column stand twice, or belong to none")),
        }
    }
    Refinements::shaped(schema.domain().sizes(), refinements)
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
