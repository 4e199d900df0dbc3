//! Least squares over a question's table, by conjugate gradients.
//!
//! With `P` the sums of a family and `W` its precisions, the table `x` that fits all families best
//! solves `A x = sum of P' W y` with the information matrix `A = sum of P' W P`. The sum over a set
//! of cells that the families determine has the estimate `e . x` and the variance `e . A^+ e`,
//! where
//! `e` marks the set. `A` is never made: it is applied, family by family.

use super::family::AnswerFamily;
use super::question::MarginalQuestion;

/// Steps that are taken at most. Without groups there are as many different eigenvalues as sets of
/// columns, and each takes one step; groups of unequal sizes need some dozens.
const MOST_STEPS: usize = 500;
/// The share of the first residual, squared, at which a solution is good enough.
const GOOD_ENOUGH: f64 = 1e-22;
/// The share above which there is no solution when all steps are taken. A variance grows from below
/// with each step: one that is not reached would be too small.
const USABLE: f64 = 1e-12;
/// The share of the right side, squared, below which a first residual is mostly rounding.
const ROUNDING: f64 = 1e-6;

/// The equations.
pub(super) struct LeastSquares<'a> {
    families: &'a [AnswerFamily],
    /// For each family, the cell that each cell of the question's table belongs to.
    cell_of: Vec<Vec<u32>>,
    diagonal: Vec<f64>,
}

impl<'a> LeastSquares<'a> {
    pub fn new(question: &MarginalQuestion, families: &'a [AnswerFamily]) -> Self {
        let mut cell_of = Vec::with_capacity(families.len());
        let mut diagonal = vec![0.0; question.cells * question.others];
        for family in families {
            let offsets = family.offsets(question);
            let mut cells = Vec::with_capacity(diagonal.len());
            question.each_cell(|_, codes| {
                let place = family.place(codes);
                cells.extend(offsets.iter().map(|offset| (place + offset) as u32));
            });
            let precision = cells.iter().map(|&cell: &u32| family.precisions[cell as usize]);
            diagonal.iter_mut().zip(precision).for_each(|(sum, precision)| *sum += precision);
            cell_of.push(cells);
        }
        Self { families, cell_of, diagonal }
    }

    /// The table that fits all families best; where they leave it open, the smallest change of an
    /// even one.
    pub fn estimate(&self) -> Option<Vec<f64>> {
        let cells = self.diagonal.len();
        let mut right = vec![0.0; cells];
        for (family, cell_of) in self.families.iter().zip(&self.cell_of) {
            let told: Vec<f64> = family.values.iter().zip(&family.precisions).map(|(y, w)| y * w).collect();
            right.iter_mut().zip(cell_of).for_each(|(right, &cell)| *right += told[cell as usize]);
        }
        let (weight, sum) = self.families.iter().fold((0.0, 0.0), |(weight, sum), family| {
            let variance: f64 = family.precisions.iter().map(|precision| precision.recip()).sum();
            (weight + variance.recip(), sum + family.values.iter().sum::<f64>() / variance)
        });
        // The total is often far better known than anything else; from an even table on, it does
        // not drown the rest.
        let even = if weight > 0.0 { sum / weight / cells as f64 } else { 0.0 };
        self.solve(right, even)
    }

    /// `A^+ e` for the cells that are marked by 1.
    pub fn direction(&self, marked: Vec<f64>) -> Option<Vec<f64>> {
        self.solve(marked, 0.0)
    }

    /// The sums of a table over the cells of a family.
    pub fn sums(&self, family: usize, table: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.families[family].values.len()];
        self.cell_of[family].iter().zip(table).for_each(|(&cell, value)| sums[cell as usize] += value);
        sums
    }

    /// The cells of a family, for each cell of the question's table.
    pub fn cell_of(&self, family: usize) -> &[u32] {
        &self.cell_of[family]
    }

    fn apply(&self, table: &[f64], result: &mut [f64]) {
        result.fill(0.0);
        for (place, family) in self.families.iter().enumerate() {
            let mut sums = self.sums(place, table);
            sums.iter_mut().zip(&family.precisions).for_each(|(sum, precision)| *sum *= precision);
            result.iter_mut().zip(&self.cell_of[place]).for_each(|(result, &cell)| *result += sums[cell as usize]);
        }
    }

    fn solve(&self, right: Vec<f64>, even: f64) -> Option<Vec<f64>> {
        let mut found = vec![even; right.len()];
        let mut image = vec![0.0; right.len()];
        let scaled = |rest: &[f64]| -> Vec<f64> {
            let one = |(rest, diagonal): (&f64, &f64)| if *diagonal > 0.0 { rest / diagonal } else { 0.0 };
            rest.iter().zip(&self.diagonal).map(one).collect()
        };
        let rounding = ROUNDING * dot(&right, &scaled(&right));
        let mut rest = right;
        if even != 0.0 {
            self.apply(&found, &mut image);
            rest.iter_mut().zip(&image).for_each(|(rest, image)| *rest -= image);
        }
        let mut direction = scaled(&rest);
        let mut size = dot(&rest, &direction);
        let first = size.max(rounding);
        for _ in 0..MOST_STEPS {
            if size <= GOOD_ENOUGH * first {
                break;
            }
            self.apply(&direction, &mut image);
            let step = size / dot(&direction, &image);
            if !step.is_finite() {
                break;
            }
            found.iter_mut().zip(&direction).for_each(|(found, direction)| *found += step * direction);
            rest.iter_mut().zip(&image).for_each(|(rest, image)| *rest -= step * image);
            let next = scaled(&rest);
            let new_size = dot(&rest, &next);
            let turn = new_size / size;
            direction.iter_mut().zip(&next).for_each(|(direction, next)| *direction = next + turn * *direction);
            size = new_size;
        }
        (size <= USABLE * first).then_some(found)
    }
}

pub(super) fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}
