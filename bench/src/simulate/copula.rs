//! Bernoulli columns that depend on each other through a Gaussian copula: X_j = 1 when the j-th
//! normal is below 0.

use anyhow::{Result, ensure};
use lookalike_table::Table;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::draw::{coded_schema, normal_pair};

/// The correlation matrix (4.6) of the Aalborg report: 1, 0.6, 0.5, 0.4, 0.3 by distance from the
/// diagonal.
pub const MATRIX_4_6: [[f64; 5]; 5] = [
    [1.0, 0.6, 0.5, 0.4, 0.3],
    [0.6, 1.0, 0.6, 0.5, 0.4],
    [0.5, 0.6, 1.0, 0.6, 0.5],
    [0.4, 0.5, 0.6, 1.0, 0.6],
    [0.3, 0.4, 0.5, 0.6, 1.0],
];

/// A Gaussian copula with thresholds at the median, so that every column is 1 half of the time.
#[derive(Clone, Debug, PartialEq)]
pub struct Copula {
    /// The lower triangle L with L L' = the correlation matrix.
    factor: Vec<Vec<f64>>,
}

impl Copula {
    /// From a correlation matrix: square, symmetric, 1 on the diagonal, positive definite.
    pub fn new(correlations: &[impl AsRef<[f64]>]) -> Result<Self> {
        let d = correlations.len();
        let at = |i: usize, j: usize| correlations[i].as_ref()[j];
        for (i, row) in correlations.iter().enumerate() {
            ensure!(row.as_ref().len() == d, "the correlation matrix is not square");
            ensure!(at(i, i) == 1.0, "the correlation matrix needs 1 on its diagonal");
        }
        ensure!((0..d).all(|i| (0..i).all(|j| at(i, j) == at(j, i))), "the correlation matrix is not symmetric");
        let mut factor = vec![vec![0.0; d]; d];
        for i in 0..d {
            for j in 0..=i {
                let rest = at(i, j) - (0..j).map(|k| factor[i][k] * factor[j][k]).sum::<f64>();
                factor[i][j] = if i == j { rest.max(0.0).sqrt() } else { rest / factor[j][j] };
                ensure!(i != j || rest > 1e-12, "the correlation matrix is not positive definite");
            }
        }
        Ok(Self { factor })
    }

    /// The report's copula, of five columns.
    pub fn report() -> Result<Self> {
        Self::new(&MATRIX_4_6)
    }

    /// Draws a table of binary columns.
    pub fn table(&self, rows: usize, seed: u64) -> Result<Table> {
        let d = self.factor.len();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut columns = vec![Vec::with_capacity(rows); d];
        let mut normals = vec![0.0; d + 1];
        for _ in 0..rows {
            for pair in normals.chunks_mut(2) {
                pair.iter_mut().zip(normal_pair(&mut rng)).for_each(|(out, normal)| *out = normal);
            }
            for (column, weights) in columns.iter_mut().zip(&self.factor) {
                let value: f64 = weights.iter().zip(&normals).map(|(weight, normal)| weight * normal).sum();
                column.push(u32::from(value < 0.0));
            }
        }
        Ok(Table::from_columns(&coded_schema(&vec![2; d])?, columns))
    }
}
