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

use crate::sampling_plan::{Draw, Parent, SamplingPlan, Weights};
use crate::{Halt, ModelError, SampleRng};

use super::alike::{Queue, some};
use super::cells::{Cells, Child};
use super::live::Live;
use super::shares::Shares;
use super::spread::{Spread, Way};
use super::together::Together;

/// About the steps that one draw of one row takes: sorting, splitting and spreading.
const STEPS_A_ROW: usize = 8;

/// What the stream behind the orders of cells is for. Part of what fixes the rows of a seed: never
/// changed.
pub(super) const ORDERS: &str = "lookalike orders v3";

/// A sampling plan made ready.
pub(crate) struct Splitter<'a> {
    sizes: Vec<u32>,
    columns: usize,
    draws: Vec<Arc<Split<'a>>>,
    /// The draw after which a variable tells rows apart no more.
    tells: Vec<usize>,
    /// The bits of a share.
    bits: u32,
    way: Way,
}

/// A draw made ready.
pub(super) struct Split<'a> {
    parents: Vec<(Parent, u32)>,
    children: Vec<Child>,
    table: Table<'a>,
}

/// Where a draw's shares come from.
pub(super) enum Table<'a> {
    /// They are made, those of every parent cell.
    Made(Shares),
    /// They are made for the parent cells that rows have reached.
    Live(Live<'a>),
}

impl Splitter<'static> {
    /// SamplingPlans made ready, with shares of so many bits. Draws that they share are made ready
    /// once.
    pub fn all<'r>(sampling_plans: impl Iterator<Item = &'r SamplingPlan>, bits: u32, seed: u64) -> Vec<Self> {
        let mut rng = SampleRng::new(seed, ORDERS, 0);
        // By the weights' place in memory, which sampling plans keep alive; only ever looked up.
        let mut made: HashMap<*const Weights, Arc<Split<'static>>> = HashMap::new();
        let mut ready = |draw: &Draw, sizes: &[u32]| {
            let split = made.entry(Arc::as_ptr(&draw.weights));
            split.or_insert_with(|| Arc::new(Split::made(draw, sizes, bits, &mut rng))).clone()
        };
        let one = |sampling_plan: &SamplingPlan| {
            let draws = sampling_plan.draws.iter().map(|draw| ready(draw, &sampling_plan.sizes)).collect();
            Self::new(sampling_plan.sizes.clone(), sampling_plan.columns, draws, bits)
        };
        sampling_plans.map(one).collect()
    }
}

impl<'a> Splitter<'a> {
    /// Draws that are ready, of variables with so many codes each; the first ones are columns.
    pub(super) fn new(sizes: Vec<u32>, columns: usize, draws: Vec<Arc<Split<'a>>>, bits: u32) -> Self {
        let tells = tells(&sizes, columns, &draws);
        Self { sizes, columns, draws, tells, bits, way: Way::Even }
    }

    /// Rows as they would be if cells were given to rows in another way.
    #[cfg(test)]
    pub fn in_this_way(mut self, way: Way, rows: usize, rng: &mut SampleRng) -> Vec<Vec<u32>> {
        self.way = way;
        self.draw(rows, rng, &Halt::never()).unwrap_or_default()
    }

