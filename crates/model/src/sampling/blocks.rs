//! Blocks of rows: what is drawn at a time, and from which streams of the generator.

use std::sync::Arc;

use lookalike_schema::Filter;

use super::rng::SampleRng;

/// The rows of a block drawn with replacement (the last one may have fewer). Part of what fixes the
/// rows of a seed: never changed.
pub const BLOCK_ROWS: usize = 8192;

/// The rows of a block drawn without replacement: more rows leave less rounding, fewer take less
/// memory. Part of what fixes the rows of a seed: never changed.
pub const SPLIT_ROWS: usize = 65_536;

/// The most rows of a block of a large release, and the most codes, where these are more rows than
/// [`SPLIT_ROWS`]. Part of what fixes the rows of a seed: never changed.
pub const LARGE_ROWS: usize = 1 << 21;
const LARGE_CODES: usize = 1 << 25;

/// What the streams of a block are for. Part of what fixes the rows of a seed: never changed.
pub(super) const CODES: &str = "lookalike codes v3";
pub(super) const PLACES: &str = "lookalike places v1";
pub(super) const ORDERS: &str = "lookalike orders v3";
pub(super) const LOTS: &str = "lookalike lots v1";

/// The rows of a block of a large release with this many columns: a power of two.
pub(crate) fn large_rows(columns: usize) -> usize {
    let most = (LARGE_CODES / columns.max(1)).clamp(SPLIT_ROWS, LARGE_ROWS);
    1 << most.ilog2()
}

/// Consecutive sampled rows.
pub struct SampledBlock {
    /// The number of the first row, from 0.
    pub first_row: u64,
    /// The number of rows.
    pub rows: usize,
    /// Codes, one vector a modelled column.
    pub columns: Vec<Vec<u32>>,
    /// Where its rows' places inside bins come from.
    pub places: BinPlaces,
    /// A condition that cuts bins, whose values the rows must have.
    pub settles: Option<Arc<Filter>>,
}

/// A stream of uniform bits of a block's own, for places inside bins.
#[derive(Clone, Copy, Debug)]
pub struct BinPlaces {
    /// The seed.
    pub seed: u64,
    /// What the stream is for.
    pub stream: &'static str,
    /// Which of these streams it is.
    pub number: u64,
}

impl BinPlaces {
    /// The bits, from the first on.
    pub fn rng(&self) -> SampleRng {
        SampleRng::new(self.seed, self.stream, self.number)
    }
}

impl SampledBlock {
    /// Uniform bits for places inside bins, one a cell: all rows of the first column, then all of
    /// the second. Of bins that a condition cuts they are places that it means.
    pub fn bits(&self) -> impl FnMut() -> u64 + use<> {
        let mut rng = self.places.rng();
        let settled = self.settles.as_ref().map(|filter| {
            let mut words: Vec<u64> = (0..self.rows * self.columns.len()).map(|_| rng.next_u64()).collect();
            filter.settle(&self.columns, &mut words, &mut || rng.next_u64());
            words
        });
        let mut settled = settled.unwrap_or_default().into_iter();
        move || settled.next().unwrap_or_else(|| rng.next_u64())
    }

    /// The block in parts of at most [`SPLIT_ROWS`] rows.
    pub fn parts(&self) -> usize {
        self.rows.div_ceil(SPLIT_ROWS)
    }

    /// One of the parts, with places of its own.
    pub fn part(&self, number: usize) -> Self {
        let first = number.saturating_mul(SPLIT_ROWS).min(self.rows);
        let here = first..(first + SPLIT_ROWS).min(self.rows);
        Self {
            first_row: self.first_row + first as u64,
            rows: here.len(),
            columns: self.columns.iter().map(|column| column[here.clone()].to_vec()).collect(),
            places: BinPlaces { number: self.places.number + number as u64, ..self.places },
            settles: self.settles.clone(),
        }
    }
}
