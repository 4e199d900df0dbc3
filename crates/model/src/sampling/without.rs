//! Drawing without replacement: counts instead of single draws.
//!
//! A block's rows are put into groups by what a draw's parents show. A group of `m` rows is split
//! over the children's cells by systematic sampling with one random offset: each cell gets the
//! floor or the ceiling of `m p`, and `m p` on average. `alike` puts the rows of a group into an
//! order in which those that agree stand together, and `spread` gives them the cells evenly along
//! it. Whatever is not joined by a draw is thus conditionally independent on average, and closer to
//! it than at random. Given in the order of cells, rows that agree so far would go on agreeing.
//!
//! Offsets of different groups go together (`together`), so that their roundings do not add up.
//!
//! Shares of a row are integers of 47 bits, fewer in large blocks, so that `m` times a share fits a
//! word; from there on counts are integer arithmetic.

use std::collections::HashMap;
use std::sync::Arc;

use super::alike::{Queue, some};
use super::blocks::ORDERS;
use super::plan::{ConditionalDraw, SamplingPlan, Weights};
use super::ready::{ReadyDraw, ShareSource};
use super::rng::{SampleRng, shuffle};
use super::spread::{CellOrder, EvenSpread};
use super::together::Together;
use crate::{Halt, ModelError};

/// About the steps that one draw of one row takes: sorting, splitting and spreading.
const STEPS_A_ROW: usize = 8;

/// A sampling plan made ready.
pub(crate) struct WithoutReplacement<'a> {
    sizes: Vec<u32>,
    columns: usize,
    draws: Vec<Arc<ReadyDraw<'a>>>,
    /// The draw after which a variable tells rows apart no more.
    tells: Vec<usize>,
    /// The bits of a share.
    bits: u32,
    way: CellOrder,
}

impl WithoutReplacement<'static> {
    /// Sampling plans made ready, with shares of `bits` bits. Draws that they have in common are
    /// made ready once.
    pub fn all<'r>(sampling_plans: impl Iterator<Item = &'r SamplingPlan>, bits: u32, seed: u64) -> Vec<Self> {
        let mut rng = SampleRng::new(seed, ORDERS, 0);
        // By the weights' place in memory, which sampling plans keep alive; only ever looked up.
        let mut made: HashMap<*const Weights, Arc<ReadyDraw<'static>>> = HashMap::new();
        let mut ready = |draw: &ConditionalDraw, sizes: &[u32]| {
            let split = made.entry(Arc::as_ptr(&draw.weights));
            split.or_insert_with(|| Arc::new(ReadyDraw::made(draw, sizes, bits, &mut rng))).clone()
        };
        let one = |sampling_plan: &SamplingPlan| {
            let draws = sampling_plan.draws.iter().map(|draw| ready(draw, &sampling_plan.sizes)).collect();
            Self::new(sampling_plan.sizes.clone(), sampling_plan.columns, draws, bits)
        };
        sampling_plans.map(one).collect()
    }
}

impl<'a> WithoutReplacement<'a> {
    /// Draws that are ready, of variables with these numbers of codes; the first `columns` of them
    /// are columns.
    pub(super) fn new(sizes: Vec<u32>, columns: usize, draws: Vec<Arc<ReadyDraw<'a>>>, bits: u32) -> Self {
        let tells = tells(&sizes, columns, &draws);
        Self { sizes, columns, draws, tells, bits, way: CellOrder::Even }
    }

    /// Rows as they would be if cells were given to rows in another way.
    #[cfg(test)]
    pub fn in_this_way(mut self, way: CellOrder, rows: usize, rng: &mut SampleRng) -> Vec<Vec<u32>> {
        self.way = way;
        self.draw(rows, rng, &Halt::never()).unwrap_or_default()
    }

