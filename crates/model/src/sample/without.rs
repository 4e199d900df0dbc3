//! Drawing without replacement: counts instead of single draws.
//!
//! A block's rows are put into groups by what a draw's parents show. A group of `m` rows is split over the children's
//! cells by systematic sampling with one random offset: each cell gets the floor or the ceiling of `m p`, and `m p` on
//! average. `alike` puts the rows of a group into an order in which those that agree stand together, and `spread` gives
//! them the cells evenly along it. Whatever is not joined by a draw is thus conditionally independent on average, and
//! closer to it than at random. Given in the order of cells, rows that agree so far would go on agreeing.
//!
//! Offsets of different groups go together (`together`), so that their roundings do not add up.
//!
//! Shares of a row are integers of 47 bits, fewer in large blocks, so that `m` times a share fits a word; from there on counts are
//! integer arithmetic.
//! The codes of each child stand in a random order, one for the whole draw: neighbours in a fixed order would share their luck.
//! Cells are nested by child, which keeps the counts of the first children exact as well.

use std::collections::HashMap;
use std::sync::Arc;

use crate::SampleRng;
use crate::recipe::{Draw, Parent, Recipe, Weights, strides};

use super::alike::{Queue, some};
use super::spread::{Run, Spread, Way};
use super::together::Together;

/// The bits of a share in blocks of so many rows, a power of two: both together need a word, one for the most rows included. Part of
/// what fixes the rows of a seed: never changed.
pub(crate) fn share_bits(block_rows: usize) -> u32 {
    63 - block_rows.ilog2()
}

/// What the stream behind the orders of cells is for. Part of what fixes the rows of a seed: never changed.
const ORDERS: &str = "lookalike orders v3";

/// Joint cells up to this many are looked up, not divided.
const MOST_LISTED: usize = 1 << 20;

/// Cumulative shares as integers of so many bits; the last is the whole. The shares need not sum to 1. All 0 without weight.
pub(super) fn ends(shares: &[f64], bits: u32) -> Vec<u64> {
    let total: f64 = shares.iter().sum();
    let whole = (1u64 << bits) as f64;
    let mut sum = 0.0;
    // The same sum in the same order: the last quotient is exactly 1.
    let end = |share: &f64| {
        sum += share;
        (sum / total * whole) as u64
    };
    shares.iter().map(end).collect()
}

/// A recipe made ready.
pub(crate) struct Splitter {
    sizes: Vec<u32>,
    columns: usize,
    draws: Vec<Arc<Split>>,
    /// The draw after which a variable tells rows apart no more.
    tells: Vec<usize>,
    /// The bits of a share.
    bits: u32,
    way: Way,
}

/// A draw made ready.
pub(super) struct Split {
    parents: Vec<(Parent, u32)>,
    children: Vec<Child>,
    pub starts: Vec<u32>,
    /// Of each row's cells, the cumulative shares.
    pub ends: Vec<u64>,
    /// The cells, by their place in the draw's order of cells.
    pub cells: Vec<u32>,
    /// The number of cells that there could be.
    pub width: u64,
    /// The bits of a share.
    pub bits: u32,
}

/// How a child's code is had from the joint cell.
enum Code {
    Listed(Vec<u32>),
    Divided { stride: u32, codes: Vec<u32> },
}

struct Child {
    variable: usize,
    code: Code,
}

