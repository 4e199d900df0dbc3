//! Networks: for each conditional a section of weights, and for a coarse column one more with its
//! codes' weights.

use std::sync::Arc;

use lookalike_schema::{AttrId, Grouping, Schema};
use serde::{Deserialize, Serialize};

use super::coarse::FileGroups;
use super::sections::StructureSections;
use crate::structure::network::{Conditional, NetworkModel};
use crate::{ModelError, Refinement, Rules};

/// The conditionals, in the order in which columns are drawn.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NetworkShape {
    /// The numbers of codes of variables that are drawn with the columns and never shown; they are
    /// numbered behind them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hidden: Vec<u32>,
    tables: Vec<ConditionalShape>,
}

/// One column given others.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConditionalShape {
    /// The column's number.
    column: u32,
    /// The groups of its codes, when the conditional holds groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    groups: Option<FileGroups>,
    /// What it depends on.
    parents: Vec<ParentShape>,
}

/// A column that another one depends on.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ParentShape {
    /// The column's number.
    column: u32,
    /// The groups of its codes, when only they count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    groups: Option<FileGroups>,
}

pub(super) fn write(network: &NetworkModel) -> (NetworkShape, Vec<&[f64]>) {
    let groups = |grouping: &Arc<Grouping>| FileGroups::of(grouping);
    let mut numbers = Vec::new();
    let mut tables = Vec::new();
    for one in network.conditionals() {
        numbers.push(one.weights.as_slice());
        numbers.extend(one.refinement.as_ref().map(|refinement| refinement.weights.as_slice()));
        let parent = |(attribute, grouping): &(AttrId, Option<Arc<Grouping>>)| ParentShape {
            column: attribute.0,
            groups: grouping.as_ref().map(groups),
        };
        tables.push(ConditionalShape {
            column: one.child.0,
            groups: one.refinement.as_ref().map(|refinement| groups(&refinement.grouping)),
            parents: one.parents.iter().map(parent).collect(),
        });
    }
    (NetworkShape { hidden: network.hidden().to_vec(), tables }, numbers)
}

pub(super) fn read(
    shape: NetworkShape,
    schema: &Schema,
    mut sections: StructureSections,
) -> Result<(NetworkModel, Rules), ModelError> {
    let mut conditionals = Vec::with_capacity(shape.tables.len());
    for table in shape.tables {
        let weights = sections.next()?;
        let refinement = match table.groups {
            None => None,
            Some(groups) => Some(Refinement { grouping: groups.grouping()?, weights: sections.next()? }),
        };
        let parent =
            |parent: ParentShape| Ok((AttrId(parent.column), parent.groups.map(FileGroups::grouping).transpose()?));
        let parents = table.parents.into_iter().map(parent).collect::<Result<_, ModelError>>()?;
        conditionals.push(Conditional { child: AttrId(table.column), refinement, parents, weights });
    }
    sections.end("the network has tables")?;
    NetworkModel::stored(schema, &shape.hidden, conditionals)
}
