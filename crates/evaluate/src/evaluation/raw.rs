//! Both files in their own numbers, and what the bins alone cost.

use lookalike_schema::{AttrId, Schema};
use lookalike_table::{RawFile, ReadWatch, Table, TableError};
use rayon::prelude::*;

use crate::EvaluationRng;
use crate::number::whole;
use crate::raw::comparison::{compare_relations, number_columns};
use crate::raw::table::{decoded_column, read_columns};
use crate::raw::{Ascending, RawColumn, RawComparison, RawTable, compare_numbers, compare_raw};

/// How much of the files is held in memory at a time.
#[derive(Clone, Copy, Debug)]
pub struct RawLimits {
    /// Rows of each table that pairs, groups and missing cells are looked at on, at most. All
    /// figures of smaller tables are exact.
    pub rows: usize,
    /// Bytes for whole columns of larger tables: as many columns as fit are read in one pass over
    /// the files.
    pub bytes: u64,
}

impl Default for RawLimits {
    fn default() -> Self {
        Self { rows: 200_000, bytes: 1 << 30 }
    }
}

/// What was found in the cells as they stand. Steward-only.
#[derive(Clone, Debug, PartialEq)]
pub struct RawEvaluation {
    /// The synthetic table against the real one.
    pub synthetic: RawComparison,
    /// The real table, coded and decoded again, against itself: what the schema's bins lose before
    /// any noise.
    pub bins: RawComparison,
    /// Rows of both files.
    pub rows: [u64; 2],
}

impl RawEvaluation {
    /// Whether pairs, groups and missing cells were looked at on some rows only.
    pub fn is_sample(&self) -> bool {
        self.rows != self.synthetic.rows
    }

    /// What was looked at on some rows only, in a sentence.
    pub fn sample(&self) -> Option<String> {
        let [real, synthetic] = self.synthetic.rows.map(whole);
        self.is_sample().then(|| {
            format!(
                "Raw values: single columns on all rows; pairs, groups and cells missing together on {real} real and {synthetic} synthetic \
                 rows drawn at random."
            )
        })
    }
}

/// Compares two files in their own numbers. `real` holds the rows of the first file as codes,
/// `synthetic_rows` is the number of the second one's. Files of more rows than the limit are read
/// several times.
///
/// # Errors
/// When a file cannot be read, does not fit the schema, or the watch asked to stop.
pub fn evaluate_raw(
    files: [&RawFile; 2],
    real: &Table,
    synthetic_rows: u64,
    seed: u64,
    limits: &RawLimits,
    watch: &dyn ReadWatch,
) -> Result<RawEvaluation, TableError> {
    let schema = real.schema();
    let rows = [real.rows(), synthetic_rows];
    let cancelled = || watch.cancelled();
    let places = [0, 1].map(|side| {
        let mut rng = EvaluationRng::new(seed, "raw rows", side as u64);
        (rows[side] > limits.rows as u64).then(|| rng.choose(rows[side], limits.rows))
    });
    let first = RawTable::read(files[0], schema, places[0].as_deref(), watch)?;
    let second = RawTable::read(files[1], schema, places[1].as_deref(), watch)?;
    let decoded = RawTable::decoded(real, places[0].as_deref(), seed)?;
    let (synthetic, bins) = if places == [None, None] {
        (compare_raw(schema, &first, &second, &cancelled)?, compare_raw(schema, &first, &decoded, &cancelled)?)
    } else {
        let (columns, bins) = whole_columns(files, real, rows, seed, limits, watch)?;
        let synthetic = compare_relations(schema, &first, &second, columns, &cancelled)?;
        (synthetic, compare_relations(schema, &first, &decoded, bins, &cancelled)?)
    };
    Ok(RawEvaluation { synthetic, bins, rows })
}

/// Figures of columns, by attribute.
type ColumnFigures = Vec<(AttrId, RawColumn)>;

/// Figures of single columns on all rows, a few columns a pass: against the synthetic and the
/// decoded real ones.
fn whole_columns(
    files: [&RawFile; 2],
    real: &Table,
    rows: [u64; 2],
    seed: u64,
    limits: &RawLimits,
    watch: &dyn ReadWatch,
) -> Result<(ColumnFigures, ColumnFigures), TableError> {
    let schema: &Schema = real.schema();
    let numbers = number_columns(schema);
    // Of each column, the real cells, the synthetic ones, and the decoded ones with their codes.
    let column_bytes = 8 * rows[0] + 8 * rows[1] + 12 * rows[0];
    let at_once = usize::try_from(limits.bytes / column_bytes.max(1)).unwrap_or(usize::MAX).max(1);
    let (mut columns, mut bins) = (ColumnFigures::new(), ColumnFigures::new());
    for attributes in numbers.chunks(at_once) {
        let first = read_columns(files[0], schema, attributes, None, watch)?;
        let second = read_columns(files[1], schema, attributes, None, watch)?;
        let one = |((&attribute, first), second): ((&AttrId, Vec<f64>), Vec<f64>)| {
            if watch.cancelled() {
                return Err(TableError::Cancelled);
            }
            let first = Ascending::new(first);
            let found = compare_numbers(&first, &Ascending::new(second));
            let decoded = Ascending::new(decoded_column(real, attribute, None, seed)?);
            Ok(((attribute, found), (attribute, compare_numbers(&first, &decoded))))
        };
        let found = attributes.par_iter().zip(first).zip(second).map(one).collect::<Result<Vec<_>, TableError>>()?;
        let (these, those): (ColumnFigures, ColumnFigures) = found.into_iter().unzip();
        columns.extend(these);
        bins.extend(those);
    }
    Ok((columns, bins))
}
