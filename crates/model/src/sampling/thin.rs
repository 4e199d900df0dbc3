//! Of many rows, few that say what all of them say.
//!
//! Rows drawn without replacement follow the model in what a draw joins; sets of columns that no
//! draw joins still scatter. So several times as many rows are drawn, and halved again and again.
//! Rows stand in pairs that are alike, and one of each pair stays: the one that brings the counts
//! of many sets of columns back to half of what they were. Two lots of rows are joined and halved,
//! then two of those, and so on: what the first halvings get wrong is little, since it is spread
//! over many rows.
//!
//! Each row of a pair stays with probability one half exactly. A tie is a coin's, anything else
//! follows from the decisions before it, and would be the other way round if all of those had been.
//! So what is right on average in the rows drawn is right on average in the rows kept, rare
//! combinations like all others.
//!
//! Whole numbers throughout: the same rows on any machine. `docs/research/sampling.md` has the
//! figures.

use std::collections::BTreeSet;

use super::blocks::SPLIT_ROWS;
use super::rng::{SampleRng, shuffle};
use crate::{Halt, MeasuredClique, ModelError};

// All numbers here but the last two are part of what fixes the rows of a seed: never changed.

/// What the streams are for.
const SETS: &str = "lookalike sets v1";
const COINS: &str = "lookalike coins v1";
/// How often rows are halved.
const HALVINGS: u32 = 3;
/// Releases of more rows are not thinned: it would take long. They are drawn in larger blocks
/// instead.
const MOST_ROWS: u64 = 4 * SPLIT_ROWS as u64;
/// Nor are those of more columns: the sets that can be watched are too few of all that there are.
const MOST_TOLD: usize = 32;
/// Sets of columns whose counts are watched: the columns, measured sets up to a number and a size,
/// and sets of five at random.
const MOST_SETS: usize = 160;
const MOST_MEASURED: usize = 40;
const WIDEST_MEASURED: usize = 6;
const AT_RANDOM: usize = 5;
/// Draws of a set for each that is wanted, where columns are few.
const ATTEMPTS: usize = 4;
/// A set has this many cells, as a power of two; of more combinations some share a cell.
const CELL_BITS: u32 = 12;
/// The weight of a cell of one row. A cell of `c` rows has this divided by the root of `c`, as its
/// count scatters by that root.
const WHOLE: u32 = 1 << 12;
/// Rows that are worked on at a time, so that their cells stay in a cache.
const CHUNK: usize = 256;
/// Lots that are held at the same time, on two threads: each waits for the one it is joined with.
const HELD: u64 = 10;

/// About the bytes that thinning takes for this many columns and rows; 0 where all rows that are
/// drawn are kept.
pub(super) fn bytes(columns: usize, rows: u64) -> u64 {
    if !is_thinned(columns, rows) {
        return 0;
    }
    let row = size_of::<u64>() + columns * size_of::<u32>() + MOST_SETS * size_of::<u16>();
    HELD * row as u64 * rows.min(SPLIT_ROWS as u64)
}

/// Whether a release with `told` columns of more than one value, and this many rows, is thinned
/// where its model says so.
pub fn is_thinned(told: usize, rows: u64) -> bool {
    rows <= MOST_ROWS && (2..=MOST_TOLD).contains(&told)
}

/// What draws a lot of rows, by number.
type Lots<'a> = &'a (dyn Fn(u64) -> Result<Vec<Vec<u32>>, ModelError> + Sync);

/// Which sets of columns are watched.
pub(crate) struct Thinning {
    sizes: Vec<u32>,
    sets: Vec<Set>,
    /// Columns in the order in which they put rows side by side.
    order: Vec<usize>,
}

struct Set {
    columns: Vec<usize>,
    hashed: bool,
}

/// Rows, those that are alike side by side.
struct Lot {
    /// What puts them side by side.
    places: Vec<u64>,
    /// Row by row, the codes.
    codes: Vec<u32>,
    /// Row by row, the cell of each set.
    cells: Vec<u16>,
}