impl Splitter {
    /// Recipes made ready, with shares of so many bits. Draws that they share are made ready once.
    pub fn all<'a>(recipes: impl Iterator<Item = &'a Recipe>, bits: u32, seed: u64) -> Vec<Self> {
        let mut rng = SampleRng::new(seed, ORDERS, 0);
        // By the weights' place in memory, which recipes keep alive; only ever looked up.
        let mut made: HashMap<*const Weights, Arc<Split>> = HashMap::new();
        let mut ready = |draw: &Draw, sizes: &[u32]| {
            let split = made.entry(Arc::as_ptr(&draw.weights));
            split.or_insert_with(|| Arc::new(Split::new(draw, sizes, bits, &mut rng))).clone()
        };
        let one = |recipe: &Recipe| {
            let draws = recipe.draws.iter().map(|draw| ready(draw, &recipe.sizes)).collect();
            let (sizes, columns, tells) = (recipe.sizes.clone(), recipe.columns, tells(recipe));
            Self { sizes, columns, draws, tells, bits, way: Way::Even }
        };
        recipes.map(one).collect()
    }

    /// Rows as they would be if cells were given to rows in another way.
    #[cfg(test)]
    pub fn in_this_way(mut self, way: Way, rows: usize, rng: &mut SampleRng) -> Vec<Vec<u32>> {
        self.way = way;
        self.draw(rows, rng)
    }

    fn draw(&self, rows: usize, rng: &mut SampleRng) -> Vec<Vec<u32>> {
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); self.sizes.len()];
        let (mut queue, mut spread, mut runs) = (Queue::new(rows, rng), Spread::default(), Vec::new());
        let (mut together, mut offsets) = (Together::default(), Vec::new());
        let (mut given, mut cells) = (Vec::new(), vec![0; rows]);
        for (number, draw) in self.draws.iter().enumerate() {
            draw.key(&columns, &mut queue.keys);
            let tells = |&&variable: &&usize| self.tells[variable] >= number && !draw.sees(variable);
            let choice = if self.way.sorts() { some(&mut given, rng) } else { &[] };
            let choice = choice.iter().filter(tells).map(|&one| (columns[one].as_slice(), self.sizes[one]));
            let agree = queue.line_up(draw.starts.len() - 1, choice);
            // Without anything to agree on, any order of rows will do.
            let way = if self.way.sorts() && !agree { Way::Shuffled } else { self.way };
            together.offsets(draw, &queue.groups, self.way.joins(), &mut offsets, rng);
            let mut start = 0;
            for (&(key, end), &offset) in queue.groups.iter().zip(&offsets) {
                let group = &queue.order[start..end as usize];
                start = end as usize;
                draw.split(key as usize, group.len(), offset, &mut runs);
                if let [(cell, _)] = runs[..] {
                    group.iter().for_each(|&row| cells[row as usize] = cell);
                    continue;
                }
                let given = spread.given(way, &runs, group.len(), rng);
                group.iter().zip(given).for_each(|(&row, &cell)| cells[row as usize] = cell);
            }
            for child in &draw.children {
                columns[child.variable] = child.code.of(&cells);
                given.push(child.variable);
            }
        }
        columns.truncate(self.columns);
        columns
    }
}

impl Code {
    fn of(&self, cells: &[u32]) -> Vec<u32> {
        match self {
            Self::Listed(codes) => cells.iter().map(|&cell| codes[cell as usize]).collect(),
            Self::Divided { stride, codes } => {
                let size = codes.len() as u32;
                cells.iter().map(|cell| codes[(cell / stride % size) as usize]).collect()
            }
        }
    }
}

