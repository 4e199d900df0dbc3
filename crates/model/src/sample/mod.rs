//! Sampling rows, block by block, the same whatever the thread count.
//!
//! - `without` draws without replacement: in each block every cell of a draw gets the floor or the
//!   ceiling of its expectation, so that the rows say what the model says, without the noise of
//!   drawing. `together`, `alike` and `spread` see to it that columns which no draw joins come
//!   close to what the model says of them, too; `live` draws so from a model in the making;
//! - `thin` keeps, of several times as many of them, those that together are closest to all: the
//!   default;
//! - `with` draws every row by itself;
//! - `v1` is the first version's way to draw independent columns with replacement, kept bit by bit.

mod alike;
mod cells;
pub(crate) mod live;
pub(crate) mod shares;
pub(crate) mod spread;
pub(crate) mod thin;
mod together;
pub(crate) mod v1;
mod with;
pub(crate) mod without;

use std::collections::BTreeMap;

use lookalike_schema::{CodeBox, Filter};

use crate::sampling_plan::SamplingPlan;
use crate::sampling_plan::evidence::Evidence;
use crate::{Coverage, Halt, Model, ModelError, SampleRng};
use thin::Thinning;
use with::Independent;
use without::Splitter;

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

/// Blocks that are drawn at the same time on two threads, and the numbers that drawing holds for
/// each row beside its codes.
const DRAWN_AT_ONCE: u64 = 2;
const BUFFERS: usize = 10;

/// What the streams of a block are for. Part of what fixes the rows of a seed: never changed.
const CODES: &str = "lookalike codes v3";
const PLACES: &str = "lookalike places v1";
const LOTS: &str = "lookalike lots v1";

/// Whether rows are drawn one by one, or so that their counts are the model's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// Every row by itself: counts scatter around the model's as those of a fresh sample would.
    With,
    /// Counts are the model's, rounded up or down at random so that they are right on average.
    Without,
    /// Without replacement, several times as many, of which those are kept that together are
    /// closest to all. Of large releases all are kept, and more are drawn together.
    Thinned,
}

/// Which rows to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    /// How many rows.
    pub rows: u64,
    /// The seed: same model, same sampling, same rows.
    pub seed: u64,
    /// How to draw; `None`: as the model's file says ([`Model::replacement`]).
    pub replacement: Option<Replacement>,
    /// Only rows of this set, as the model has them.
    pub filter: Option<Filter>,
}

impl Sampling {
    /// Rows of a seed, drawn as the model's file says, of all kinds.
    pub fn new(rows: u64, seed: u64) -> Self {
        Self { rows, seed, replacement: None, filter: None }
    }

    /// Drawn this way.
    pub fn with(self, replacement: Replacement) -> Self {
        Self { replacement: Some(replacement), ..self }
    }

    /// Only rows of this set.
    pub fn filtered(self, filter: Filter) -> Self {
        Self { filter: Some(filter), ..self }
    }
}

/// Draws blocks of rows in any order.
pub struct Sampler {
    columns: usize,
    rows: u64,
    seed: u64,
    block_rows: usize,
    way: Way,
}

/// How blocks are drawn. Several parts are the boxes of a filter, each with its probability.
enum Way {
    V1(v1::Columns),
    With(Vec<Independent>, Option<crate::alias::Alias>),
    Without(Vec<Splitter<'static>>, Vec<u64>, Option<Thinning>),
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
    pub places: Places,
}

/// A stream of uniform bits of a block's own, for places inside bins.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    /// The seed.
    pub seed: u64,
    /// What the stream is for.
    pub stream: &'static str,
    /// Which of these streams it is.
    pub number: u64,
}

impl Places {
    /// The bits, from the first on.
    pub fn rng(&self) -> SampleRng {
        SampleRng::new(self.seed, self.stream, self.number)
    }
}

impl Sampler {
    pub(crate) fn v1(columns: v1::Columns, rows: u64, seed: u64) -> Self {
        Self { columns: columns.len(), rows, seed, block_rows: BLOCK_ROWS, way: Way::V1(columns) }
    }

    /// A sampler of sampling plans that are taken with their probabilities, which sum to more than
    /// 0.
    pub(crate) fn of_recipes(
        parts: &[(SamplingPlan, f64)],
        measured: &[Coverage],
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
            let independent = parts.iter().map(|part| Independent::new(&part.0)).collect();
            Way::With(independent, crate::alias::Alias::new(&shares))
        } else {
            let bits = shares::share_bits(block_rows);
            let splitters = Splitter::all(parts.iter().map(|part| &part.0), bits, seed);
            Way::Without(splitters, shares::ends(shares.into_iter(), bits).collect(), thinning)
        };
        Self { columns, rows, seed, block_rows, way }
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
        let columns = match &self.way {
            Way::V1(columns) => columns.draw(self.seed, index, rows),
            Way::With(parts, shares) => with::mixed(parts, shares.as_ref(), rows, &mut stream()),
            Way::Without(parts, shares, None) => without::mixed(parts, shares, rows, &mut stream(), halt)?,
            Way::Without(parts, shares, Some(thinning)) => {
                let lot =
                    |lot: u64| without::mixed(parts, shares, rows, &mut SampleRng::new(self.seed, LOTS, lot), halt);
                thinning.rows(rows, self.seed, index, &lot, halt)?
            }
        };
        debug_assert_eq!(columns.len(), self.columns);
        let number = if self.block_rows > SPLIT_ROWS { first_row / SPLIT_ROWS as u64 } else { index };
        Ok(SampledBlock { first_row, rows, columns, places: Places { seed: self.seed, stream: PLACES, number } })
    }
}

