//! Minimization of smooth convex functions: L-BFGS with a line search.

use std::collections::VecDeque;

/// A differentiable function of several variables.
pub trait Smooth {
    /// The number of variables.
    fn variables(&self) -> usize;

    /// The value at a point; writes the gradient.
    fn evaluate(&self, point: &[f64], gradient: &mut [f64]) -> f64;
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Minimum {
    /// The point.
    pub point: Vec<f64>,
    /// The length of the gradient there.
    pub gradient: f64,
    /// Iterations taken.
    pub iterations: usize,
}

/// Pairs of steps and gradient changes that are remembered.
const MEMORY: usize = 10;
/// A step must win at least this share of what the gradient promises.
const ENOUGH: f64 = 1e-4;
/// Halvings of one step before we take the function to be flat in floats.
const HALVINGS: usize = 40;

/// Minimizes from 0 until the gradient is shorter than `tolerance`, or for at most `iterations`
/// steps.
///
/// The function is taken to be convex. Steps that bring no decrease in floats end the search.
pub fn minimize(function: &dyn Smooth, tolerance: f64, iterations: usize) -> Minimum {
    let size = function.variables();
    let (mut point, mut gradient) = (vec![0.0; size], vec![0.0; size]);
    let mut value = function.evaluate(&point, &mut gradient);
    let mut memory: VecDeque<CurvaturePair> = VecDeque::new();
    let mut taken = 0;
    while taken < iterations && length(&gradient) > tolerance {
        taken += 1;
        let mut direction = descend(&gradient, &memory);
        let mut slope = dot(&direction, &gradient);
        if slope >= 0.0 {
            // Rounding spoilt the memory.
            memory.clear();
            direction = gradient.iter().map(|g| -g).collect();
            slope = dot(&direction, &gradient);
        }
        // Without memory the direction has no scale of its own.
        let first = if memory.is_empty() { 1.0 / length(&gradient).max(1.0) } else { 1.0 };
        let Some((next, next_gradient, next_value)) = search(function, &point, &direction, value, slope, first) else {
            break;
        };
        let step: Vec<f64> = next.iter().zip(&point).map(|(a, b)| a - b).collect();
        let change: Vec<f64> = next_gradient.iter().zip(&gradient).map(|(a, b)| a - b).collect();
        let curvature = dot(&step, &change);
        if curvature > 1e-12 * length(&step) * length(&change) {
            if memory.len() == MEMORY {
                memory.pop_front();
            }
            memory.push_back(CurvaturePair { step, change, curvature });
        }
        (point, gradient, value) = (next, next_gradient, next_value);
    }
    Minimum { gradient: length(&gradient), iterations: taken, point }
}

struct CurvaturePair {
    step: Vec<f64>,
    change: Vec<f64>,
    curvature: f64,
}

/// Minus the gradient times the remembered inverse curvature (the two-loop recursion).
fn descend(gradient: &[f64], memory: &VecDeque<CurvaturePair>) -> Vec<f64> {
    let mut direction: Vec<f64> = gradient.iter().map(|g| -g).collect();
    let mut shares = Vec::with_capacity(memory.len());
    for pair in memory.iter().rev() {
        let share = dot(&pair.step, &direction) / pair.curvature;
        add(&mut direction, -share, &pair.change);
        shares.push(share);
    }
    if let Some(last) = memory.back() {
        let scale = last.curvature / dot(&last.change, &last.change);
        direction.iter_mut().for_each(|d| *d *= scale);
    }
    for (pair, share) in memory.iter().zip(shares.into_iter().rev()) {
        let back = dot(&pair.change, &direction) / pair.curvature;
        add(&mut direction, share - back, &pair.step);
    }
    direction
}

/// Halves the step until it wins enough. Nothing when even tiny steps do not.
fn search(
    function: &dyn Smooth,
    point: &[f64],
    direction: &[f64],
    value: f64,
    slope: f64,
    first: f64,
) -> Option<(Vec<f64>, Vec<f64>, f64)> {
    let mut size = first;
    let mut gradient = vec![0.0; point.len()];
    for _ in 0..HALVINGS {
        let next: Vec<f64> = point.iter().zip(direction).map(|(p, d)| p + size * d).collect();
        let next_value = function.evaluate(&next, &mut gradient);
        // Below rounding both sides of the first comparison are equal, and the search would never
        // end.
        if next_value <= value + ENOUGH * size * slope && next_value < value {
            return Some((next, gradient, next_value));
        }
        size *= 0.5;
    }
    None
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

fn add(left: &mut [f64], times: f64, right: &[f64]) {
    left.iter_mut().zip(right).for_each(|(a, b)| *a += times * b);
}

fn length(vector: &[f64]) -> f64 {
    dot(vector, vector).sqrt()
}