impl Split {
    fn new(draw: &Draw, sizes: &[u32], bits: u32, rng: &mut SampleRng) -> Self {
        let shape: Vec<usize> = draw.children.iter().map(|&child| sizes[child] as usize).collect();
        let (steps, width) = (strides(&shape), shape.iter().product::<usize>());
        // For each child, which code stands at which place, and the other way round.
        let codes: Vec<Vec<u32>> = shape.iter().map(|&size| shuffled(size, rng)).collect();
        let places: Vec<Vec<u32>> = codes.iter().map(|codes| inverse(codes)).collect();
        let place = |cell: u32| {
            let digit = |(axis, places): (usize, &Vec<u32>)| {
                places[cell as usize / steps[axis] % shape[axis]] * steps[axis] as u32
            };
            places.iter().enumerate().map(digit).sum::<u32>()
        };
        let mut split = Self {
            parents: Vec::new(),
            children: Vec::new(),
            starts: vec![0],
            ends: Vec::new(),
            cells: Vec::new(),
            width: width as u64,
            bits,
        };
        for (parent, stride) in draw.parents.iter().zip(draw.strides(sizes)) {
            split.parents.push((parent.clone(), stride as u32));
        }
        let mut order: Vec<(u32, f64)> = Vec::new();
        for row in 0..draw.weights.rows() {
            let (cells, weights) = draw.weights.row(row);
            order.clear();
            order.extend(cells.iter().zip(weights).map(|(&cell, &weight)| (place(cell), weight)));
            order.sort_unstable_by_key(|&(place, _)| place);
            let shares: Vec<f64> = order.iter().map(|&(_, weight)| weight).collect();
            split.ends.extend(ends(&shares, bits));
            split.cells.extend(order.iter().map(|&(place, _)| place));
            split.starts.push(split.cells.len() as u32);
        }
        for (axis, (&variable, codes)) in draw.children.iter().zip(codes).enumerate() {
            let (stride, size) = (steps[axis], shape[axis]);
            let code = match width {
                ..=MOST_LISTED => Code::Listed((0..width).map(|cell| codes[cell / stride % size]).collect()),
                _ => Code::Divided { stride: stride as u32, codes },
            };
            split.children.push(Child { variable, code });
        }
        split
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

    /// How many of a group of rows with the same parent cell get which cell.
    fn split(&self, row: usize, rows: usize, offset: u64, runs: &mut Vec<Run>) {
        runs.clear();
        let range = self.starts[row] as usize..self.starts[row + 1] as usize;
        let (ends, cells) = (&self.ends[range.clone()], &self.cells[range]);
        match cells {
            // Parent cells without weight are never reached: conditioning has seen to it.
            [] | [_] => return runs.push((cells.first().copied().unwrap_or(0), rows as u32)),
            _ => {}
        }
        if rows * 8 < cells.len() {
            let (mut from, mut last) = (0, usize::MAX);
            for place in 0..rows as u64 {
                let target = ((place + 1) << self.bits) - offset;
                from += ends[from..].partition_point(|&end| rows as u64 * end < target);
                match runs.last_mut() {
                    Some(run) if from == last => run.1 += 1,
                    _ => runs.push((cells[from], 1)),
                }
                last = from;
            }
        } else {
            let mut done = 0;
            for (&end, &cell) in ends.iter().zip(cells) {
                let upto = ((rows as u64 * end + offset) >> self.bits) as u32;
                if upto > done {
                    runs.push((cell, upto - done));
                    done = upto;
                }
            }
        }
    }
}

/// For each variable, the last draw for which it may tell rows apart. Hidden ones stop when no later draw looks at them: a
/// column says the same from then on. Those of one code tell nothing.
fn tells(recipe: &Recipe) -> Vec<usize> {
    let mut last = vec![0; recipe.sizes.len()];
    for (number, draw) in recipe.draws.iter().enumerate() {
        draw.parents.iter().for_each(|parent| last[parent.variable] = number);
    }
    last[..recipe.columns].fill(usize::MAX);
    last.iter_mut().zip(&recipe.sizes).filter(|(_, size)| **size < 2).for_each(|(last, _)| *last = 0);
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

/// A number below the bound from 32 uniform bits, each exactly as likely (Lemire's method); more bits are taken if need be.
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

/// The numbers below a size, every order alike.
fn shuffled(size: usize, rng: &mut SampleRng) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..size as u32).collect();
    shuffle(&mut numbers, rng);
    numbers
}

/// Where each number stands.
fn inverse(numbers: &[u32]) -> Vec<u32> {
    let mut places = vec![0; numbers.len()];
    numbers.iter().enumerate().for_each(|(place, &number)| places[number as usize] = place as u32);
    places
}

/// Rows of several recipes in the given shares (cumulative), in random order.
pub(super) fn mixed(parts: &[Splitter], shares: &[u64], rows: usize, rng: &mut SampleRng) -> Vec<Vec<u32>> {
    if let [one] = parts {
        return one.draw(rows, rng);
    }
    let bits = parts.first().map_or(0, |part| part.bits);
    let mut order: Vec<u32> = (0..rows as u32).collect();
    shuffle(&mut order, rng);
    let offset = rng.next_u64() >> (64 - bits);
    let mut columns = vec![vec![0u32; rows]; parts.first().map_or(0, |part| part.columns)];
    let mut done = 0;
    for (part, &end) in parts.iter().zip(shares) {
        let upto = ((rows as u64 * end + offset) >> bits) as usize;
        let own = part.draw(upto - done, rng);
        for (column, own) in columns.iter_mut().zip(&own) {
            order[done..upto].iter().zip(own).for_each(|(&row, &code)| column[row as usize] = code);
        }
        done = upto;
    }
    columns
}
