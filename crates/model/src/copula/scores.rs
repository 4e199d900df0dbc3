//! Normal scores of rows, drawn given the rows' groups and the copula: Gibbs sampling.

use rayon::prelude::*;

use super::normal::{FARTHEST, below, between, quantile};
use super::{Copula, OrderedColumn};
use crate::SampleRng;

/// Rows that share a stream of the generator. Part of what fixes the rows of a seed: never changed.
const CHUNK_ROWS: usize = 1024;
/// Added to the diagonal, so that columns which say the same do not divide by nothing.
const RIDGE: f64 = 1e-3;

/// Each column's score given the others': a mean that is linear in them, and a spread.
#[derive(Clone, Debug)]
pub(super) struct Conditionals {
    slopes: Vec<f64>,
    spreads: Vec<f64>,
}

impl Conditionals {
    pub fn of(copula: &Copula) -> Self {
        let count = copula.columns.len();
        let mut ridged = copula.correlations.clone();
        (0..count).for_each(|place| ridged[place * count + place] += RIDGE);
        let inverse = inverse(ridged, count);
        let own = |row: usize| inverse[row * count + row].max(f64::MIN_POSITIVE);
        let slope = |place: usize| {
            let (row, column) = (place / count, place % count);
            if row == column { 0.0 } else { -inverse[place] / own(row) }
        };
        Self {
            slopes: (0..count * count).map(slope).collect(),
            spreads: (0..count).map(|row| own(row).recip().sqrt()).collect(),
        }
    }
}

/// Scores row by row, to begin with: the middle of each row's groups.
pub(super) fn middles(columns: &[OrderedColumn], codes: &[Vec<u32>], rows: std::ops::Range<usize>) -> Vec<f64> {
    let count = columns.len();
    let mut scores = vec![0.0; rows.len() * count];
    for (place, column) in columns.iter().enumerate() {
        let middle = |&(low, high): &(f64, f64)| quantile(0.5 * (below(low) + below(high)));
        let middles: Vec<f64> = column.bounds.iter().map(middle).collect();
        for (row, &code) in codes[column.attribute][rows.clone()].iter().enumerate() {
            scores[row * count + place] = middles[column.group_of[code as usize] as usize];
        }
    }
    scores
}

/// Draws every score anew given the others, `times` times. The rows are those of the codes from
/// `first` on. Same key, same scores on any number of threads.
pub(super) fn sweep(
    (columns, conditionals): (&[OrderedColumn], &Conditionals),
    (codes, first): (&[Vec<u32>], usize),
    scores: &mut [f64],
    (seed, purpose, stream): (u64, &'static str, u64),
    times: usize,
) {
    let count = columns.len();
    let chunks = scores.len().div_ceil(CHUNK_ROWS * count) as u64;
    scores.par_chunks_mut(CHUNK_ROWS * count).enumerate().for_each(|(chunk, scores)| {
        let mut rng = SampleRng::new(seed, purpose, stream * chunks + chunk as u64);
        for (row, scores) in scores.chunks_mut(count).enumerate() {
            let row = first + chunk * CHUNK_ROWS + row;
            for _ in 0..times {
                for (place, column) in columns.iter().enumerate() {
                    let (low, high) = column.bounds(codes[column.attribute][row]);
                    let slopes = &conditionals.slopes[place * count..(place + 1) * count];
                    let mean: f64 = slopes.iter().zip(&*scores).map(|(slope, score)| slope * score).sum();
                    let spread = conditionals.spreads[place];
                    let drawn = between((low - mean) / spread, (high - mean) / spread, rng.uniform());
                    scores[place] = (mean + spread * drawn).clamp(low.max(-FARTHEST), high.min(FARTHEST));
                }
            }
        }
    });
}

/// The inverse of a positive definite matrix (Gauss and Jordan).
fn inverse(mut matrix: Vec<f64>, count: usize) -> Vec<f64> {
    let mut inverse = vec![0.0; count * count];
    (0..count).for_each(|place| inverse[place * count + place] = 1.0);
    for pivot in 0..count {
        let scale = matrix[pivot * count + pivot].max(1e-9).recip();
        for column in 0..count {
            matrix[pivot * count + column] *= scale;
            inverse[pivot * count + column] *= scale;
        }
        for row in (0..count).filter(|&row| row != pivot) {
            let factor = matrix[row * count + pivot];
            for column in 0..count {
                matrix[row * count + column] -= factor * matrix[pivot * count + column];
                inverse[row * count + column] -= factor * inverse[pivot * count + column];
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::inverse;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let matrix = vec![1.0, 0.9, 0.2, 0.9, 1.0, 0.4, 0.2, 0.4, 1.0];
        let inverse = inverse(matrix.clone(), 3);
        for (row, column) in (0..3).flat_map(|row| (0..3).map(move |column| (row, column))) {
            let sum: f64 = (0..3).map(|k| matrix[row * 3 + k] * inverse[k * 3 + column]).sum();
            assert!((sum - f64::from(u8::from(row == column))).abs() < 1e-12);
        }
    }
}
