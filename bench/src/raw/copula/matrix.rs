//! A correlation matrix made positive definite, and its root.

/// Eigenvalues below this are raised to it.
const LEAST_EIGENVALUE: f64 = 1e-4;
/// Rounds over all pairs; Jacobi's rotations need fewer than ten.
const MOST_SWEEPS: usize = 30;

/// A matrix whose product with its transpose is the nearest sound correlation matrix: eigenvalues
/// that noise made negative are raised, and the diagonal is 1 again.
pub fn rooted(matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let (values, mut root) = eigen(matrix);
    for row in &mut root {
        row.iter_mut().zip(&values).for_each(|(entry, value)| *entry *= value.max(LEAST_EIGENVALUE).sqrt());
        let length = row.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
        row.iter_mut().for_each(|entry| *entry /= length);
    }
    root
}

/// The eigenvalues of a symmetric matrix, and its eigenvectors as columns (Jacobi).
fn eigen(mut matrix: Vec<Vec<f64>>) -> (Vec<f64>, Vec<Vec<f64>>) {
    let size = matrix.len();
    let mut vectors: Vec<Vec<f64>> =
        (0..size).map(|i| (0..size).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for _ in 0..MOST_SWEEPS {
        let apart: f64 = (0..size).flat_map(|i| matrix[i][..i].iter()).map(|entry| entry * entry).sum();
        if apart < 1e-18 {
            break;
        }
        for i in 0..size {
            for j in 0..i {
                rotate(&mut matrix, &mut vectors, i, j);
            }
        }
    }
    ((0..size).map(|i| matrix[i][i]).collect(), vectors)
}

/// Turns two axes so that their entry off the diagonal is 0.
fn rotate(matrix: &mut [Vec<f64>], vectors: &mut [Vec<f64>], i: usize, j: usize) {
    if matrix[i][j].abs() < 1e-15 {
        return;
    }
    let half = (matrix[j][j] - matrix[i][i]) / (2.0 * matrix[i][j]);
    let tangent = half.signum() / (half.abs() + (half * half + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    let turned = |a: f64, b: f64| (cosine * a - sine * b, sine * a + cosine * b);
    for row in matrix.iter_mut().chain(vectors) {
        (row[i], row[j]) = turned(row[i], row[j]);
    }
    // The second axis stands before the first.
    let (before, behind) = matrix.split_at_mut(i);
    for (one, two) in behind[0].iter_mut().zip(&mut before[j]) {
        (*one, *two) = turned(*one, *two);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(root: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let product = |a: &Vec<f64>, b: &Vec<f64>| a.iter().zip(b).map(|(a, b)| a * b).sum();
        root.iter().map(|a| root.iter().map(|b| product(a, b)).collect()).collect()
    }

    #[test]
    fn a_sound_matrix_stays_itself() {
        let matrix = vec![vec![1.0, 0.6, -0.3], vec![0.6, 1.0, 0.1], vec![-0.3, 0.1, 1.0]];
        let back = square(&rooted(matrix.clone()));
        for (row, wanted) in back.iter().zip(&matrix) {
            row.iter().zip(wanted).for_each(|(found, wanted)| assert!((found - wanted).abs() < 1e-9));
        }
    }

    #[test]
    fn an_impossible_matrix_is_mended() {
        let matrix = vec![vec![1.0, 0.9, -0.9], vec![0.9, 1.0, 0.9], vec![-0.9, 0.9, 1.0]];
        let back = square(&rooted(matrix));
        for (i, row) in back.iter().enumerate() {
            assert!((row[i] - 1.0).abs() < 1e-12);
            assert!(row.iter().all(|entry| entry.abs() <= 1.0 + 1e-12));
        }
        assert!(back[0][1] > 0.3 && back[0][2] < -0.3);
    }
}
