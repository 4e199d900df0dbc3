//! Rows of a group exchange their values, so that these follow the other columns.

use lookalike_schema::{AttrId, Filter, Schema};

use super::scores::{Conditionals, middles, sweep};
use super::{Copula, OrderedColumn};
use crate::ModelError;
use crate::sampling::blocks::SPLIT_ROWS;
use crate::structure::tree::TreeModel;

/// How often each score is drawn anew before values are exchanged by them.
const SWEEPS: usize = 4;
/// What the streams are for. Part of what fixes the rows of a seed: never changed.
const STREAM: &str = "lookalike exchange v1";

/// What is needed to let rows exchange values.
#[derive(Debug)]
pub(crate) struct Exchange {
    columns: Vec<OrderedColumn>,
    conditionals: Conditionals,
}

impl Exchange {
    /// Under a filter of several boxes the columns that it names keep their values: a row must stay
    /// in its box.
    pub fn new(
        copula: &Copula,
        schema: &Schema,
        tree: &TreeModel,
        filter: Option<&Filter>,
    ) -> Result<Self, ModelError> {
        let of = |&column: &u32| {
            let found = OrderedColumn::of(schema, tree, AttrId(column))?;
            found.ok_or_else(|| ModelError::shape("the copula has a column whose groups are no runs"))
        };
        let mut columns = copula.columns.iter().map(of).collect::<Result<Vec<_>, _>>()?;
        let boxes = filter.map_or(&[][..], Filter::boxes);
        if boxes.len() > 1 {
            let named = |column: usize| boxes.iter().flat_map(|one| &one.parts).any(|part| part.0.index() == column);
            let keep = columns.iter_mut().filter(|column| named(column.attribute));
            keep.for_each(|column| column.is_wide.fill(false));
        }
        Ok(Self { columns, conditionals: Conditionals::of(copula) })
    }

    /// Exchanges values among rows of the same groups, in parts of the block.
    pub fn within(&self, codes: &mut [Vec<u32>], seed: u64, block: u64) {
        let rows = codes.first().map_or(0, Vec::len);
        let parts = rows.div_ceil(SPLIT_ROWS) as u64;
        for part in 0..parts {
            let first = part as usize * SPLIT_ROWS;
            let here = first..(first + SPLIT_ROWS).min(rows);
            let mut scores = middles(&self.columns, codes, here.clone());
            let key = (seed, STREAM, block * parts.max(LARGEST_PARTS) + part);
            sweep((&self.columns, &self.conditionals), (codes, first), &mut scores, key, SWEEPS);
            for (place, column) in self.columns.iter().enumerate() {
                let score = |row: u32| scores[row as usize * self.columns.len() + place];
                column.exchange(&mut codes[column.attribute][here.clone()], &score);
            }
        }
    }
}

/// Parts that a block may have: streams of blocks must not meet.
const LARGEST_PARTS: u64 = 64;

impl OrderedColumn {
    /// Each group's values in the order of its rows' scores.
    fn exchange(&self, codes: &mut [u32], score: &dyn Fn(u32) -> f64) {
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); self.bounds.len()];
        for (row, &code) in codes.iter().enumerate() {
            let group = self.group_of[code as usize] as usize;
            if self.is_wide[group] {
                members[group].push(row as u32);
            }
        }
        for rows in &mut members {
            let mut values: Vec<u32> = rows.iter().map(|&row| codes[row as usize]).collect();
            values.sort_unstable();
            rows.sort_by(|&a, &b| score(a).total_cmp(&score(b)));
            rows.iter().zip(values).for_each(|(&row, value)| codes[row as usize] = value);
        }
    }
}
