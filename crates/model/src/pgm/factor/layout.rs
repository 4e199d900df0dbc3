//! Where the cells of an array lie: row-major, the last axis varying fastest.

use lookalike_schema::{Clique, Domain};

use crate::ModelError;

/// Whether the domain has every attribute of the clique.
pub(crate) fn covers(domain: &Domain, clique: &Clique) -> bool {
    clique.attributes().last().is_none_or(|last| last.index() < domain.len())
}

/// Refuses a clique with attributes that the domain lacks.
pub(crate) fn check_clique(domain: &Domain, clique: &Clique) -> Result<(), ModelError> {
    if covers(domain, clique) {
        return Ok(());
    }
    Err(ModelError::shape("a clique names a column that the domain lacks"))
}

/// The number of codes of each attribute of a clique.
pub(crate) fn shape(domain: &Domain, clique: &Clique) -> Vec<usize> {
    domain.shape(clique).iter().map(|&size| size as usize).collect()
}

/// Row-major strides of an array of this shape.
pub(crate) fn strides(shape: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    strides
}

/// For each cell of a shape, the sum of what its digits stand for on each axis.
pub(crate) fn digit_sums(shape: &[usize], value: impl Fn(usize, usize) -> usize) -> Vec<usize> {
    let mut all = vec![0];
    for (axis, &size) in shape.iter().enumerate() {
        all = all
            .iter()
            .flat_map(|&sum| (0..size).map(move |digit| (sum, digit)))
            .map(|(sum, digit)| sum + value(axis, digit))
            .collect();
    }
    all
}

/// The values of an array with its axes put into another order: `order[i]` is the old place of new
/// axis `i`.
pub fn permuted(values: &[f64], shape: &[usize], order: &[usize]) -> Vec<f64> {
    let mut out = vec![0.0; values.len()];
    permute_into(values, shape, order, &mut out);
    out
}

/// As [`permuted`], into a buffer.
pub(crate) fn permute_into(values: &[f64], shape: &[usize], order: &[usize], out: &mut [f64]) {
    if order.iter().enumerate().all(|(new, &old)| new == old) {
        out.copy_from_slice(values);
        return;
    }
    let lengths: Vec<usize> = order.iter().map(|&old| shape[old]).collect();
    let strides = strides(shape);
    let steps: Vec<usize> = order.iter().map(|&old| strides[old]).collect();
    let (Some(&inner), Some(&step)) = (lengths.last(), steps.last()) else { return };
    let mut digits = vec![0usize; lengths.len()];
    let mut base = 0;
    for row in out.chunks_exact_mut(inner) {
        for (place, cell) in row.iter_mut().enumerate() {
            *cell = values[base + place * step];
        }
        for axis in (0..lengths.len() - 1).rev() {
            digits[axis] += 1;
            base += steps[axis];
            if digits[axis] < lengths[axis] {
                break;
            }
            base -= steps[axis] * lengths[axis];
            digits[axis] = 0;
        }
    }
}
