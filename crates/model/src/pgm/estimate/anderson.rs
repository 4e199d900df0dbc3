//! Mirror descent from the best combination of recent iterates.

use super::options::Options;
use super::problem::FitProblem;
use super::stop::StoppingRule;
use crate::ModelError;
use crate::pgm::factor::kernel::{self, VectorLevel};

/// Iterates that are combined.
const DEPTH: usize = 8;
/// The same for large problems, where history is what fills the memory.
const SHALLOW: usize = 5;
const LARGE: usize = 1 << 16;
/// Added to the diagonal of the scaled normal equations: histories may be nearly dependent, and are
/// kept in single precision.
const RIDGE: f64 = 1e-10;
/// After a success the rate becomes this much larger, with and without a history.
const GROW: f64 = 1.1;
const GROW_PLAIN: f64 = 2.0;
const SHRINK: f64 = 0.25;
/// After this many failures in a step the history is forgotten.
const PATIENCE: usize = 2;
/// A plain step must lower the loss by this share of what the slope promised.
const LEAST_KEPT: f64 = 0.3;
/// Shorter steps than this share of the first are no steps.
const SHORTEST: f64 = 1e-12;

/// The last steps of the potentials and what they changed in the residual, as rings.
///
/// Single precision: they only choose a direction, and every point is then evaluated in full.
struct History {
    depth: usize,
    steps: Vec<Vec<f32>>,
    changes: Vec<Vec<f32>>,
    /// Inner products of the changes with each other, and with the present residual.
    gram: [[f64; DEPTH]; DEPTH],
    slopes: [f64; DEPTH],
    filled: usize,
    next: usize,
}

impl History {
    fn new(cells: usize) -> Self {
        let depth = if cells > LARGE { SHALLOW } else { DEPTH };
        Self {
            depth,
            steps: vec![vec![0.0; cells]; depth],
            changes: vec![vec![0.0; cells]; depth],
            gram: [[0.0; DEPTH]; DEPTH],
            slopes: [0.0; DEPTH],
            filled: 0,
            next: 0,
        }
    }

    fn forget(&mut self) {
        (self.filled, self.next) = (0, 0);
    }

    /// The weights of the changes that lower the loss most: least squares by the normal equations.
    fn weights(&self) -> [f64; DEPTH] {
        let count = self.filled;
        let mut matrix = [[0.0; DEPTH]; DEPTH];
        let mut right = [0.0; DEPTH];
        let unit: [f64; DEPTH] = std::array::from_fn(|row| {
            let norm = self.gram[row][row];
            if row < count && norm > 0.0 { 1.0 / norm.sqrt() } else { 0.0 }
        });
        for row in 0..count {
            for column in 0..count {
                matrix[row][column] = unit[row] * unit[column] * self.gram[row][column];
            }
            matrix[row][row] = 1.0 + RIDGE;
            right[row] = unit[row] * self.slopes[row];
        }
        solve(&mut matrix, &mut right, count);
        std::array::from_fn(|row| right[row] * unit[row])
    }

    /// Takes in the step from the point to the trial, the last pass being there.
    fn record(&mut self, problem: &mut FitProblem, trial: &[f64]) {
        let slot = self.next;
        for ((step, &to), &from) in self.steps[slot].iter_mut().zip(trial).zip(&problem.point) {
            *step = (to - from) as f32;
        }
        let change = &mut self.changes[slot];
        problem.take_residual(|cells, old, new| {
            for ((change, &old), &new) in change[cells].iter_mut().zip(old).zip(new) {
                *change = (new - old) as f32;
            }
        });
        self.next = (slot + 1) % self.depth;
        self.filled = (self.filled + 1).min(self.depth);
        let level = VectorLevel::detect();
        for row in 0..self.filled {
            let product = kernel::dot_narrow(level, &self.changes[row], &self.changes[slot]);
            self.gram[row][slot] = product;
            self.gram[slot][row] = product;
            // The residual has moved by the new change, so older products with it follow without
            // another sweep. Rounding cannot pile up: a row lives for a few steps only.
            self.slopes[row] += product;
        }
        self.slopes[slot] = kernel::dot_mixed(level, &self.changes[slot], &problem.residual);
    }
}

/// Solves a small positive system in place, by Cholesky; nearly dependent rows are kept apart by
/// the ridge.
#[allow(clippy::needless_range_loop)] // rows and columns of one matrix: indices say it best
fn solve(matrix: &mut [[f64; DEPTH]; DEPTH], right: &mut [f64; DEPTH], count: usize) {
    for row in 0..count {
        for column in 0..=row {
            let mut sum = matrix[row][column];
            for inner in 0..column {
                sum -= matrix[row][inner] * matrix[column][inner];
            }
            matrix[row][column] = match row == column {
                true => sum.max(RIDGE).sqrt(),
                false => sum / matrix[column][column],
            };
        }
        for inner in 0..row {
            right[row] -= matrix[row][inner] * right[inner];
        }
        right[row] /= matrix[row][row];
    }
    for row in (0..count).rev() {
        for inner in row + 1..count {
            right[row] -= matrix[inner][row] * right[inner];
        }
        right[row] /= matrix[row][row];
    }
}

/// Descends until the fit is done. False when that is at the limit of passes.
pub(super) fn descend(problem: &mut FitProblem, options: &Options) -> Result<bool, ModelError> {
    let usual = 0.5 * problem.measured_cells() as f64;
    let share = options.noise_share.map(|share| share * usual);
    let enough = options.enough.into_iter().chain(share).reduce(f64::max);
    let options = &Options { enough, ..options.clone() };
    let mut stop = StoppingRule::new(problem.measured_cells());
    let mut history = History::new(problem.point.len());
    let mut trial = problem.point.clone();
    let first = problem.first_rate();
    let mut rate = first;
    while problem.passes < options.passes {
        let (mut step, mut tries) = (rate, 0);
        loop {
            propose(problem, &history, step, &mut trial);
            let loss = problem.try_at(&trial)?;
            // A plain step that falls by little of what its slope promised went too far, into where
            // cells are all but empty and hardly move any more.
            let asked = if history.filled > 0 { 0.0 } else { LEAST_KEPT * problem.promised() };
            if problem.loss - loss > asked {
                problem.loss = loss;
                break;
            }
            tries += 1;
            step *= SHRINK;
            if tries == PATIENCE && history.filled > 0 {
                // The plain step gets its own tries, from the full rate on.
                history.forget();
                (step, tries) = (rate, 0);
            }
            if step < SHORTEST * first {
                return Ok(true);
            }
        }
        let grow = if history.filled > 0 { GROW } else { GROW_PLAIN };
        rate = if tries == 0 { step * grow } else { step };
        history.record(problem, &trial);
        std::mem::swap(&mut problem.point, &mut trial);
        if stop.after(problem.loss, options) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The next trial: the combination, and a gradient step from it.
fn propose(problem: &FitProblem, history: &History, rate: f64, trial: &mut [f64]) {
    let count = history.filled;
    let steps: [&[f32]; DEPTH] = rows(&history.steps);
    let changes: [&[f32]; DEPTH] = rows(&history.changes);
    kernel::anderson_step(
        VectorLevel::detect(),
        trial,
        &problem.point,
        &problem.residual,
        &steps[..count],
        &changes[..count],
        &history.weights()[..count],
        rate,
    );
}

/// The rows of a history, without an allocation.
fn rows(all: &[Vec<f32>]) -> [&[f32]; DEPTH] {
    std::array::from_fn(|row| all.get(row).map_or(&[][..], Vec::as_slice))
}
