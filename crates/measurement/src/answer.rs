//! Answers of the curator. Public: they were paid for.

use lookalike_privacy::Step;
use lookalike_schema::{Clique, Domain};

/// Noisy counts of one clique: integers, row-major, last attribute fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct NoisyMarginal {
    /// The attributes.
    pub clique: Clique,
    /// Exact count plus exact integer noise, cell by cell. May be negative.
    pub values: Vec<i64>,
    /// The mechanism that made it.
    pub step: Step,
}

impl NoisyMarginal {
    /// The noise variance of one cell (sigma squared, or the discrete Laplace's variance).
    pub fn variance(&self) -> f64 {
        variance(&self.step)
    }
}

/// A noisy row count; exact under replace-one, where it is public.
#[derive(Clone, Debug, PartialEq)]
pub struct NoisyCount {
    /// The count plus noise. May be negative.
    pub value: i64,
    /// The mechanism that made it; `None` when the count is public.
    pub step: Option<Step>,
}

/// A noisy score: an integer number of grid steps.
#[derive(Clone, Debug, PartialEq)]
pub struct NoisyScore {
    /// The score's steps on the public grid plus integer noise. May be negative.
    pub value: i64,
    /// The mechanism that made it.
    pub step: Step,
}

impl NoisyScore {
    /// The score in rows.
    pub fn rows(&self) -> f64 {
        self.value as f64 / grid(&self.step)
    }

    /// The noise variance, in rows squared.
    pub fn variance(&self) -> f64 {
        variance(&self.step)
    }
}

/// The outcome of a private selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The index of the chosen candidate.
    pub index: usize,
}

/// Rows drawn from a smoothed histogram: each is a cell of all columns, row-major, last column
/// fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnRows {
    /// The cell of each row.
    pub cells: Vec<u32>,
    /// The mechanism that made them.
    pub step: Step,
}

impl DrawnRows {
    /// The codes of every column, in the schema's order.
    pub fn columns(&self, domain: &Domain) -> Vec<Vec<u32>> {
        self.block(0..self.cells.len(), domain)
    }

    /// The same for consecutive rows only, so that rows need not lie in memory twice. Rows that are
    /// not there are left out.
    pub fn block(&self, rows: std::ops::Range<usize>, domain: &Domain) -> Vec<Vec<u32>> {
        let end = rows.end.min(self.cells.len());
        let mut columns: Vec<Vec<u32>> = Vec::with_capacity(domain.len());
        let mut rest = self.cells[rows.start.min(end)..end].to_vec();
        for &size in domain.sizes().iter().rev() {
            columns.push(rest.iter().map(|cell| cell % size).collect());
            rest.iter_mut().for_each(|cell| *cell /= size);
        }
        columns.reverse();
        columns
    }

    /// The share of rows that have each code, for every column in the schema's order; all 0 without
    /// rows.
    pub fn shares(&self, domain: &Domain) -> Vec<Vec<f64>> {
        let mut counts: Vec<Vec<u64>> = domain.sizes().iter().map(|&size| vec![0; size as usize]).collect();
        for &cell in &self.cells {
            let mut rest = cell;
            for (counts, &size) in counts.iter_mut().zip(domain.sizes()).rev() {
                counts[(rest % size) as usize] += 1;
                rest /= size;
            }
        }
        let rows = self.cells.len().max(1) as f64;
        counts.into_iter().map(|counts| counts.into_iter().map(|count| count as f64 / rows).collect()).collect()
    }
}

/// The mechanism of a step in the words of a report.
pub fn mechanism(step: &Step) -> &'static str {
    match step {
        Step::Gaussian { .. } => "discrete Gaussian",
        Step::Laplace { .. } => "discrete Laplace",
        Step::Exponential { .. } => "private selection",
        Step::Threshold { .. } => "discrete Gaussian above a threshold",
        Step::Histogram { .. } => "smoothed histogram",
    }
}

/// How many steps of a step's noise make one row: 1 for counts.
fn grid(step: &Step) -> f64 {
    match step {
        Step::Gaussian { sensitivity, .. } | Step::Laplace { sensitivity, .. } => sensitivity.grid() as f64,
        Step::Exponential { .. } | Step::Threshold { .. } | Step::Histogram { .. } => 1.0,
    }
}

/// The variance of one noisy cell or score of a step, in rows squared; 0 for a selection and for
/// drawn rows.
pub fn variance(step: &Step) -> f64 {
    let grid = grid(step);
    let steps = match step {
        Step::Gaussian { sigma_squared, .. } | Step::Threshold { sigma_squared, .. } => sigma_squared.to_f64(),
        Step::Laplace { scale, .. } => {
            let ratio = (-1.0 / scale.to_f64()).exp();
            2.0 * ratio / ((1.0 - ratio) * (1.0 - ratio))
        }
        Step::Exponential { .. } | Step::Histogram { .. } => 0.0,
    };
    steps / (grid * grid)
}
