//! The support vector machine with a Gaussian kernel, by sequential minimal optimization.

use std::collections::HashMap;

use super::Points;

/// min over the dual of 1/2 a'Qa - sum a, 0 <= a <= C, y'a = 0, with kernel exp(-gamma |x - z|^2)
/// and a bias.
///
/// Each step solves two variables that are chosen by second-order information (Fan, Chen and Lin,
/// JMLR 2005): the machine of LIBSVM, and so of scikit-learn's `SVC`, without shrinking. Several
/// classes: one machine for each pair of them, and a vote.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RbfSvm {
    /// The price C of a unit of loss.
    pub cost: f64,
    /// The kernel's gamma; left out: 1 / (features times variance), scikit-learn's "scale".
    pub gamma: Option<f64>,
    /// Stop when no pair of variables violates the optimum's conditions by more than this.
    pub tolerance: f64,
    /// Stop after this many steps in any case.
    pub steps: usize,
    /// Kernel rows are kept up to this many bytes.
    pub cache: usize,
}

impl Default for RbfSvm {
    fn default() -> Self {
        Self { cost: 1.0, gamma: None, tolerance: 1e-3, steps: 10_000_000, cache: 256 << 20 }
    }
}

/// A trained machine.
#[derive(Clone, Debug)]
pub struct RbfFit {
    gamma: f64,
    support: Points,
    /// For each pair of classes: both, the weights of support rows, and the bias.
    pairs: Vec<PairFit>,
    classes: usize,
    /// The class to answer where there was nothing to learn.
    only: u32,
}

#[derive(Clone, Debug)]
struct PairFit {
    first: u32,
    second: u32,
    weights: Vec<(u32, f64)>,
    bias: f64,
}

impl RbfSvm {
    /// Trains on rows and their classes, which are below `classes`.
    ///
    /// # Panics
    /// When there are not as many classes given as rows.
    pub fn fit(&self, points: &Points, labels: &[u32], classes: usize) -> RbfFit {
        assert_eq!(points.len(), labels.len(), "one class for each row");
        let scale = points.features() as f64 * points.variance();
        let gamma = self.gamma.unwrap_or(if scale > 0.0 { 1.0 / scale } else { 1.0 });
        let mut rows_of = vec![Vec::new(); classes];
        labels.iter().enumerate().for_each(|(row, &class)| rows_of[class as usize].push(row as u32));
        let mut pairs = Vec::new();
        let mut used = vec![false; points.len()];
        for first in 0..classes {
            for second in first + 1..classes {
                let (a, b) = (&rows_of[first], &rows_of[second]);
                if a.is_empty() || b.is_empty() {
                    continue;
                }
                let rows: Vec<u32> = a.iter().chain(b).copied().collect();
                let (weights, bias) = self.solve(points, &rows, a.len(), gamma);
                weights.iter().for_each(|&(row, _)| used[row as usize] = true);
                pairs.push(PairFit { first: first as u32, second: second as u32, weights, bias });
            }
        }
        let sizes: Vec<f64> = rows_of.iter().map(|rows| rows.len() as f64).collect();
        let only = if sizes.is_empty() { 0 } else { super::largest(&sizes) };
        // Only rows that bear a weight are kept.
        let mut place = vec![0u32; used.len()];
        let mut values = Vec::new();
        for (kept, row) in (0..used.len()).filter(|&row| used[row]).enumerate() {
            place[row] = kept as u32;
            values.extend_from_slice(points.row(row));
        }
        let weights = pairs.iter_mut().flat_map(|pair: &mut PairFit| &mut pair.weights);
        weights.for_each(|(row, _)| *row = place[*row as usize]);
        RbfFit { gamma, support: Points::new(points.features(), values), pairs, classes, only }
    }

    /// One machine: the first `positives` of the rows against the rest.
    fn solve(&self, points: &Points, rows: &[u32], positives: usize, gamma: f64) -> (Vec<(u32, f64)>, f64) {
        let signs: Vec<f64> = (0..rows.len()).map(|index| if index < positives { 1.0 } else { -1.0 }).collect();
        let mut kernel = Kernel::new(points, rows, gamma, self.cache);
        let mut alphas = vec![0.0; rows.len()];
        let mut gradient = vec![-1.0; rows.len()];
        for _ in 0..self.steps {
            let Some((i, j)) = self.choose(&mut kernel, &signs, &alphas, &gradient) else { break };
            let (row_i, row_j) = (kernel.row(i), kernel.row(j));
            let (before_i, before_j) = (alphas[i], alphas[j]);
            let curvature = (2.0 - 2.0 * f64::from(row_i[j])).max(1e-12);
            let step = (signs[j] * gradient[j] - signs[i] * gradient[i]) / curvature;
            // Both move along y'a = constant, as far as the box allows.
            let room = |sign: f64, alpha: f64| if sign > 0.0 { self.cost - alpha } else { alpha };
            let step = step.min(room(signs[i], before_i)).min(room(-signs[j], before_j));
            alphas[i] = self.boxed(before_i + signs[i] * step);
            alphas[j] = self.boxed(before_j - signs[j] * step);
            let (moved_i, moved_j) = (signs[i] * (alphas[i] - before_i), signs[j] * (alphas[j] - before_j));
            for (index, g) in gradient.iter_mut().enumerate() {
                *g += signs[index] * (moved_i * f64::from(row_i[index]) + moved_j * f64::from(row_j[index]));
            }
        }
        let bias = -self.threshold(&signs, &alphas, &gradient);
        let weights = rows.iter().zip(&alphas).zip(&signs).filter(|((_, alpha), _)| **alpha > 0.0);
        (weights.map(|((&row, alpha), sign)| (row, alpha * sign)).collect(), bias)
    }

