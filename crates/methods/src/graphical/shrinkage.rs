//! Counts of cells that should be nearly empty, drawn towards what is expected of them.
//!
//! A table of strongly related columns has few full cells and many empty ones. The noise of these
//! puts rows where nobody is, and fits can only cut off what is below 0. What the model expects, or
//! of two ordered columns a normal copula that is fitted to the answer itself, says which cells
//! these are.
//!
//! # Privacy
//! Post-processing of paid answers: free of charge.

use lookalike_model::nearest_copula;
use lookalike_schema::Clique;

use super::Columns;

/// A count is likely to be off by this many times what is expected of it.
const LIKELY: f64 = 3.0;
/// An answer this many deviations of its noise away from that is taken as it is.
const STANDS_OUT: f64 = 4.0;
/// Columns of fewer groups have no copula that says more than their table.
const FEWEST_GROUPS: usize = 3;
/// A table is held to be so much better known at most.
const LEAST_KEPT: f64 = 0.2;

/// The cells of a clique as they are fitted, and their variance: each between the answer and what
/// was expected of it before, by the variances of both.
pub(super) fn shrunk(
    columns: &Columns,
    clique: &Clique,
    answer: &[f64],
    expected: &[f64],
    variance: f64,
) -> (Vec<f64>, f64) {
    let expected = with_copula(columns, clique, answer, expected);
    let mut all_kept = 0.0;
    let one = |(&found, &expected): (&f64, &f64)| {
        let likely = (LIKELY * expected).powi(2);
        let is_far = (found - expected).powi(2) > STANDS_OUT.powi(2) * variance;
        let kept = if is_far { 1.0 } else { likely / (likely + variance).max(f64::MIN_POSITIVE) };
        all_kept += kept;
        expected + kept * (found - expected)
    };
    let cells: Vec<f64> = answer.iter().zip(&expected).map(one).collect();
    let mean_kept = all_kept / cells.len().max(1) as f64;
    (cells, variance * mean_kept.max(LEAST_KEPT))
}

/// What is expected of a pair of ordered columns where both have values, from the answer itself.
fn with_copula(columns: &Columns, clique: &Clique, answer: &[f64], expected: &[f64]) -> Vec<f64> {
    let mut made = expected.to_vec();
    let [first, second] = clique.attributes() else { return made };
    let (rows, groups) = (columns.ordered[first.index()], columns.ordered[second.index()]);
    if rows.min(groups) < FEWEST_GROUPS {
        return made;
    }
    let width = columns.domain().size(*second) as usize;
    let inner = |cells: &[f64]| cells.chunks(width).take(rows).flat_map(|row| row[..groups].to_vec()).collect();
    let (counts, usual): (Vec<f64>, Vec<f64>) = (inner(answer), inner(expected));
    let down: Vec<f64> = usual.chunks(groups).map(|row| row.iter().sum()).collect();
    let across: Vec<f64> = (0..groups).map(|group| usual.iter().skip(group).step_by(groups).sum()).collect();
    let table = nearest_copula(&counts, [&down, &across]);
    made.chunks_mut(width).zip(table.chunks(groups)).for_each(|(row, found)| row[..groups].copy_from_slice(found));
    made
}

#[cfg(test)]
mod tests {
    use lookalike_schema::{AttrId, Schema};

    use super::*;

    fn columns() -> (Columns, Clique) {
        let text = "[columns.a]\ntype = 'integer'\nrange = [0, 3]\nmissing = true\n\
                    [columns.b]\ntype = 'integer'\nrange = [0, 3]\n";
        let schema = Schema::parse(text, "test").unwrap();
        (Columns::plain(&schema).unwrap(), Clique::new([AttrId(0), AttrId(1)]))
    }

    /// Full cells stay as they were answered, cells that should be empty lose nearly all of their
    /// noise, and what stands out stays although nobody expected it.
    #[test]
    fn empty_cells_lose_their_noise_and_full_ones_nothing() {
        let (columns, clique) = columns();
        let mut answer = vec![0.0; 20];
        for (cell, count) in answer.iter_mut().enumerate() {
            let noise = [12.0, -9.0, 5.0][cell % 3];
            *count = if cell / 4 == cell % 4 { 1000.0 + noise } else { noise };
        }
        // Missing beside the last value.
        answer[19] = 300.0;
        let product = vec![200.0; 20];
        let (cells, variance) = shrunk(&columns, &clique, &answer, &product, 100.0);
        for row in 0..4 {
            for column in 0..4 {
                let (cell, place) = (cells[4 * row + column], (row, column));
                if row == column {
                    assert!((cell - answer[4 * row + column]).abs() < 0.5, "{place:?}: {cell}");
                } else if row.abs_diff(column) > 1 {
                    assert!(cell.abs() < 0.5, "{place:?}: {cell}");
                }
            }
        }
        assert!((cells[19] - 300.0).abs() < 0.5 && (20.0..70.0).contains(&variance), "{variance}");
        // Without a copula: a model that expects nobody.
        let (cells, _) = shrunk(&columns, &Clique::single(AttrId(0)), &[8.0, 60.0], &[0.0, 0.0], 100.0);
        assert_eq!(cells, [0.0, 60.0]);
    }
}
