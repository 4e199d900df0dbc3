//! The tiny tables, and what is watched in the rows that are released of them.

use lookalike_model::{Model, Replacement, Sampling};
use lookalike_privacy::Relation;
use lookalike_schema::Schema;

use crate::AuditError;
use crate::attack::Side;
use crate::neighbours::schema;

/// Rows that are drawn from a model to see what it says: anybody may draw as many as they like.
const DRAWN: u64 = 20_000;

/// Numbers that are watched are counted in these parts of a row.
const PARTS: f64 = 1000.0;

/// A tiny table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TinyTable {
    /// One column of two codes: a method has nothing to choose, so nearly all of its budget goes
    /// where the canary is.
    OneColumn,
    /// Three columns of two codes that agree in every row: with choices, scores and tables of
    /// several columns.
    ThreeColumns,
}

impl TinyTable {
    /// Both.
    pub const ALL: [Self; 2] = [Self::OneColumn, Self::ThreeColumns];

    /// In words.
    pub fn name(self) -> String {
        let columns = self.columns();
        format!("{columns} column{}", if columns == 1 { "" } else { "s" })
    }

    pub(super) fn columns(self) -> usize {
        match self {
            TinyTable::OneColumn => 1,
            TinyTable::ThreeColumns => 3,
        }
    }

    pub(super) fn schema(self) -> Result<Schema, AuditError> {
        schema(&vec![2; self.columns()])
    }

    /// The rows, column by column. Under add/remove both codes are frequent, so that no noise makes
    /// a count negative and hides what the canary does to it; the canary has code 1 everywhere.
    /// Under replace-one it is the whole table.
    pub(super) fn rows(self, side: Side, relation: Relation, each: usize) -> Vec<Vec<u32>> {
        let column = match relation {
            Relation::AddRemove => [vec![0; each], vec![1; each + side as usize]].concat(),
            Relation::ReplaceOne => vec![side as u32],
        };
        vec![column; self.columns()]
    }

    /// Rows of one code alone, and the canary beside them.
    pub(super) fn with_one_code(self, side: Side) -> Vec<Vec<u32>> {
        vec![[vec![0; 8], vec![1; side as usize]].concat(); self.columns()]
    }

    /// How many numbers are watched: the rows of each cell, and all rows.
    pub(super) fn features(self) -> usize {
        (1 << self.columns()) + 1
    }

    /// What a model says: the number of rows that it would release, and how many of them each cell
    /// would have, as many drawn rows tell it.
    pub(super) fn of_model(self, model: &Model, seed: u64) -> Result<Vec<i64>, AuditError> {
        // Rows only tell what the model says: which of them a release would keep is no matter, and
        // takes long.
        let sampler = model.sampler(&Sampling::new(DRAWN, seed).with(Replacement::Without))?;
        let mut cells = vec![0u64; 1 << self.columns()];
        for index in 0..sampler.blocks() {
            self.count(&sampler.block(index).columns, &mut cells);
        }
        let rows = model.rows() as f64;
        let share = |count: u64| (PARTS * rows * count as f64 / DRAWN as f64).round() as i64;
        Ok(cells.into_iter().map(share).chain([(PARTS * rows) as i64]).collect())
    }

    /// The rows themselves, where there is no model.
    pub(super) fn of_rows(self, columns: &[Vec<u32>]) -> Vec<i64> {
        let mut cells = vec![0u64; 1 << self.columns()];
        self.count(columns, &mut cells);
        let rows: u64 = cells.iter().sum();
        cells.into_iter().chain([rows]).map(|count| (PARTS * count as f64) as i64).collect()
    }

    fn count(self, columns: &[Vec<u32>], cells: &mut [u64]) {
        for row in 0..columns.first().map_or(0, Vec::len) {
            let cell = columns.iter().fold(0, |cell, column| 2 * cell + column[row] as usize);
            cells[cell] += 1;
        }
    }
}
