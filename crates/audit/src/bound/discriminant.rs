//! One number from many: the direction in which two clouds of points lie farthest apart for their
//! width (Fisher's linear discriminant). For Gaussian clouds of one shape a threshold on it is the
//! best test there is; for others it is a good one.
//!
//! Like everything that is picked, it is learned on runs of its own: a poor direction makes a low
//! bound, never a false one.

/// What a step of the score stands for: scores are whole numbers.
const STEPS: f64 = 1000.0;

/// Added to every variance, as a share of it: several watched numbers may be sums of the others.
const RIDGE: f64 = 1e-6;

/// Weights of the watched numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Discriminant {
    weights: Vec<f64>,
}

impl Discriminant {
    /// Learned from points, `features` numbers each; larger for the second cloud. `None` where
    /// nothing varies.
    pub fn learn(before: &[i64], after: &[i64], features: usize) -> Option<Self> {
        if features == 0 || before.len() < features || after.len() < features {
            return None;
        }
        let (first, second) = (mean(before, features), mean(after, features));
        let mut scatter = vec![vec![0.0; features]; features];
        add_scatter(&mut scatter, before, &first);
        add_scatter(&mut scatter, after, &second);
        let most = (0..features).map(|place| scatter[place][place]).fold(0.0, f64::max);
        if most <= 0.0 {
            return None;
        }
        for (place, row) in scatter.iter_mut().enumerate() {
            row[place] += RIDGE * row[place] + 1e-9 * most;
        }
        let gap: Vec<f64> = first.iter().zip(&second).map(|(one, other)| other - one).collect();
        let direction = solved(scatter, gap)?;
        // Scaled so that one standard deviation is about `STEPS`.
        let spread = |points: &[i64], mean: &[f64]| -> f64 {
            points.chunks(features).map(|point| dot(&direction, point, mean).powi(2)).sum()
        };
        let runs = ((before.len() + after.len()) / features) as f64;
        let width = ((spread(before, &first) + spread(after, &second)) / runs).sqrt();
        let fine = width.is_finite() && width > 0.0;
        fine.then(|| Self { weights: direction.iter().map(|weight| weight * STEPS / width).collect() })
    }

    /// The score of a point.
    pub fn score(&self, point: &[i64]) -> i64 {
        self.weights.iter().zip(point).map(|(weight, &value)| weight * value as f64).sum::<f64>().round() as i64
    }
}

fn dot(weights: &[f64], point: &[i64], mean: &[f64]) -> f64 {
    weights.iter().zip(point).zip(mean).map(|((weight, &value), mean)| weight * (value as f64 - mean)).sum()
}

fn mean(points: &[i64], features: usize) -> Vec<f64> {
    let mut sums = vec![0.0; features];
    for point in points.chunks(features) {
        sums.iter_mut().zip(point).for_each(|(sum, &value)| *sum += value as f64);
    }
    let runs = (points.len() / features) as f64;
    sums.iter().map(|sum| sum / runs).collect()
}

fn add_scatter(scatter: &mut [Vec<f64>], points: &[i64], mean: &[f64]) {
    let runs = (points.len() / mean.len()) as f64;
    for point in points.chunks(mean.len()) {
        let off: Vec<f64> = point.iter().zip(mean).map(|(&value, mean)| value as f64 - mean).collect();
        for (row, one) in scatter.iter_mut().zip(&off) {
            row.iter_mut().zip(&off).for_each(|(cell, other)| *cell += one * other / runs);
        }
    }
}

/// Gauss-Jordan with pivots; `None` for a singular matrix.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    for column in 0..size {
        let pivot = (column..size).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column] == 0.0 {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let line = matrix[column].clone();
        let value = right[column];
        for row in (0..size).filter(|&row| row != column) {
            let factor = matrix[row][column] / line[column];
            matrix[row].iter_mut().zip(&line).for_each(|(cell, other)| *cell -= factor * other);
            right[row] -= factor * value;
        }
    }
    Some((0..size).map(|place| right[place] / matrix[place][place]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two numbers that move together, and a third that is their sum; only the difference of the
    /// first two tells the clouds apart.
    #[test]
    fn it_finds_what_no_single_number_shows() {
        let point = |run: i64, moved: i64| {
            let (common, own) = ((run * 7919) % 1000, (run * 31) % 7);
            [common + own + moved, common, 2 * common + own + moved]
        };
        let cloud = |moved: i64| -> Vec<i64> { (0..500).flat_map(|run| point(run, moved)).collect() };
        let (before, after) = (cloud(0), cloud(20));
        let found = Discriminant::learn(&before, &after, 3).unwrap();
        let most = before.chunks(3).map(|point| found.score(point)).max().unwrap();
        let least = after.chunks(3).map(|point| found.score(point)).min().unwrap();
        assert!(least > most, "{least} {most}");
    }

    #[test]
    fn points_that_do_not_vary_have_no_direction() {
        assert_eq!(Discriminant::learn(&[1; 30], &[1; 30], 3), None);
        assert_eq!(Discriminant::learn(&[1, 2], &[1, 2], 3), None);
    }
}
