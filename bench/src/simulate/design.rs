//! Designs of coded tables: each column is free, or follows columns before it. Fast, and the same
//! on any number of threads.

use anyhow::{Result, ensure};
use lookalike_table::Table;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rayon::prelude::*;

use super::draw::{below, coded_schema, uniform};

/// Rows that share one stream of random numbers.
const CHUNK: usize = 1 << 14;

/// How a column comes about. `noise` is the chance, in 256ths, that a code is drawn freely instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// Every code alike.
    Even,
    /// Low codes more often: the smaller of two even draws.
    Skewed,
    /// The logarithm is even, as in names and places: a few codes are frequent, most are rare.
    LongTailed,
    /// The parent's code, stretched or squeezed into this column's codes, order kept.
    Ordered {
        /// An earlier column.
        parent: usize,
        /// 256ths of free draws.
        noise: u8,
    },
    /// The parent's code after a fixed shuffle: as informative as `Ordered`, without order.
    Shuffled {
        /// An earlier column.
        parent: usize,
        /// 256ths of free draws.
        noise: u8,
    },
    /// The sum of two earlier columns, modulo this column's size: when one of them is even over as
    /// many codes, no pair of the three columns shows it.
    Sum {
        /// Two earlier columns.
        parents: [usize; 2],
        /// 256ths of free draws.
        noise: u8,
    },
}

/// For each column the number of codes and where they come from.
pub type DesignedColumns = Vec<(u32, Link)>;

/// A table's size and columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableDesign {
    /// Rows.
    pub rows: usize,
    /// The columns.
    pub columns: DesignedColumns,
}

impl TableDesign {
    /// Draws the table. Refuses a column that follows itself or a later one, and columns without
    /// codes.
    pub fn table(&self, seed: u64) -> Result<Table> {
        self.check()?;
        let sizes: Vec<u32> = self.columns.iter().map(|column| column.0).collect();
        let chunks: Vec<Vec<Vec<u32>>> =
            (0..self.rows.div_ceil(CHUNK)).into_par_iter().map(|chunk| self.chunk(seed, chunk)).collect();
        let mut columns = vec![Vec::with_capacity(self.rows); sizes.len()];
        for chunk in chunks {
            for (column, part) in columns.iter_mut().zip(chunk) {
                column.extend(part);
            }
        }
        Ok(Table::from_columns(&coded_schema(&sizes)?, columns))
    }

    fn check(&self) -> Result<()> {
        for (index, &(size, link)) in self.columns.iter().enumerate() {
            ensure!(size >= 1, "column {index} has no codes");
            let latest = match link {
                Link::Even | Link::Skewed | Link::LongTailed => None,
                Link::Ordered { parent, .. } | Link::Shuffled { parent, .. } => Some(parent),
                Link::Sum { parents: [a, b], .. } => Some(a.max(b)),
            };
            ensure!(latest.is_none_or(|parent| parent < index), "column {index} does not come after what it follows");
        }
        Ok(())
    }

    fn chunk(&self, seed: u64, chunk: usize) -> Vec<Vec<u32>> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(chunk as u64);
        let rows = CHUNK.min(self.rows - chunk * CHUNK);
        let mut columns: Vec<Vec<u32>> = Vec::with_capacity(self.columns.len());
        for &(size, link) in &self.columns {
            let codes = (0..rows).map(|row| self.code(size, link, row, &columns, &mut rng)).collect();
            columns.push(codes);
        }
        columns
    }

    #[inline]
    fn code(&self, size: u32, link: Link, row: usize, columns: &[Vec<u32>], rng: &mut ChaCha8Rng) -> u32 {
        let free = |rng: &mut ChaCha8Rng| below(rng, size).min(below(rng, size));
        match link {
            Link::Even => below(rng, size),
            Link::Skewed => free(rng),
            Link::LongTailed => ((f64::from(size).powf(uniform(rng)) - 1.0) as u32).min(size - 1),
            Link::Ordered { noise, .. } | Link::Shuffled { noise, .. } | Link::Sum { noise, .. }
                if below(rng, 256) < u32::from(noise) =>
            {
                free(rng)
            }
            Link::Ordered { parent, .. } => stretch(columns[parent][row], self.columns[parent].0, size, rng),
            Link::Shuffled { parent, .. } => {
                let mixed = columns[parent][row].wrapping_add(parent as u32).wrapping_mul(2_654_435_761);
                ((u64::from(mixed) * u64::from(size)) >> 32) as u32
            }
            Link::Sum { parents: [a, b], .. } => {
                ((u64::from(columns[a][row]) + u64::from(columns[b][row])) % u64::from(size)) as u32
            }
        }
    }
}

/// A code of `from` codes placed among `size` codes: even over those that its stretch covers.
fn stretch(code: u32, from: u32, size: u32, rng: &mut ChaCha8Rng) -> u32 {
    let edge = |code: u32| (u64::from(code) * u64::from(size) / u64::from(from)) as u32;
    let (low, high) = (edge(code), edge(code + 1));
    if high > low + 1 { low + below(rng, high - low) } else { low }
}