impl Thinning {
    /// For `rows` rows of columns of these sizes; none where there is little to gain.
    pub fn new(sizes: &[u32], measured: &[MeasuredClique], rows: u64, seed: u64) -> Option<Self> {
        let mut told: Vec<usize> = (0..sizes.len()).filter(|&column| sizes[column] > 1).collect();
        if !is_thinned(told.len(), rows) {
            return None;
        }
        let columns = |one: &MeasuredClique| one.clique.attributes().iter().map(|a| a.index()).collect::<Vec<usize>>();
        let known = measured.iter().map(columns).filter(|set| (2..=WIDEST_MEASURED).contains(&set.len()));
        let mut found: BTreeSet<Vec<usize>> = known.take(MOST_MEASURED).collect();
        found.extend(told.iter().map(|&column| vec![column]));
        let mut rng = SampleRng::new(seed, SETS, 0);
        for _ in 0..ATTEMPTS * MOST_SETS {
            if found.len() >= MOST_SETS {
                break;
            }
            let mut some = told.clone();
            shuffle(&mut some, &mut rng);
            some.truncate(AT_RANDOM);
            some.sort_unstable();
            found.insert(some);
        }
        let set = |columns: Vec<usize>| {
            let cells: f64 = columns.iter().map(|&column| f64::from(sizes[column])).product();
            Set { columns, hashed: cells > f64::from(1u32 << CELL_BITS) }
        };
        told.sort_by_key(|&column| sizes[column]);
        Some(Self { sizes: sizes.to_vec(), sets: found.into_iter().map(set).collect(), order: told })
    }

    /// The rows of a block, in random order. `draw` gives as many of a stream of its own.
    pub fn rows(
        &self,
        rows: usize,
        seed: u64,
        block: u64,
        draw: Lots<'_>,
        halt: &Halt,
    ) -> Result<Vec<Vec<u32>>, ModelError> {
        // A block beyond the last, whose number may be any.
        if rows == 0 {
            return Ok(vec![Vec::new(); self.sizes.len()]);
        }
        let kept = self.kept(HALVINGS, seed, block, draw, halt)?;
        let mut order: Vec<u32> = (0..rows as u32).collect();
        shuffle(&mut order, &mut SampleRng::new(seed, COINS, stream(0, block)));
        let width = self.sizes.len();
        let column = |column: usize| order.iter().map(|&row| kept.codes[row as usize * width + column]).collect();
        Ok((0..width).map(column).collect())
    }

    /// What `halvings` halvings leave; `place` tells it from others with as many.
    fn kept(&self, halvings: u32, seed: u64, place: u64, draw: Lots<'_>, halt: &Halt) -> Result<Lot, ModelError> {
        let Some(before) = halvings.checked_sub(1) else {
            let drawn = draw(place)?;
            halt.check(drawn.first().map_or(0, Vec::len) * self.sets.len())?;
            return Ok(self.side_by_side(&drawn));
        };
        let half = |side: u64| self.kept(before, seed, 2 * place + side, draw, halt);
        let (one, other) = rayon::join(|| half(0), || half(1));
        let (one, other) = (one?, other?);
        halt.check(2 * one.places.len() * self.sets.len())?;
        Ok(self.halved(&one, &other, &mut SampleRng::new(seed, COINS, stream(halvings, place))))
    }

    /// Drawn rows, put side by side.
    fn side_by_side(&self, columns: &[Vec<u32>]) -> Lot {
        let rows = columns.first().map_or(0, Vec::len);
        let (width, sets) = (columns.len(), self.sets.len());
        let mut line: Vec<(u64, u32)> = (0..rows as u32).map(|row| (0, row)).collect();
        let mut free = u64::BITS;
        for &column in &self.order {
            let bits = u32::BITS - (self.sizes[column] - 1).leading_zeros();
            let taken = bits.min(free);
            free -= taken;
            let part = |code: u32| u64::from(code >> (bits - taken)) << free;
            line.iter_mut().zip(&columns[column]).for_each(|((place, _), &code)| *place |= part(code));
            if free == 0 {
                break;
            }
        }
        line.sort_unstable();
        let (mut codes, mut cells) = (vec![0; rows * width], vec![0; rows * sets]);
        let (mut own, mut keys) = (vec![Vec::new(); width], Vec::new());
        let parts = codes.chunks_mut(CHUNK * width).zip(cells.chunks_mut(CHUNK * sets));
        for (chunk, (codes, cells)) in line.chunks(CHUNK).zip(parts) {
            for (number, column) in columns.iter().enumerate() {
                own[number] = chunk.iter().map(|&(_, row)| column[row as usize]).collect();
                codes[number..].iter_mut().step_by(width).zip(&own[number]).for_each(|(slot, &code)| *slot = code);
            }
            for (number, set) in self.sets.iter().enumerate() {
                set.keys(&own, &self.sizes, chunk.len(), &mut keys);
                cells[number..].iter_mut().step_by(sets).zip(&keys).for_each(|(slot, &key)| *slot = key as u16);
            }
        }
        Lot { places: line.into_iter().map(|(place, _)| place).collect(), codes, cells }
    }