impl SampledBlock {
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
            places: Places { number: self.places.number + number as u64, ..self.places },
        }
    }
}

/// Whether a release of so many columns and rows is thinned where its model says so.
pub fn is_thinned(columns: usize, rows: u64) -> bool {
    thin::is_worth_it(columns, rows)
}

/// About the bytes that drawing rows without replacement takes for so many columns and rows, beside
/// their text.
pub fn drawing_bytes(columns: usize, rows: u64) -> u64 {
    let block = if is_thinned(columns, rows) { SPLIT_ROWS } else { large_rows(columns) } as u64;
    let row = (columns + BUFFERS) * size_of::<u32>();
    thin::bytes(columns, rows).max(DRAWN_AT_ONCE * row as u64 * rows.min(block))
}

/// The rows of a block of a large release with so many columns: a power of two.
pub(crate) fn large_rows(columns: usize) -> usize {
    let most = (LARGE_CODES / columns.max(1)).clamp(SPLIT_ROWS, LARGE_ROWS);
    1 << most.ilog2()
}

impl Model {
    /// A sampler of rows. Same model file and sampling: same rows on any platform and thread count.
    ///
    /// Refuses a filter that names columns or codes that the schema lacks, whose rows have
    /// probability 0, or for which a network is too entangled.
    pub fn sampler(&self, sampling: &Sampling) -> Result<Sampler, ModelError> {
        let Sampling { rows, seed, replacement, filter } = sampling;
        let replacement = replacement.unwrap_or(self.replacement());
        if let (crate::structure::Structure::Product(product), Replacement::With, None) =
            (self.structure(), replacement, filter)
        {
            return Ok(Sampler::v1(v1::Columns::new(product, self.rules()), *rows, *seed));
        }
        let everything = || Filter::from_boxes(vec![CodeBox { parts: Vec::new() }]);
        let parts = match filter {
            None => self.boxes(&everything())?,
            Some(filter) => self.boxes(filter)?,
        };
        if !parts.iter().any(|part| part.1 > 0.0) {
            return Err(ModelError::Impossible);
        }
        let parts: Vec<(SamplingPlan, f64)> = parts.into_iter().filter(|part| part.1 > 0.0).collect();
        Ok(Sampler::of_recipes(&parts, self.measured(), *rows, *seed, replacement))
    }

    /// The probability that a row is in the set. Refuses as [`Model::sampler`] does, but for a
    /// probability of 0.
    pub fn probability(&self, filter: &Filter) -> Result<f64, ModelError> {
        Ok(self.boxes(filter)?.iter().map(|part| part.1).sum::<f64>().clamp(0.0, 1.0))
    }

    /// The probabilities of a clique's cells among the rows of the set, laid out as in
    /// [`Model::marginal`]; they sum to 1.
    ///
    /// Multiply by [`Model::probability`] for shares of all rows. Refuses a set of probability 0,
    /// and as [`Model::marginal`] and [`Model::probability`] do.
    pub fn marginal_where(&self, clique: &lookalike_schema::Clique, filter: &Filter) -> Result<Vec<f64>, ModelError> {
        let cells = crate::marginal::cells(self.schema().domain(), clique)?;
        let columns: Vec<usize> = clique.attributes().iter().map(|attribute| attribute.index()).collect();
        let parts = self.boxes(filter)?;
        let total: f64 = parts.iter().map(|part| part.1).sum();
        if total.is_nan() || total <= 0.0 {
            return Err(ModelError::Impossible);
        }
        let mut sums = vec![0.0; cells];
        for (sampling_plan, probability) in parts.iter().filter(|part| part.1 > 0.0) {
            let share = probability / total;
            sums.iter_mut()
                .zip(self.structure().marginal_of(sampling_plan, &columns)?)
                .for_each(|(sum, p)| *sum += share * p);
        }
        Ok(sums)
    }

    /// For each box, the sampling plan given the box, and the box's probability. Draws that a box
    /// does not touch are shared.
    fn boxes(&self, filter: &Filter) -> Result<Vec<(SamplingPlan, f64)>, ModelError> {
        let sampling_plan = self.structure().sampling_plan(self.schema(), self.rules())?;
        let conditioned = |one: &CodeBox| {
            let conditioned = sampling_plan.condition(&evidence(&sampling_plan, one)?)?;
            Ok((conditioned.sampling_plan, conditioned.probability))
        };
        filter.boxes().iter().map(conditioned).collect()
    }
}

fn evidence(sampling_plan: &SamplingPlan, one: &CodeBox) -> Result<Evidence, ModelError> {
    let mut known: BTreeMap<usize, Vec<bool>> = BTreeMap::new();
    for (attribute, codes) in &one.parts {
        let Some(&size) = sampling_plan.sizes[..sampling_plan.columns].get(attribute.index()) else {
            return Err(ModelError::shape("a filter names a column that the model lacks"));
        };
        let mut possible = vec![false; size as usize];
        for &code in codes {
            let slot = possible.get_mut(code as usize);
            *slot.ok_or_else(|| ModelError::shape("a filter names a code that its column lacks"))? = true;
        }
        let entry = known.entry(attribute.index()).or_insert_with(|| vec![true; size as usize]);
        entry.iter_mut().zip(possible).for_each(|(both, possible)| *both &= possible);
    }
    Ok((0..sampling_plan.sizes.len()).map(|variable| known.remove(&variable)).collect())
}
