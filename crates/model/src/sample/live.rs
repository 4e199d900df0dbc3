//! Rows of a model in the making, straight from the tables of its cliques.
//!
//! A model that grows is drawn from once a round. Turning all of its tables into shares would cost
//! more than the rows: most parent cells get none. So the shares of a parent cell are made when
//! rows have reached it.

use std::sync::Arc;

use lookalike_schema::{AttrId, Clique};
use rayon::prelude::*;

use crate::sampling_plan::junction::{rooted, split};
use crate::sampling_plan::{Parent, strides};
use crate::{Calibrated, Halt, ModelError, SampleRng};

use super::cells::Cells;
use super::shares::{Shares, share_bits};
use super::without::{ORDERS, Split, Splitter, Table};
use super::{CODES, SPLIT_ROWS};

/// A clique's table, seen as a draw of some of its attributes given the others.
pub(super) struct Live<'a> {
    table: &'a [f64],
    /// The number of codes of each parent, and its step in the table.
    parents: Vec<(usize, usize)>,
    /// Where each of the children's cells lies, from the parent cell on, in the draw's order of
    /// cells.
    lie: Vec<usize>,
    bits: u32,
}

impl Live<'_> {
    /// The number of parent cells.
    pub fn parent_cells(&self) -> usize {
        self.parents.iter().map(|parent| parent.0).product()
    }

    /// The shares of the parent cells that groups have, which get the groups' numbers.
    pub fn shares(&self, groups: &mut [(u32, u32)]) -> Shares {
        let mut shares = Shares::new(self.lie.len() as u64, self.bits);
        let mut held: Vec<(u32, f64)> = Vec::with_capacity(self.lie.len());
        for (number, (parent, _)) in groups.iter_mut().enumerate() {
            let from = self.place(std::mem::replace(parent, number as u32) as usize);
            let weights = self.lie.iter().enumerate().map(|(cell, place)| (cell as u32, self.table[from + place]));
            held.clear();
            held.extend(weights.filter(|one| one.1 > 0.0));
            shares.push(&held);
        }
        shares
    }

    /// Where a parent cell begins in the table.
    fn place(&self, mut parent: usize) -> usize {
        let mut place = 0;
        for &(size, step) in self.parents.iter().rev() {
            place += parent % size * step;
            parent /= size;
        }
        place
    }
}

/// Rows of independent parts that together hold every attribute once: one vector of codes an
/// attribute, drawn without replacement. Sizes are those of all attributes; a part may know fewer.
pub(crate) fn drawn(
    sizes: &[u32],
    parts: &[&Calibrated],
    rows: u64,
    seed: u64,
    halt: &Halt,
) -> Result<Vec<Vec<u32>>, ModelError> {
    let mut rng = SampleRng::new(seed, ORDERS, 0);
    let draws = parts.iter().flat_map(|part| draws(part, &mut rng)).collect();
    let splitter = Splitter::new(sizes.to_vec(), sizes.len(), draws, share_bits(SPLIT_ROWS));
    let blocks: Vec<Vec<Vec<u32>>> = (0..rows.div_ceil(SPLIT_ROWS as u64))
        .into_par_iter()
        .map(|block| {
            let here = (rows - block * SPLIT_ROWS as u64).min(SPLIT_ROWS as u64) as usize;
            splitter.draw(here, &mut SampleRng::new(seed, CODES, block), halt)
        })
        .collect::<Result<_, _>>()?;
    let mut columns = vec![Vec::with_capacity(rows as usize); sizes.len()];
    for block in blocks {
        columns.iter_mut().zip(block).for_each(|(column, part)| column.extend(part));
    }
    Ok(columns)
}

/// The draws of a part: its cliques from the first one on, each given what it shares with the one
/// before.
fn draws<'a>(part: &'a Calibrated, rng: &mut SampleRng) -> Vec<Arc<Split<'a>>> {
    let cliques = part.tree().cliques();
    let mut draws = Vec::new();
    for (node, above) in rooted(part.tree()) {
        let shared = above.map_or(Clique::new([]), |above| cliques[node].intersection(&cliques[above]));
        let (parents, children) = split(&cliques[node], &shared);
        if children.is_empty() {
            continue;
        }
        let (axes, table) = part.clique_table(node);
        let shape: Vec<usize> = axes.iter().map(|axis| axis.1).collect();
        let steps = strides(&shape);
        let side = |attribute: &AttrId| {
            let axis = axes.iter().position(|axis| axis.0 == *attribute);
            axis.map_or((1, 0), |axis| (shape[axis], steps[axis]))
        };
        let held: Vec<(usize, usize)> = parents.iter().map(side).collect();
        let given: Vec<(usize, usize)> = children.iter().map(side).collect();
        let key_steps = strides(&held.iter().map(|parent| parent.0).collect::<Vec<_>>());
        let cells = Cells::new(given.iter().map(|child| child.0).collect(), rng);
        let lie = cells.lie(&given.iter().map(|child| child.1).collect::<Vec<_>>());
        let live = Live { table, parents: held, lie, bits: share_bits(SPLIT_ROWS) };
        let parents = parents.iter().zip(key_steps).map(|(one, step)| (Parent::plain(one.index()), step as u32));
        let variables: Vec<usize> = children.iter().map(|attribute| attribute.index()).collect();
        draws.push(Arc::new(Split::new(parents.collect(), cells.children(&variables), Table::Live(live))));
    }
    draws
}