    /// Rows of one block.
    pub(super) fn draw(&self, rows: usize, rng: &mut SampleRng, halt: &Halt) -> Result<Vec<Vec<u32>>, ModelError> {
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); self.sizes.len()];
        let (mut queue, mut spread, mut runs) = (Queue::new(rows, rng), Spread::default(), Vec::new());
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
            let way = if self.way.sorts() && !agree { Way::Shuffled } else { self.way };
            let live;
            let shares = match &draw.table {
                Table::Made(shares) => shares,
                Table::Live(table) => {
                    live = table.shares(&mut queue.groups);
                    &live
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

impl<'a> Split<'a> {
    /// With what each parent adds to the number of the parent cell.
    pub fn new(parents: Vec<(Parent, u32)>, children: Vec<Child>, table: Table<'a>) -> Self {
        Self { parents, children, table }
    }

    /// A draw of a sampling plan.
    fn made(draw: &Draw, sizes: &[u32], bits: u32, rng: &mut SampleRng) -> Self {
        let cells = Cells::new(draw.children.iter().map(|&child| sizes[child] as usize).collect(), rng);
        let mut shares = Shares::new(cells.width() as u64, bits);
        let place = cells.places();
        let mut order: Vec<(u32, f64)> = Vec::new();
        for row in 0..draw.weights.rows() {
            let (held, weights) = draw.weights.row(row);
            order.clear();
            order.extend(held.iter().zip(weights).map(|(&cell, &weight)| (place(cell), weight)));
            order.sort_unstable_by_key(|&(place, _)| place);
            shares.push(&order);
        }
        drop(place);
        let parents = draw.parents.iter().cloned().zip(draw.strides(sizes).into_iter().map(|stride| stride as u32));
        Self::new(parents.collect(), cells.children(&draw.children), Table::Made(shares))
    }

    /// The number of parent cells.
    fn parent_cells(&self) -> usize {
        match &self.table {
            Table::Made(shares) => shares.starts.len() - 1,
            Table::Live(live) => live.parent_cells(),
        }
    }

    /// Whether a draw looks at every code of a variable.
    fn sees(&self, variable: usize) -> bool {
        self.parents.iter().any(|(parent, _)| parent.variable == variable && parent.grouping.is_none())
    }

    /// The parent cell of each row.
    fn key(&self, columns: &[Vec<u32>], keys: &mut [u32]) {
        if self.parents.is_empty() {
            keys.fill(0);
        }
        for (number, (parent, stride)) in self.parents.iter().enumerate() {
            let column = &columns[parent.variable];
            let pairs = keys.iter_mut().zip(column);
            match (&parent.grouping, number) {
                (None, 0) => pairs.for_each(|(key, &code)| *key = stride * code),
                (None, _) => pairs.for_each(|(key, &code)| *key += stride * code),
                (Some(grouping), 0) => pairs.for_each(|(key, &code)| *key = stride * grouping.group(code)),
                (Some(grouping), _) => pairs.for_each(|(key, &code)| *key += stride * grouping.group(code)),
            }
        }
    }
}

/// For each variable, the last draw for which it may tell rows apart. Hidden ones stop when no
/// later draw looks at them: a column says the same from then on. Those of one code tell nothing.
fn tells(sizes: &[u32], columns: usize, draws: &[Arc<Split>]) -> Vec<usize> {
    let mut last = vec![0; sizes.len()];
    for (number, draw) in draws.iter().enumerate() {
        draw.parents.iter().for_each(|(parent, _)| last[parent.variable] = number);
    }
    last[..columns].fill(usize::MAX);
    last.iter_mut().zip(sizes).filter(|(_, size)| **size < 2).for_each(|(last, _)| *last = 0);
    last
}

/// Every order alike (Fisher and Yates).
pub(super) fn shuffle<T>(values: &mut [T], rng: &mut SampleRng) {
    let mut left = values.len();
    while left > 1 {
        let word = rng.next_u64();
        let pick = below(word as u32, left as u32, rng);
        values.swap(left - 1, pick);
        left -= 1;
        if left > 1 {
            let pick = below((word >> 32) as u32, left as u32, rng);
            values.swap(left - 1, pick);
            left -= 1;
        }
    }
}

/// A number below the bound from 32 uniform bits, each exactly as likely (Lemire's method); more
/// bits are taken if need be.
#[inline(always)]
pub(super) fn below(bits: u32, bound: u32, rng: &mut SampleRng) -> usize {
    let mut product = u64::from(bits) * u64::from(bound);
    if (product as u32) < bound {
        let least = bound.wrapping_neg() % bound;
        while (product as u32) < least {
            product = (rng.next_u64() >> 32) * u64::from(bound);
        }
    }
    (product >> 32) as usize
}

/// Rows of several sampling plans in the given shares (cumulative), in random order.
pub(super) fn mixed(
    parts: &[Splitter],
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
