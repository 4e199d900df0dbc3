//! All raw figures of two tables.

use lookalike_schema::{AttrId, Schema};
use lookalike_table::TableError;
use rayon::prelude::*;

use super::column::{Ascending, MOST_DIFFERENT, RawColumn, compare_numbers};
use super::correlate::{Correlations, RankedColumn, correlate};
use super::group::{GroupFigures, LEAST_ROWS, ValueGroups};
use super::holes::{MissingTogether, missing_together};
use super::table::RawTable;
use crate::distance::Cancelled;

/// Raw figures of two tables: the real one, and another that is held against it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawComparison {
    /// The columns of numbers, dates and moments, in column order.
    pub columns: Vec<(AttrId, RawColumn)>,
    /// All pairs of these.
    pub pairs: Vec<RawPair>,
    /// Every such column by every category, and by every other one with few different values.
    pub groups: Vec<GroupFigures>,
    /// Columns that are missing together.
    pub missing: Vec<MissingTogether>,
    /// Shares of missing cells of all columns, words included.
    pub missing_shares: Vec<[f64; 2]>,
    /// Rows of both tables that pairs, groups and missing cells were looked at on.
    pub rows: [u64; 2],
}

/// A pair of columns of numbers in both tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawPair {
    /// The first column.
    pub first: AttrId,
    /// The second column.
    pub second: AttrId,
    /// In the real table.
    pub real: Correlations,
    /// In the other table.
    pub other: Correlations,
}

/// The columns of numbers, dates and moments.
pub(crate) fn number_columns(schema: &Schema) -> Vec<AttrId> {
    schema.domain().attributes().filter(|&attribute| schema.codec(attribute).is_numeric()).collect()
}

/// Compares two tables of a schema in their own numbers.
///
/// # Errors
/// When it was cancelled.
///
/// # Panics
/// When a table does not have the schema's columns.
pub fn compare_raw(
    schema: &Schema,
    real: &RawTable,
    other: &RawTable,
    cancelled: Cancelled<'_>,
) -> Result<RawComparison, TableError> {
    let column = |&attribute: &AttrId| {
        let [real, other] = [real, other].map(|table| Ascending::new(table.columns()[attribute.index()].clone()));
        (attribute, compare_numbers(&real, &other))
    };
    let columns: Vec<(AttrId, RawColumn)> = number_columns(schema).par_iter().map(column).collect();
    compare_relations(schema, real, other, columns, cancelled)
}

/// The same with figures of columns that were made before, perhaps on more rows.
pub(crate) fn compare_relations(
    schema: &Schema,
    real: &RawTable,
    other: &RawTable,
    columns: Vec<(AttrId, RawColumn)>,
    cancelled: Cancelled<'_>,
) -> Result<RawComparison, TableError> {
    let stop = || if cancelled() { Err(TableError::Cancelled) } else { Ok(()) };
    for table in [real, other] {
        assert_eq!(table.columns().len(), schema.domain().len(), "one vector of cells for each modelled column");
    }
    stop()?;
    let pairs = pairs(real, other, &columns, &stop)?;
    stop()?;
    let groups = groups(schema, real, other, &columns, &stop)?;
    stop()?;
    let missing = missing_together(real.columns(), other.columns());
    let share = |cells: &Vec<f64>| match cells.len() {
        0 => 0.0,
        rows => cells.iter().filter(|cell| cell.is_nan()).count() as f64 / rows as f64,
    };
    let both = real.columns().iter().zip(other.columns());
    Ok(RawComparison {
        columns,
        pairs,
        groups,
        missing,
        missing_shares: both.map(|(real, other)| [share(real), share(other)]).collect(),
        rows: [real.rows() as u64, other.rows() as u64],
    })
}

type StopCheck<'a> = &'a (dyn Fn() -> Result<(), TableError> + Sync);

fn pairs(
    real: &RawTable,
    other: &RawTable,
    columns: &[(AttrId, RawColumn)],
    stop: StopCheck<'_>,
) -> Result<Vec<RawPair>, TableError> {
    let axes = [real, other].map(|table| {
        let axis = |(attribute, _): &(AttrId, RawColumn)| RankedColumn::new(&table.columns()[attribute.index()]);
        columns.par_iter().map(axis).collect::<Vec<_>>()
    });
    let all: Vec<(usize, usize)> = (0..columns.len()).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    let one = |&(a, b): &(usize, usize)| {
        stop()?;
        let [real, other] = [0, 1].map(|side| correlate(&axes[side][a], &axes[side][b]));
        Ok(RawPair { first: columns[a].0, second: columns[b].0, real, other })
    };
    let mut found = all.par_iter().map(one).collect::<Result<Vec<RawPair>, TableError>>()?;
    found.sort_by_key(|pair| (pair.first, pair.second));
    Ok(found)
}

fn groups(
    schema: &Schema,
    real: &RawTable,
    other: &RawTable,
    columns: &[(AttrId, RawColumn)],
    stop: StopCheck<'_>,
) -> Result<Vec<GroupFigures>, TableError> {
    let few = |attribute: AttrId| {
        let known = columns.iter().find(|(column, _)| *column == attribute);
        known.is_none_or(|(_, column)| column.different < MOST_DIFFERENT)
    };
    let by = |category: AttrId| {
        stop()?;
        let grouping = ValueGroups::new(&real.columns()[category.index()], &other.columns()[category.index()]);
        let numbers = columns.iter().filter(|(number, figures)| *number != category && figures.counts());
        let one = |&(number, _): &(AttrId, RawColumn)| {
            let [real, other] = [real, other].map(|table| &table.columns()[number.index()][..]);
            grouping.compare([category, number], real, other, LEAST_ROWS)
        };
        Ok(numbers.map(one).collect::<Vec<_>>())
    };
    let categories: Vec<AttrId> = schema.domain().attributes().filter(|&attribute| few(attribute)).collect();
    Ok(categories.into_par_iter().map(by).collect::<Result<Vec<_>, TableError>>()?.concat())
}
