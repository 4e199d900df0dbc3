//! Solvers against brute force and known optima.

use super::svm::hinge_loss;
use super::{Examples, LinearSvm, Smooth, minimize};
use crate::EvaluationRng;

fn dense(rows: &[([f64; 2], bool)]) -> Examples {
    let mut examples = Examples::new(2);
    for (row, positive) in rows {
        examples.push(row.iter().enumerate().map(|(i, &v)| (i as u32, v)), *positive);
    }
    examples
}

fn objective(examples: &Examples, weights: &[f64], cost: f64) -> f64 {
    0.5 * weights.iter().map(|w| w * w).sum::<f64>() + cost * hinge_loss(examples, weights)
}

#[test]
fn separable_data_are_separated() {
    let examples = dense(&[([2.0, 1.0], true), ([1.5, 2.0], true), ([-1.0, -2.0], false), ([-2.0, 0.5], false)]);
    let fit = LinearSvm { cost: 100.0, tolerance: 1e-6, ..LinearSvm::default() }.fit(&examples);
    assert_eq!(examples.misclassified(&fit.weights), 0.0);
    assert!(hinge_loss(&examples, &fit.weights) < 1e-4, "all margins reach 1 at a high price");
}

#[test]
fn the_optimum_of_a_tiny_problem_is_the_one_found_by_brute_force() {
    let rows = [
        ([1.0, 0.2], true),
        ([0.3, 0.9], true),
        ([-0.2, 0.4], true),
        ([0.1, -1.0], false),
        ([0.8, -0.1], false),
        ([-0.7, -0.3], false),
    ];
    let examples = dense(&rows);
    let fit = LinearSvm { tolerance: 1e-9, ..LinearSvm::default() }.fit(&examples);
    let found = objective(&examples, &fit.weights, 1.0);
    let mut best = f64::INFINITY;
    for i in -600..=600 {
        for j in -600..=600 {
            best = best.min(objective(&examples, &[f64::from(i) * 0.005, f64::from(j) * 0.005], 1.0));
        }
    }
    // The grid misses the optimum by at most a step of 0.0025 times a slope of less than 10.
    assert!(found <= best + 1e-9 && found > best - 0.05, "{found} against {best}");
    assert!((0.0..1e-6).contains(&fit.gap.max(0.0)), "gap {}", fit.gap);
}

/// Noisy labels over a plane: many variables end up at their bounds, so shrinking is used.
fn noisy(count: usize) -> Examples {
    let mut rng = EvaluationRng::new(3, "noisy", 0);
    let mut examples = Examples::new(20);
    for _ in 0..count {
        let row: Vec<f64> = (0..20).map(|_| rng.uniform() - 0.5).collect();
        let positive = row[0] + row[1] - 0.5 * row[2] + 0.5 * (rng.uniform() - 0.5) > 0.0;
        examples.push(row.iter().enumerate().map(|(i, &v)| (i as u32, v)), positive);
    }
    examples
}

#[test]
fn the_gap_closes_and_one_pass_is_not_enough() {
    let examples = noisy(500);
    let fit = |passes, tolerance| LinearSvm { passes, tolerance, ..LinearSvm::default() }.fit(&examples);
    let (good, poor) = (fit(10_000, 1e-5), fit(1, 1e-5));
    let scale = objective(&examples, &good.weights, 1.0);
    assert!(good.gap < 1e-4 * scale && good.passes < 10_000, "gap {} of {scale}", good.gap);
    assert!(poor.gap > 1e-2 * scale, "gap {} of {scale}", poor.gap);
    assert!(examples.misclassified(&good.weights) < 0.25);
}

#[test]
fn no_examples_and_empty_rows_give_no_weights() {
    assert_eq!(LinearSvm::default().fit(&Examples::new(3)).weights, [0.0; 3]);
    let mut empty = Examples::new(3);
    empty.push([], true);
    let fit = LinearSvm::default().fit(&empty);
    assert_eq!(fit.weights, [0.0; 3]);
    assert_eq!(Examples::new(3).misclassified(&[0.0; 3]), 0.0);
}

/// sum of scale_i (x_i - i)^2 / 2 + (x_i - i)^4: convex, badly scaled, least at x_i = i.
struct Bowl(Vec<f64>);

impl Smooth for Bowl {
    fn variables(&self) -> usize {
        self.0.len()
    }

    fn evaluate(&self, point: &[f64], gradient: &mut [f64]) -> f64 {
        let mut value = 0.0;
        for (i, scale) in self.0.iter().enumerate() {
            let off = point[i] - i as f64;
            value += 0.5 * scale * off * off + off.powi(4);
            gradient[i] = scale * off + 4.0 * off.powi(3);
        }
        value
    }
}

#[test]
fn smooth_minimum_is_found() {
    let bowl = Bowl(vec![1e-2, 1.0, 1e2, 1e4, 10.0]);
    let minimum = minimize(&bowl, 1e-9, 500);
    assert!(minimum.gradient <= 1e-9, "{minimum:?}");
    for (i, value) in minimum.point.iter().enumerate() {
        assert!((value - i as f64).abs() < 1e-3, "{minimum:?}");
    }
    assert!(minimize(&bowl, 1e-9, 2).gradient > 1.0, "two steps are not enough");
}
