//! Coded rows without a table around them: for rows that are coded, bounded and kept elsewhere, a
//! stretch at a time.

use arrow_array::{Array, RecordBatch};
use lookalike_schema::Schema;
use lookalike_tally::Block;

use super::arrow::{ArrowColumn, is_flat, missing_column};
use super::intake::{Layout, Piece, Terms};
use super::persons::{Bounds, Tag};
use super::typed;
use super::watch::Unwatched;
use crate::coded::CodedTable;
use crate::digest::RecordSums;
use crate::error::TableError;

/// What tells how a stretch is coded, the same for all stretches of a run.
pub(crate) struct StretchTerms<'a> {
    /// The schema before it was arranged to the header.
    pub(crate) given: &'a Schema,
    /// The columns of the whole table.
    pub(crate) names: &'a [String],
    /// A bounded number of rows of each person.
    pub(crate) bounds: Option<&'a Bounds<'a>>,
}

impl StretchTerms<'_> {
    fn layout(&self, memory: u64) -> Result<Layout<'_>, TableError> {
        Layout::new(self.given, self.names.to_vec(), Terms { memory, bounds: self.bounds, digest: None })
    }

    /// The columns that are modelled or tell whose rows they are, in the header's order.
    pub(crate) fn needed(&self) -> Result<Vec<String>, TableError> {
        let layout = self.layout(0)?;
        let wanted = typed::wanted(&layout, |_| true)?;
        Ok(wanted.iter().map(|wanted| self.names[wanted.column].clone()).collect())
    }

    /// Codes a batch that has the needed columns, in whatever order, and calls `each` with pieces
    /// of it. A piece has one tag a row, or no tags where no persons are bounded.
    ///
    /// `Err` when a column is lacking or nested, or from `each`.
    pub(crate) fn for_each_piece(
        &self,
        batch: &RecordBatch,
        mut each: impl FnMut(&Block, &[Option<Tag>]) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let layout = self.layout(0)?;
        let header = batch.schema();
        let place = |column: usize| header.index_of(&self.names[column]).ok();
        let wanted = typed::wanted(&layout, |column| place(column).is_none_or(|place| is_flat(&header, place)))?;
        let mut columns = Vec::with_capacity(wanted.len());
        for wanted in &wanted {
            let array: &dyn Array = &**batch.column(place(wanted.column).ok_or_else(missing_column)?);
            columns.extend(ArrowColumn::new(array));
        }
        let step = typed::stretch_rows(&layout);
        for from in (0..batch.num_rows()).step_by(step) {
            let piece = typed::read_piece(&layout, &wanted, &mut columns, step.min(batch.num_rows() - from))?;
            each(&piece.block, &piece.tags)?;
        }
        Ok(())
    }

    /// The rows that are kept of all these, which must be all rows of their persons. Rows beyond
    /// the memory are put aside in a temporary file.
    pub(crate) fn bounded(
        &self,
        pieces: impl Iterator<Item = Result<(Block, Vec<Option<Tag>>), TableError>>,
        memory: u64,
    ) -> Result<CodedTable, TableError> {
        let layout = self.layout(memory)?;
        let mut intake = layout.intake();
        for piece in pieces {
            let (block, tags) = piece?;
            intake.take(&Piece { block, tags, sums: RecordSums::default() })?;
        }
        intake.finish(layout, &Unwatched).map(|(table, _)| table)
    }
}
