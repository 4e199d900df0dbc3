//! Networks: for each table a section of weights, and for a coarse column one more with its codes'
//! weights.

use std::sync::Arc;

use lookalike_schema::{AttrId, Grouping, Schema};
use serde::{Deserialize, Serialize};

use super::Sections;
use crate::network::{Conditional, Network};
use crate::{ModelError, Refinement, Rules};

/// The tables, in the order in which columns are drawn.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shape {
    /// The numbers of codes of variables that are drawn with the columns and never shown; they are
    /// numbered behind them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<u32>,
    pub tables: Vec<Table>,
}

/// One column given others.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    /// The column's number.
    pub column: u32,
    /// The group of each of its codes, when the table holds groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<u32>>,
    /// What it depends on.
    pub parents: Vec<Parent>,
}

/// A column that a table depends on.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Parent {
    /// The column's number.
    pub column: u32,
    /// The group of each of its codes, when only that counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<u32>>,
}

pub(super) fn shape(network: &Network) -> Shape {
    let table = |one: &Conditional| Table {
        column: one.child.0,
        groups: one.refinement.as_ref().map(|refinement| refinement.grouping.group_of().to_vec()),
        parents: one.parents.iter().map(parent).collect(),
    };
    Shape { hidden: network.hidden().to_vec(), tables: network.conditionals().iter().map(table).collect() }
}

fn parent((attribute, grouping): &(AttrId, Option<Arc<Grouping>>)) -> Parent {
    Parent { column: attribute.0, groups: grouping.as_ref().map(|grouping| grouping.group_of().to_vec()) }
}

pub(super) fn numbers(network: &Network) -> Vec<&[f64]> {
    let mut numbers = Vec::new();
    for one in network.conditionals() {
        numbers.push(one.weights.as_slice());
        numbers.extend(one.refinement.as_ref().map(|refinement| refinement.weights.as_slice()));
    }
    numbers
}

pub(super) fn read(shape: Shape, schema: &Schema, mut sections: Sections) -> Result<(Network, Rules), ModelError> {
    let mut conditionals = Vec::with_capacity(shape.tables.len());
    for table in shape.tables {
        let weights = sections.next()?;
        let refinement = match table.groups {
            None => None,
            Some(groups) => Some(Refinement { grouping: grouping(groups)?, weights: sections.next()? }),
        };
        let mut parents = Vec::with_capacity(table.parents.len());
        for parent in table.parents {
            parents.push((AttrId(parent.column), parent.groups.map(grouping).transpose()?));
        }
        conditionals.push(Conditional { child: AttrId(table.column), refinement, parents, weights });
    }
    if !sections.rest().is_empty() {
        return Err(ModelError::shape("there are more sections than the network has tables"));
    }
    Network::stored(schema, &shape.hidden, conditionals)
}

fn grouping(groups: Vec<u32>) -> Result<Arc<Grouping>, ModelError> {
    Ok(Arc::new(Grouping::new(groups).map_err(|error| ModelError::shape(error.to_string()))?))
}
