//! Junction trees: one section a clique with its marginal, then one a coarse column with its codes'
//! weights.

use lookalike_schema::Schema;
use serde::{Deserialize, Serialize};

use super::coarse::{self, Coarse};
use super::sections::StructureSections;
use crate::structure::tree::{TreeModel, TreeParts};
use crate::{ModelError, Rules};

/// The tree, in the order in which rows are drawn.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TreeShape {
    /// The numbers of codes of variables that are drawn with the columns and never shown; they are
    /// numbered behind them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hidden: Vec<u32>,
    /// The columns of each clique, ascending.
    cliques: Vec<Vec<u32>>,
    /// For each clique, the number of the earlier one it hangs on; none for the first.
    above: Vec<Option<u32>>,
    /// Columns that the tree holds as groups.
    coarse: Vec<Coarse>,
}

pub(super) fn write(tree: &TreeModel) -> (TreeShape, Vec<&[f64]>) {
    let TreeParts { hidden, cliques, above, marginals, refinements } = tree.parts();
    let shape = TreeShape {
        hidden: hidden.clone(),
        cliques: cliques.iter().map(coarse::indices).collect(),
        above: above.iter().map(|above| above.map(|above| above as u32)).collect(),
        coarse: coarse::coarse(refinements),
    };
    (shape, marginals.iter().map(Vec::as_slice).chain(coarse::weights(refinements)).collect())
}

pub(super) fn read(
    shape: TreeShape,
    schema: &Schema,
    mut sections: StructureSections,
) -> Result<(TreeModel, Rules), ModelError> {
    let cliques = shape.cliques.iter().map(|indices| coarse::clique(indices)).collect::<Result<Vec<_>, _>>()?;
    let above = shape.above.iter().map(|above| above.map(|above| above as usize)).collect();
    let marginals = sections.several(cliques.len())?;
    let refinements = coarse::refinements(shape.coarse, schema, &mut sections)?;
    sections.end("the tree has parts")?;
    TreeModel::stored(schema, TreeParts { hidden: shape.hidden, cliques, above, marginals, refinements })
}