    /// Half of the rows of two lots.
    fn halved(&self, one: &Lot, other: &Lot, rng: &mut SampleRng) -> Lot {
        let (width, sets) = (self.sizes.len(), self.sets.len());
        let weights = self.weights([one, other]);
        // For each cell, how many more of its rows stayed than went, times its weight: at most 2^12
        // times the root of its rows.
        let mut more = vec![0i32; weights.len()];
        let mut kept = Lot { places: Vec::new(), codes: Vec::new(), cells: Vec::new() };
        let mut coins = Coins::default();
        let mut line = MergedLots { lots: [one, other], next: [0, 0] };
        while let (Some(first), Some(second)) = (line.next(), line.next()) {
            let (a, b) = (first.0.cells(first.1, sets), second.0.cells(second.1, sets));
            let mut excess = 0;
            for (number, (&a, &b)) in a.iter().zip(b).enumerate() {
                let start = number << CELL_BITS;
                excess += more[start + usize::from(a)] - more[start + usize::from(b)];
            }
            let first_stays = if excess == 0 { coins.toss(rng) } else { excess < 0 };
            let ((lot, row), stay, go) = if first_stays { (first, a, b) } else { (second, b, a) };
            for (number, (&stay, &go)) in stay.iter().zip(go).enumerate() {
                let start = number << CELL_BITS;
                let (stay, go) = (start + usize::from(stay), start + usize::from(go));
                more[stay] += i32::from(weights[stay]);
                more[go] -= i32::from(weights[go]);
            }
            kept.places.push(lot.places[row]);
            kept.codes.extend_from_slice(&lot.codes[row * width..(row + 1) * width]);
            kept.cells.extend_from_slice(stay);
        }
        kept
    }

    /// The weight of each cell of each set.
    fn weights(&self, lots: [&Lot; 2]) -> Vec<i16> {
        let mut counts = vec![0u32; self.sets.len() << CELL_BITS];
        for row in lots.into_iter().flat_map(|lot| lot.cells.chunks_exact(self.sets.len())) {
            row.iter().enumerate().for_each(|(number, &cell)| counts[(number << CELL_BITS) + usize::from(cell)] += 1);
        }
        counts.into_iter().map(|count| (WHOLE * WHOLE / count.max(1)).isqrt() as i16).collect()
    }
}

/// The stream of coins of a lot, or of a block's last order (0 halvings).
fn stream(halvings: u32, place: u64) -> u64 {
    (place << 8) + u64::from(halvings)
}

impl Lot {
    fn cells(&self, row: usize, sets: usize) -> &[u16] {
        &self.cells[row * sets..(row + 1) * sets]
    }
}

/// The rows of two lots in one line.
struct MergedLots<'a> {
    lots: [&'a Lot; 2],
    next: [usize; 2],
}

impl<'a> MergedLots<'a> {
    fn next(&mut self) -> Option<(&'a Lot, usize)> {
        let lot = match [0, 1].map(|lot| self.lots[lot].places.get(self.next[lot])) {
            [Some(one), Some(other)] => usize::from(other < one),
            [Some(_), None] => 0,
            [None, Some(_)] => 1,
            [None, None] => return None,
        };
        let row = self.next[lot];
        self.next[lot] += 1;
        Some((self.lots[lot], row))
    }
}

/// Coins, sixty-four to a word.
#[derive(Default)]
struct Coins {
    bits: u64,
    left: u32,
}

impl Coins {
    fn toss(&mut self, rng: &mut SampleRng) -> bool {
        if self.left == 0 {
            (self.bits, self.left) = (rng.next_u64(), u64::BITS);
        }
        self.left -= 1;
        (self.bits >> self.left) & 1 == 1
    }
}

impl Set {
    /// The cell of each row.
    fn keys(&self, columns: &[Vec<u32>], sizes: &[u32], rows: usize, keys: &mut Vec<u32>) {
        keys.clear();
        keys.resize(rows, 0);
        for &column in &self.columns {
            let size = sizes[column];
            let codes = keys.iter_mut().zip(&columns[column]);
            codes.for_each(|(key, &code)| *key = key.wrapping_mul(size).wrapping_add(code));
        }
        if self.hashed {
            // Multiplicative hashing: the first bits of the product hang on all bits of the key.
            let hash = |key: u32| (key ^ (key >> 15)).wrapping_mul(0x9E37_79B1) >> (u32::BITS - CELL_BITS);
            keys.iter_mut().for_each(|key| *key = hash(*key));
        }
    }
}
