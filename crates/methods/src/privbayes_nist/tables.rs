//! Noisy tables of the network.

use lookalike_curator::{Curator, MarginalQuery, Noise};
use lookalike_measurement::answer;
use lookalike_schema::Clique;

use super::hierarchy::{Hierarchy, Node};
use super::purse::Purse;
use crate::MethodError;

/// Draws are asked for in batches of about this many cells, so that eight draws of a wide column
/// need no eightfold memory.
const BATCH_CELLS: usize = 1 << 23;

/// A table over some nodes: at most one level of a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    /// In the order of the cells: the first varies slowest.
    pub nodes: Vec<Node>,
    /// Noisy counts at first, probabilities later; row-major.
    pub cells: Vec<f64>,
    /// The noise variance of one cell as it was measured, in rows squared.
    pub variance: f64,
}

impl Table {
    /// The sum of all cells.
    pub fn sum(&self) -> f64 {
        self.cells.iter().sum()
    }
}

/// Measures the tables over these sets of nodes, with as many draws each as the purse deals.
///
/// # Privacy
/// The cost is the curator's for every draw: one marginal, as [`Curator::marginals`] states. Which
/// table a draw is spent on may depend on the answers so far; how many there are and their scale do
/// not.
pub(crate) fn measure(
    curator: &mut Curator,
    hierarchy: &Hierarchy,
    purse: &Purse,
    sets: Vec<Vec<Node>>,
) -> Result<Vec<Table>, MethodError> {
    let mut tables: Vec<Table> = sets.into_iter().map(|nodes| empty(hierarchy, nodes)).collect();
    // The odd draws go to the tables with the most cells, where noise hurts most.
    tables.sort_by_key(|table| std::cmp::Reverse(table.cells.len()));
    let Some((noise, draws)) = purse.tables(tables.len())? else { return Ok(tables) };
    let mut batch: Vec<usize> = Vec::new();
    let mut cells = 0;
    for (place, &times) in draws.iter().enumerate() {
        for _ in 0..times {
            if cells > 0 && cells + tables[place].cells.len() > BATCH_CELLS {
                ask(curator, hierarchy, &mut tables, noise, &std::mem::take(&mut batch))?;
                cells = 0;
            }
            batch.push(place);
            cells += tables[place].cells.len();
        }
    }
    ask(curator, hierarchy, &mut tables, noise, &batch)?;
    for (table, times) in tables.iter_mut().zip(draws) {
        let times = f64::from(times.max(1));
        table.cells.iter_mut().for_each(|cell| *cell /= times);
        table.variance /= times;
    }
    Ok(tables)
}

fn empty(hierarchy: &Hierarchy, mut nodes: Vec<Node>) -> Table {
    nodes.sort_by_key(|&node| hierarchy.attribute(node));
    let cells = nodes.iter().map(|&node| hierarchy.size(node)).product();
    Table { nodes, cells: vec![0.0; cells], variance: 0.0 }
}

/// One draw for each place of the batch, added to the table there.
fn ask(
    curator: &mut Curator,
    hierarchy: &Hierarchy,
    tables: &mut [Table],
    noise: Noise,
    batch: &[usize],
) -> Result<(), MethodError> {
    let query = |&place: &usize| MarginalQuery {
        clique: Clique::new(tables[place].nodes.iter().map(|&node| hierarchy.attribute(node))),
        noise,
    };
    let queries: Vec<MarginalQuery> = batch.iter().map(query).collect();
    for (&place, answer) in batch.iter().zip(curator.marginals(&queries)?) {
        let table = &mut tables[place];
        table.variance = answer::variance(&answer.step);
        table.cells.iter_mut().zip(answer.values).for_each(|(cell, value)| *cell += value as f64);
    }
    Ok(())
}
