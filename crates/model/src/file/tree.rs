//! Junction trees: one section a clique with its marginal, then one a coarse column with its codes'
//! weights.

use std::sync::Arc;

use lookalike_schema::{Grouping, Schema};
use serde::{Deserialize, Serialize};

use super::{Sections, v2};
use crate::tree_model::{TreeModel, TreeParts};
use crate::{ModelError, Refinement, Rules};

/// The tree, in the order in which rows are drawn.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shape {
    /// The numbers of codes of variables that are drawn with the columns and never shown; they are
    /// numbered behind them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<u32>,
    /// The columns of each clique, ascending.
    pub cliques: Vec<Vec<u32>>,
    /// For each clique, the number of the earlier one it hangs on; none for the first.
    pub above: Vec<Option<u32>>,
    /// Columns that the tree holds as groups.
    pub coarse: Vec<Coarse>,
}

/// A column that is held as groups.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Coarse {
    /// The column's number.
    pub column: u32,
    /// The group of each of its codes.
    pub groups: Vec<u32>,
}

pub(super) fn shape(tree: &TreeModel) -> Shape {
    Shape {
        hidden: tree.hidden().to_vec(),
        cliques: tree.cliques().iter().map(v2::indices).collect(),
        above: tree.above().iter().map(|above| above.map(|above| above as u32)).collect(),
        coarse: coarse(tree.refinements()),
    }
}

pub(super) fn numbers(tree: &TreeModel) -> Vec<&[f64]> {
    let weights = tree.refinements().iter().flatten().map(|refinement| refinement.weights.as_slice());
    tree.marginals().iter().map(Vec::as_slice).chain(weights).collect()
}

pub(super) fn read(shape: Shape, schema: &Schema, mut sections: Sections) -> Result<(TreeModel, Rules), ModelError> {
    let cliques = shape.cliques.iter().map(|indices| v2::clique(indices)).collect::<Result<Vec<_>, _>>()?;
    let above = shape.above.iter().map(|above| above.map(|above| above as usize)).collect();
    let marginals = cliques.iter().map(|_| sections.next()).collect::<Result<Vec<_>, _>>()?;
    let refinements = refinements(shape.coarse, schema, &mut sections)?;
    if !sections.rest().is_empty() {
        return Err(ModelError::shape("there are more sections than the tree has parts"));
    }
    TreeModel::stored(schema, TreeParts { hidden: shape.hidden, cliques, above, marginals, refinements })
}

/// The columns that are held as groups.
pub(super) fn coarse(refinements: &[Option<Refinement>]) -> Vec<Coarse> {
    let columns = refinements.iter().enumerate().filter_map(|(column, one)| one.as_ref().map(|one| (column, one)));
    columns.map(|(column, one)| Coarse { column: column as u32, groups: one.grouping.group_of().to_vec() }).collect()
}

/// One slot a column. Each coarse column has a section of weights.
pub(super) fn refinements(
    coarse: Vec<Coarse>,
    schema: &Schema,
    sections: &mut Sections,
) -> Result<Vec<Option<Refinement>>, ModelError> {
    let mut refinements = vec![None; schema.domain().len()];
    for Coarse { column, groups } in coarse {
        let weights = sections.next()?;
        let grouping = Grouping::new(groups).map_err(|error| ModelError::shape(error.to_string()))?;
        match refinements.get_mut(column as usize) {
            Some(slot @ None) => *slot = Some(Refinement { grouping: Arc::new(grouping), weights }),
            _ => return Err(ModelError::shape("the groups of a column stand twice, or belong to none")),
        }
    }
    Ok(refinements)
}
