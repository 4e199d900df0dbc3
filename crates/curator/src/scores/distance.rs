//! L1 distance of a marginal's counts to a fixed vector, such as a model's answer.
//!
//! The vector comes from outside and is fixed: a model's answer is scaled by the noisy n before it
//! gets here. Rescaling it to the true n inside would double the sensitivity, so there is no way to
//! ask for that.
//!
//! On the grid: sum over cells of |G c - v|, where v is the vector times G, rounded to whole
//! numbers first.
//!
//! # Privacy
//! | neighbours | sensitivity |
//! |---|---|
//! | add/remove, contribution c | c (triangle inequality: counts move by c in L1) |
//! | replace-one | 2 |
//!
//! Times G, plus one grid step. The rounding of v is public and the rest is exact, so the step is
//! to spare.
//!
//! # Precision
//! Exact: |v| <= 2^64, G c <= 2^80 and at most 2^28 cells stay far below the 2^127 of `i128`.

use crate::scores::GRID;
use crate::{CountTable, CuratorError, check};

/// The largest entry of a model's vector, in rows.
const LARGEST_EXPECTED: f64 = (1u64 << 48) as f64;

/// The score of the table on the grid. `expected` was checked against the clique's cells.
pub(crate) fn score(table: &CountTable, expected: &[f64]) -> i128 {
    let grid = i128::from(GRID);
    let empty = |value: f64| on_grid(value).abs();
    match table {
        CountTable::Dense(counts) => {
            counts.iter().zip(expected).map(|(&count, &value)| (grid * i128::from(count) - on_grid(value)).abs()).sum()
        }
        CountTable::Sparse { .. } => {
            let mut sum: i128 = expected.iter().map(|&value| empty(value)).sum();
            table.for_each_occupied(|cell, count| {
                let value = expected[cell as usize];
                sum += (grid * i128::from(count) - on_grid(value)).abs() - empty(value);
            });
            sum
        }
    }
}

/// The nearest grid point: a function of public numbers alone. Scaling by a power of two is exact.
fn on_grid(value: f64) -> i128 {
    (value * GRID as f64).round() as i128
}

/// The vector has one finite entry a cell.
pub(crate) fn check(cells: u64, expected: &[f64]) -> Result<(), CuratorError> {
    if expected.len() as u64 != cells {
        return Err(check::query(format!("a model's answer has {} entries for {cells} cells", expected.len())));
    }
    // The comparison also refuses NaN.
    if !expected.iter().all(|value| value.abs() <= LARGEST_EXPECTED) {
        return Err(check::query("a model's answer has an entry that is not a finite number of rows".into()));
    }
    Ok(())
}
