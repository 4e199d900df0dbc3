//! Counts that came back, as tables of the form that was asked for.

use std::collections::HashSet;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use lookalike_curator::{CountTable, CuratorError};

use super::request::CountRequest;

/// Tables of more cells are held by their occupied cells.
const MOST_DENSE: u64 = 1 << 24;

/// The tables of a request from batches of three columns: the number of a clique (`Int32`), that of
/// a cell and its count (`Int64`). Every occupied cell comes once, in whatever order.
///
/// `Err`, in fixed words, when something else came: a cell that comes twice would be a partition
/// that was counted twice.
pub fn answered(request: &CountRequest, batches: &[RecordBatch]) -> Result<Vec<CountTable>, CuratorError> {
    let mut tables = Vec::with_capacity(request.cliques.len());
    for clique in &request.cliques {
        let cells = request.cells(clique).ok_or_else(|| refused("has too many cells"))?;
        tables.push(if cells <= MOST_DENSE {
            Counted::Dense(vec![None; cells as usize])
        } else {
            Counted::Sparse { entries: Vec::new(), seen: HashSet::new(), cells }
        });
    }
    for batch in batches {
        take(&mut tables, batch).ok_or_else(|| refused("does not have the form that was asked for"))?;
    }
    Ok(tables.into_iter().map(Counted::finished).collect())
}

fn refused(what: &str) -> CuratorError {
    CuratorError::Engine { what: format!("an answer of the engine {what}; nothing is released") }
}

/// A table in the making.
enum Counted {
    Dense(Vec<Option<u64>>),
    Sparse { entries: Vec<(u64, u64)>, seen: HashSet<u64>, cells: u64 },
}

impl Counted {
    /// `None` when there is no such cell, or it is there already.
    fn put(&mut self, cell: u64, count: u64) -> Option<()> {
        match self {
            Self::Dense(counts) => match counts.get_mut(usize::try_from(cell).ok()?)? {
                Some(_) => None,
                place => {
                    *place = Some(count);
                    Some(())
                }
            },
            Self::Sparse { entries, seen, cells } => {
                entries.push((cell, count));
                (cell < *cells && seen.insert(cell)).then_some(())
            }
        }
    }

    fn finished(self) -> CountTable {
        match self {
            Self::Dense(counts) => CountTable::Dense(counts.into_iter().map(Option::unwrap_or_default).collect()),
            Self::Sparse { mut entries, cells, .. } => {
                entries.sort_unstable();
                CountTable::Sparse { entries, cells }
            }
        }
    }
}

/// `None` when the batch is of another form.
fn take(tables: &mut [Counted], batch: &RecordBatch) -> Option<()> {
    if batch.num_columns() != 3 || batch.columns().iter().any(|column| column.null_count() > 0) {
        return None;
    }
    let cliques = batch.column(0).as_primitive_opt::<Int32Type>()?.values();
    let cells = batch.column(1).as_primitive_opt::<Int64Type>()?.values();
    let counts = batch.column(2).as_primitive_opt::<Int64Type>()?.values();
    for ((&clique, &cell), &count) in cliques.iter().zip(cells).zip(counts) {
        let table = tables.get_mut(usize::try_from(clique).ok()?)?;
        table.put(u64::try_from(cell).ok()?, u64::try_from(count).ok()?)?;
    }
    Some(())
}