    /// Into the box; what is a rounding error away from a bound is at the bound, or steps of that
    /// size would go on for ever.
    fn boxed(&self, alpha: f64) -> f64 {
        if alpha < 1e-12 * self.cost {
            0.0
        } else if alpha > (1.0 - 1e-12) * self.cost {
            self.cost
        } else {
            alpha
        }
    }

    /// The pair that promises most, or nothing at the optimum.
    fn choose(
        &self,
        kernel: &mut Kernel<'_>,
        signs: &[f64],
        alphas: &[f64],
        gradient: &[f64],
    ) -> Option<(usize, usize)> {
        let up = |index: usize| if signs[index] > 0.0 { alphas[index] < self.cost } else { alphas[index] > 0.0 };
        let low = |index: usize| if signs[index] > 0.0 { alphas[index] > 0.0 } else { alphas[index] < self.cost };
        let (mut first, mut most) = (None, f64::NEG_INFINITY);
        for index in (0..signs.len()).filter(|&index| up(index)) {
            let violation = -signs[index] * gradient[index];
            if violation > most {
                (first, most) = (Some(index), violation);
            }
        }
        let first = first?;
        let row = kernel.row(first);
        let (mut second, mut best, mut least) = (None, 0.0, f64::INFINITY);
        for index in (0..signs.len()).filter(|&index| low(index)) {
            let violation = -signs[index] * gradient[index];
            least = least.min(violation);
            let gain = most - violation;
            if gain > 0.0 {
                let curvature = (2.0 - 2.0 * f64::from(row[index])).max(1e-12);
                if -gain * gain / curvature < best {
                    (second, best) = (Some(index), -gain * gain / curvature);
                }
            }
        }
        if most - least < self.tolerance { None } else { second.map(|second| (first, second)) }
    }

    /// Where the two classes part, from the free variables, or from the middle of what the bound
    /// ones allow.
    fn threshold(&self, signs: &[f64], alphas: &[f64], gradient: &[f64]) -> f64 {
        let (mut sum, mut free, mut upper, mut lower) = (0.0, 0usize, f64::INFINITY, f64::NEG_INFINITY);
        for ((&sign, &alpha), &gradient) in signs.iter().zip(alphas).zip(gradient) {
            let value = sign * gradient;
            if alpha >= self.cost {
                if sign < 0.0 { upper = upper.min(value) } else { lower = lower.max(value) }
            } else if alpha <= 0.0 {
                if sign > 0.0 { upper = upper.min(value) } else { lower = lower.max(value) }
            } else {
                sum += value;
                free += 1;
            }
        }
        if free > 0 { sum / free as f64 } else { 0.5 * (upper + lower) }
    }
}

impl RbfFit {
    /// The class of a row: the one that most pairs vote for, the first of equals.
    pub fn predict(&self, row: &[f64]) -> u32 {
        if self.pairs.is_empty() {
            return self.only;
        }
        let kernel = self.kernel(row);
        let mut votes = vec![0.0; self.classes];
        for pair in &self.pairs {
            votes[if pair.score(&kernel) > 0.0 { pair.first } else { pair.second } as usize] += 1.0;
        }
        super::largest(&votes)
    }

    /// The score of the first pair of classes: above 0 for the lower class. Nothing when only one
    /// class was seen.
    pub fn score(&self, row: &[f64]) -> Option<f64> {
        self.pairs.first().map(|pair| pair.score(&self.kernel(row)))
    }

    fn kernel(&self, row: &[f64]) -> Vec<f64> {
        (0..self.support.len()).map(|i| gauss(self.gamma, self.support.row(i), row)).collect()
    }
}

impl PairFit {
    fn score(&self, kernel: &[f64]) -> f64 {
        self.weights.iter().map(|&(row, weight)| weight * kernel[row as usize]).sum::<f64>() + self.bias
    }
}

#[inline]
fn gauss(gamma: f64, left: &[f64], right: &[f64]) -> f64 {
    let square: f64 = left.iter().zip(right).map(|(a, b)| (a - b) * (a - b)).sum();
    (-gamma * square).exp()
}

/// Rows of the kernel matrix, made when they are asked for and kept up to a bound.
struct Kernel<'a> {
    points: &'a Points,
    rows: &'a [u32],
    gamma: f64,
    kept: HashMap<usize, std::rc::Rc<[f32]>>,
    order: std::collections::VecDeque<usize>,
    most: usize,
}

impl<'a> Kernel<'a> {
    fn new(points: &'a Points, rows: &'a [u32], gamma: f64, bytes: usize) -> Self {
        let most = (bytes / (4 * rows.len().max(1))).max(2);
        Self { points, rows, gamma, kept: HashMap::new(), order: Default::default(), most }
    }

    fn row(&mut self, index: usize) -> std::rc::Rc<[f32]> {
        if let Some(row) = self.kept.get(&index) {
            return row.clone();
        }
        if self.kept.len() >= self.most
            && let Some(oldest) = self.order.pop_front()
        {
            self.kept.remove(&oldest);
        }
        let own = self.points.row(self.rows[index] as usize);
        let other = |&row: &u32| gauss(self.gamma, own, self.points.row(row as usize)) as f32;
        let row: std::rc::Rc<[f32]> = self.rows.iter().map(other).collect();
        self.kept.insert(index, row.clone());
        self.order.push_back(index);
        row
    }
}
