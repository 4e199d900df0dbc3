//! Sampling rows, block by block, the same whatever the thread count.
// SKELETON: the model owner fills this in.

use crate::Model;

/// The generator of post-processing: seeded, never used for noise.
pub struct SampleRng {}

impl SampleRng {
    /// 64 uniform bits.
    pub fn next_u64(&mut self) -> u64 {
        todo!()
    }
}

/// Draws blocks of rows in any order.
pub struct Sampler<'a> {
    _model: &'a Model,
}

/// Consecutive sampled rows.
pub struct SampledBlock {
    /// The number of the first row, from 0.
    pub first_row: u64,
    /// The number of rows.
    pub rows: usize,
    /// Codes, one vector a modelled column.
    pub columns: Vec<Vec<u32>>,
    /// The block's own generator, for places inside bins.
    pub rng: SampleRng,
}

#[allow(missing_docs, unused_variables)]
impl Sampler<'_> {
    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        todo!()
    }
    /// One block, by index. Depends on model, seed and index only.
    pub fn block(&self, index: u64) -> SampledBlock {
        todo!()
    }
}