    /// Rows of one block.
    pub(super) fn draw(&self, rows: usize, rng: &mut SampleRng, halt: &Halt) -> Result<Vec<Vec<u32>>, ModelError> {
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); self.sizes.len()];
        let (mut queue, mut spread, mut runs) = (Queue::new(rows, rng), EvenSpread::default(), Vec::new());
        let (mut together, mut offsets) = (Together::default(), Vec::new());
        let (mut given, mut cells) = (Vec::new(), vec![0; rows]);
        for (number, draw) in self.draws.iter().enumerate() {
            halt.check(rows * STEPS_A_ROW)?;
            draw.key(&columns, &mut queue.keys);
            let tells = |&&variable: &&usize| self.tells[variable] >= number && !draw.sees(variable);
            let choice = if self.way.sorts() { some(&mut given, rng) } else { &[] };
            let choice = choice.iter().filter(tells).map(|&one| (columns[one].as_slice(), self.sizes[one]));
            let agree = queue.line_up(draw.parent_cells(), choice);
            // Without anything to agree on, any order of rows will do.
            let way = if self.way.sorts() && !agree { CellOrder::Shuffled } else { self.way };
            let made_now;
            let shares = match &draw.shares {
                ShareSource::Made(shares) => shares,
                ShareSource::Lazy(lazy) => {
                    made_now = lazy.shares(&mut queue.groups);
                    &made_now
                }
            };
            together.offsets(shares, &queue.groups, self.way.joins(), &mut offsets, rng);
            let mut start = 0;
            for (&(key, end), &offset) in queue.groups.iter().zip(&offsets) {
                let group = &queue.order[start..end as usize];
                start = end as usize;
                shares.split(key as usize, group.len(), offset, &mut runs);
                if let [(cell, _)] = runs[..] {
                    group.iter().for_each(|&row| cells[row as usize] = cell);
                    continue;
                }
                let given = spread.given(way, &runs, group.len(), rng);
                group.iter().zip(given).for_each(|(&row, &cell)| cells[row as usize] = cell);
            }
            for child in &draw.children {
                columns[child.variable] = child.codes(&cells);
                given.push(child.variable);
            }
        }
        columns.truncate(self.columns);
        Ok(columns)
    }
}

/// For each variable, the last draw for which it may tell rows apart. Hidden ones stop when no
/// later draw looks at them: a column says the same from then on. Those of one code tell nothing.
fn tells(sizes: &[u32], columns: usize, draws: &[Arc<ReadyDraw>]) -> Vec<usize> {
    let mut last = vec![0; sizes.len()];
    for (number, draw) in draws.iter().enumerate() {
        draw.parents.iter().for_each(|(parent, _)| last[parent.variable] = number);
    }
    last[..columns].fill(usize::MAX);
    last.iter_mut().zip(sizes).filter(|(_, size)| **size < 2).for_each(|(last, _)| *last = 0);
    last
}

/// Rows of several sampling plans in the given shares (cumulative), in random order.
pub(super) fn mixed(
    parts: &[WithoutReplacement],
    shares: &[u64],
    rows: usize,
    rng: &mut SampleRng,
    halt: &Halt,
) -> Result<Vec<Vec<u32>>, ModelError> {
    if let [one] = parts {
        return one.draw(rows, rng, halt);
    }
    let bits = parts.first().map_or(0, |part| part.bits);
    let mut order: Vec<u32> = (0..rows as u32).collect();
    shuffle(&mut order, rng);
    let offset = rng.next_u64() >> (64 - bits);
    let mut columns = vec![vec![0u32; rows]; parts.first().map_or(0, |part| part.columns)];
    let mut done = 0;
    for (part, &end) in parts.iter().zip(shares) {
        let upto = ((rows as u64 * end + offset) >> bits) as usize;
        let own = part.draw(upto - done, rng, halt)?;
        for (column, own) in columns.iter_mut().zip(&own) {
            order[done..upto].iter().zip(own).for_each(|(&row, &code)| column[row as usize] = code);
        }
        done = upto;
    }
    Ok(columns)
}
