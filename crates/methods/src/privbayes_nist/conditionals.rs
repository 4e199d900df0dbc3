//! From tables to a network that rows can be drawn from.

use lookalike_model::{Conditional, Refinement};
use lookalike_schema::AttrId;

use super::consistency::average::view;
use super::consistency::sets::knows;
use super::hierarchy::{Hierarchy, Node};
use super::network::Network;
use super::tables::Table;

/// One table a column, in the network's order. The columns of the head follow one another: each
/// depends on those before it.
pub(super) fn of(hierarchy: &Hierarchy, network: &Network, tables: &[Table]) -> Vec<Conditional> {
    steps(network).into_iter().map(|(child, parents)| conditional(hierarchy, tables, child, &parents)).collect()
}

/// Every column with what it depends on, in the order in which rows are drawn.
pub(super) fn steps(network: &Network) -> Vec<(Node, Vec<Node>)> {
    let head = network.head.iter().enumerate().map(|(place, &child)| (child, network.head[..place].to_vec()));
    head.chain(network.pairs.iter().cloned()).collect()
}

fn conditional(hierarchy: &Hierarchy, tables: &[Table], child: Node, parents: &[Node]) -> Conditional {
    let mut nodes = parents.to_vec();
    nodes.push(child);
    let refinement = hierarchy.grouping(child).map(|grouping| Refinement {
        grouping: grouping.clone(),
        weights: weights(hierarchy, tables, &[Node::finest(child.column)]),
    });
    Conditional {
        child: AttrId(child.column as u32),
        refinement,
        parents: parents
            .iter()
            .map(|&parent| (AttrId(parent.column as u32), hierarchy.grouping(parent).cloned()))
            .collect(),
        weights: weights(hierarchy, tables, &nodes),
    }
}

/// What the smallest table that knows these nodes says of them, in their order, nowhere negative.
/// Without such a table all cells are alike; the sets of tables that are measured leave no such
/// case.
pub(super) fn weights(hierarchy: &Hierarchy, tables: &[Table], nodes: &[Node]) -> Vec<f64> {
    let knowing = tables.iter().filter(|table| knows(&table.nodes, nodes));
    let Some(table) = knowing.min_by_key(|table| table.cells.len()) else {
        return vec![1.0; hierarchy.cells(nodes) as usize];
    };
    let mut weights = view(hierarchy, table, nodes);
    weights.iter_mut().for_each(|weight| *weight = weight.max(0.0));
    weights
}
