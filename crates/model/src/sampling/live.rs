//! Rows of a model in the making, straight from the marginals of its cliques.
//!
//! A model that grows is drawn from once a round. Turning all of its marginals into shares would
//! cost more than the rows: most parent cells get none. So the shares of a parent cell are made
//! when rows have reached it.

use std::sync::Arc;

use lookalike_schema::{AttrId, Clique};
use rayon::prelude::*;

use super::blocks::{CODES, ORDERS, SPLIT_ROWS};
use super::cells::Cells;
use super::plan::Parent;
use super::plan::junction::split;
use super::ready::{LazyShares, ReadyDraw, ShareSource};
use super::rng::SampleRng;
use super::shares::share_bits;
use super::without::WithoutReplacement;
use crate::pgm::factor::array::FactorView;
use crate::pgm::factor::layout::strides;
use crate::{Calibrated, Halt, ModelError};

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
    let splitter = WithoutReplacement::new(sizes.to_vec(), sizes.len(), draws, share_bits(SPLIT_ROWS));
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
fn draws<'a>(part: &'a Calibrated, rng: &mut SampleRng) -> Vec<Arc<ReadyDraw<'a>>> {
    let cliques = part.tree().cliques();
    let mut draws = Vec::new();
    for (node, above) in part.tree().rooted() {
        let shared = above.map_or(Clique::new([]), |above| cliques[node].intersection(&cliques[above]));
        let (parents, children) = split(&cliques[node], &shared);
        if children.is_empty() {
            continue;
        }
        let FactorView { axes, values } = part.belief(node);
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
        let live = LazyShares { marginal: values, parents: held, lie, bits: share_bits(SPLIT_ROWS) };
        let parents =
            parents.iter().zip(key_steps).map(|(one, step)| (Parent::plain(one.index()), step as u32)).collect();
        let variables: Vec<usize> = children.iter().map(|attribute| attribute.index()).collect();
        draws.push(Arc::new(ReadyDraw {
            parents,
            children: cells.children(&variables),
            shares: ShareSource::Lazy(live),
        }));
    }
    draws
}
