//! Rows of the model, which candidates are compared with.

use lookalike_curator::Expected;
use lookalike_model::ModelError;
use lookalike_schema::Clique;
use lookalike_tally::{BLOCK_ROWS, Block, CellCounts, TallyError, blocks_of, count, widths};

use crate::MethodError;
use crate::budget::broken_plan;
use crate::graphical::GrowingModel;

/// The fewest and the most rows that are drawn.
pub(super) const FEWEST_DRAWN: f64 = 2e4;
const MOST_DRAWN: f64 = 4e5;
/// Tables of more rows are compared with exact answers of the model: so few rows of it would add
/// more scatter than there is to find, and candidates are few there.
pub(super) const MOST_COMPARED_BY_ROWS: f64 = 4.0 * MOST_DRAWN;

/// Rows of the model, and how many of the table's rows one of them stands for.
pub(super) struct Drawn {
    blocks: Vec<Block>,
    scale: f64,
}

impl Drawn {
    /// Rows of the model as it stands; none where exact answers are better.
    pub fn worth_it(model: &GrowingModel, seed: u64) -> Result<Option<Self>, MethodError> {
        (model.total() <= MOST_COMPARED_BY_ROWS).then(|| Self::new(model, seed)).transpose()
    }

    /// Rows of the model as it stands.
    pub fn new(model: &GrowingModel, seed: u64) -> Result<Self, MethodError> {
        let rows = model.total().clamp(FEWEST_DRAWN, MOST_DRAWN) as u64;
        let widths = widths(model.columns().domain());
        let blocks = blocks_of(&model.drawn(rows, seed)?, &widths, BLOCK_ROWS).collect();
        Ok(Self { blocks, scale: model.total() / rows as f64 })
    }

    /// What the rows say of the sets.
    pub fn expected(&self, model: &GrowingModel, sets: &[Clique]) -> Result<Vec<Expected>, MethodError> {
        let (columns, halt) = (model.columns(), model.halt());
        let stop = || halt.asked(BLOCK_ROWS);
        let counts = count(&self.blocks[..], columns.domain(), sets, &[], &stop).map_err(|error| match error {
            TallyError::Cancelled => ModelError::Halted.into(),
            _ => broken_plan(),
        })?;
        let scaled = |count: u64| count as f64 * self.scale;
        let expected = |(counts, set): (CellCounts, &Clique)| match counts {
            CellCounts::Dense(cells) => Ok(columns.to_asked(set, cells.into_iter().map(scaled).collect()).into()),
            CellCounts::Sparse(_) => Err(broken_plan()),
        };
        counts.into_iter().zip(sets).map(expected).collect()
    }
}

/// What the model says of the sets. Answers that would take too long are left to drawn rows.
pub(super) fn expected(
    model: &GrowingModel,
    drawn: Option<&Drawn>,
    sets: &[Clique],
    seed: u64,
) -> Result<Vec<Expected>, MethodError> {
    match drawn {
        Some(drawn) => drawn.expected(model, sets),
        // A stop is asked about again at once.
        None => model.expected(sets).or_else(|_| Drawn::new(model, seed)?.expected(model, sets)),
    }
}
