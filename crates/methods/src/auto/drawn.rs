//! Rows of the model, which candidates are compared with.

use lookalike_curator::Expected;
use lookalike_schema::Clique;
use rayon::prelude::*;

use crate::graphical::{Columns, GrowingModel};

/// So many rows are drawn at least and at most.
pub(super) const FEWEST_DRAWN: f64 = 2e4;
const MOST_DRAWN: f64 = 4e5;
/// Tables of more rows are compared with exact answers of the model: so few rows of it would add more scatter than there is to find,
/// and candidates are few there.
pub(super) const MOST_COMPARED_BY_ROWS: f64 = 4.0 * MOST_DRAWN;

/// Rows of the model, and how many of the table's rows one of them stands for.
pub(super) struct Drawn {
    codes: Vec<Vec<u32>>,
    scale: f64,
}

impl Drawn {
    /// Rows of the model as it stands; none where exact answers are better.
    pub fn worth_it(model: &GrowingModel, seed: u64) -> Option<Self> {
        (model.total() <= MOST_COMPARED_BY_ROWS).then(|| Self::new(model, seed))
    }

    /// Rows of the model as it stands.
    pub fn new(model: &GrowingModel, seed: u64) -> Self {
        let rows = model.total().clamp(FEWEST_DRAWN, MOST_DRAWN) as u64;
        Self { codes: model.drawn(rows, seed), scale: model.total() / rows as f64 }
    }

    /// What the rows say of the sets.
    pub fn expected(&self, columns: &Columns, sets: &[Clique]) -> Vec<Expected> {
        sets.par_iter().map(|set| columns.to_asked(set, self.counts(columns, set)).into()).collect()
    }

    /// The counts of a set, in the model's order of cells, scaled.
    fn counts(&self, columns: &Columns, set: &Clique) -> Vec<f64> {
        let sizes = columns.domain().sizes();
        let mut keys = vec![0u32; self.codes.first().map_or(0, Vec::len)];
        for attribute in set.attributes() {
            let size = sizes[attribute.index()];
            keys.iter_mut().zip(&self.codes[attribute.index()]).for_each(|(key, code)| *key = *key * size + code);
        }
        let mut counts = vec![0.0; columns.cells(set) as usize];
        keys.iter().for_each(|&key| counts[key as usize] += self.scale);
        counts
    }
}
