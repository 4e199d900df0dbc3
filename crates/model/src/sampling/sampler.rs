//! A sampler: blocks of rows in any order.

use std::sync::Arc;

use lookalike_schema::Filter;

use super::alias::Alias;
use super::blocks::{BLOCK_ROWS, BinPlaces, CODES, LOTS, PLACES, SPLIT_ROWS, SampledBlock, large_rows};
use super::plan::SamplingPlan;
use super::rng::SampleRng;
use super::settings::Replacement;
use super::thin::{Thinning, is_thinned};
use super::with::WithReplacement;
use super::without::WithoutReplacement;
use super::{shares, thin, v1, with, without};
use crate::copula::Exchange;
use crate::{Halt, MeasuredClique, ModelError};

/// Blocks that are drawn at the same time on two threads, and the numbers that drawing holds for
/// each row beside its codes.
const DRAWN_AT_ONCE: u64 = 2;
const BUFFERS: usize = 10;

/// Draws blocks of rows in any order.
pub struct RowSampler {
    columns: usize,
    rows: u64,
    seed: u64,
    block_rows: usize,
    way: DrawMethod,
    exchange: Option<Exchange>,
    /// A condition that cuts bins.
    settles: Option<Arc<Filter>>,
}

/// How blocks are drawn. Several parts are the boxes of a filter, each with its probability.
enum DrawMethod {
    V1(v1::ProductSampler),
    With(Vec<WithReplacement>, Option<Alias>),
    Without(Vec<WithoutReplacement<'static>>, Vec<u64>, Option<Thinning>),
}

impl RowSampler {
    pub(crate) fn v1(columns: v1::ProductSampler, rows: u64, seed: u64) -> Self {
        Self {
            columns: columns.len(),
            rows,
            seed,
            block_rows: BLOCK_ROWS,
            way: DrawMethod::V1(columns),
            exchange: None,
            settles: None,
        }
    }

    /// A sampler of sampling plans that are taken with their probabilities, which sum to more than
    /// 0.
    pub(crate) fn of_plans(
        parts: &[(SamplingPlan, f64)],
        measured: &[MeasuredClique],
        rows: u64,
        seed: u64,
        replacement: Replacement,
    ) -> Self {
        let sizes = parts.first().map_or(&[][..], |part| &part.0.sizes[..part.0.columns]);
        let columns = sizes.len();
        let total: f64 = parts.iter().map(|part| part.1).sum();
        let shares: Vec<f64> = parts.iter().map(|part| part.1 / total).collect();
        let thins = replacement == Replacement::Thinned;
        let thinning = thins.then(|| Thinning::new(sizes, measured, rows, seed)).flatten();
        let block_rows = match replacement {
            Replacement::With => BLOCK_ROWS,
            Replacement::Thinned if thinning.is_none() => large_rows(columns),
            Replacement::Without | Replacement::Thinned => SPLIT_ROWS,
        };
        let way = if replacement == Replacement::With {
            let independent = parts.iter().map(|part| WithReplacement::new(&part.0)).collect();
            DrawMethod::With(independent, Alias::new(&shares))
        } else {
            let bits = shares::share_bits(block_rows);
            let splitters = WithoutReplacement::all(parts.iter().map(|part| &part.0), bits, seed);
            DrawMethod::Without(splitters, shares::ends(shares.into_iter(), bits).collect(), thinning)
        };
        Self { columns, rows, seed, block_rows, way, exchange: None, settles: None }
    }

    /// Rows then exchange values inside groups.
    pub(crate) fn exchanging(self, exchange: Option<Exchange>) -> Self {
        Self { exchange, ..self }
    }

    /// Values inside bins then are such as this condition means.
    pub(crate) fn settling(self, filter: Option<&Filter>) -> Self {
        Self { settles: filter.cloned().map(Arc::new), ..self }
    }

    /// The number of rows in all blocks together.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The rows of a block; the last may have fewer.
    pub fn block_rows(&self) -> usize {
        self.block_rows
    }

    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        self.rows.div_ceil(self.block_rows() as u64)
    }

    /// One block, by index. Depends on model, sampling and index only. A block beyond the last has
    /// no rows.
    pub fn block(&self, index: u64) -> SampledBlock {
        // Nobody stops it, and there is no other error.
        self.block_unless(index, &Halt::never()).unwrap_or_else(|_| unreachable!("nobody stops this draw"))
    }

    /// The same, unless it is told to stop on the way: a large block takes seconds.
    pub fn block_unless(&self, index: u64, halt: &Halt) -> Result<SampledBlock, ModelError> {
        let first_row = index.saturating_mul(self.block_rows() as u64).min(self.rows);
        let rows = (self.rows - first_row).min(self.block_rows() as u64) as usize;
        let stream = || SampleRng::new(self.seed, CODES, index);
        let mut columns = match &self.way {
            DrawMethod::V1(columns) => columns.draw(self.seed, index, rows),
            DrawMethod::With(parts, shares) => with::mixed(parts, shares.as_ref(), rows, &mut stream()),
            DrawMethod::Without(parts, shares, None) => without::mixed(parts, shares, rows, &mut stream(), halt)?,
            DrawMethod::Without(parts, shares, Some(thinning)) => {
                let lot =
                    |lot: u64| without::mixed(parts, shares, rows, &mut SampleRng::new(self.seed, LOTS, lot), halt);
                thinning.rows(rows, self.seed, index, &lot, halt)?
            }
        };
        if let Some(exchange) = &self.exchange {
            exchange.within(&mut columns, self.seed, index);
        }
        debug_assert_eq!(columns.len(), self.columns);
        let number = if self.block_rows > SPLIT_ROWS { first_row / SPLIT_ROWS as u64 } else { index };
        let places = BinPlaces { seed: self.seed, stream: PLACES, number };
        Ok(SampledBlock { first_row, rows, columns, places, settles: self.settles.clone() })
    }
}

/// About the bytes that drawing rows without replacement takes for this many columns and rows,
/// beside their text.
pub fn drawing_bytes(columns: usize, rows: u64) -> u64 {
    let block = if is_thinned(columns, rows) { SPLIT_ROWS } else { large_rows(columns) } as u64;
    let row = (columns + BUFFERS) * size_of::<u32>();
    thin::bytes(columns, rows).max(DRAWN_AT_ONCE * row as u64 * rows.min(block))
}
