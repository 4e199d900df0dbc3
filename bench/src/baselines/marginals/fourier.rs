//! Noise on the Fourier coefficients that the marginals need.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use lookalike_privacy::NoiseBits;
use lookalike_schema::{AttrId, Clique};
use lookalike_table::Table;

use super::baseline::{MarginalTask, distribution};
use crate::marginal::exact;

/// Barak et al. 2007 for binary columns: the marginal of A is made of the coefficients f_S = sum
/// over rows of (-1)^(number of ones among S), for all S within A. Marginals share coefficients, so
/// fewer numbers are noised than by Laplace, and the marginals agree before they are clipped.
/// (Their linear programme for non-negative consistent marginals is not used; PB14 clips and
/// normalizes each, and so do we.)
///
/// # Privacy
/// Neighbours: either relation. A coefficient is an integer. One row contributes +1 or -1 to each,
/// so it changes by at most s (c under add/remove with contribution c, 2 under replace-one). The
/// coefficient of the empty set is the row count, which is public, and not noised, under
/// replace-one. With m noised coefficients the L1 sensitivity is m s, and discrete Laplace noise of
/// scale m s / epsilon, rounded up, drawn exactly, costs a pure epsilon.
///
/// Refuses columns that are not binary.
pub(super) fn fourier(task: &MarginalTask, bits: &mut dyn NoiseBits) -> Result<Vec<Vec<f64>>> {
    let binary = |attribute: &AttrId| task.table.domain().size(*attribute) == 2;
    ensure!(
        task.marginals.iter().all(|clique| clique.attributes().iter().all(binary)),
        "Fourier is defined for binary columns; recode the others into bits first"
    );
    let mut coefficients = coefficients(task.table, task.marginals)?;
    let public_count = task.neighbours.row_count().l1() == 0;
    let noised = coefficients.keys().filter(|set| !(public_count && set.is_empty())).count() as u64;
    if noised > 0 {
        let noise = task.noise(noised)?;
        for (set, value) in &mut coefficients {
            if !(public_count && set.is_empty()) {
                noise.add_to(std::slice::from_mut(value), bits);
            }
        }
    }
    let estimate = |clique: &Clique| {
        let mut cells: Vec<f64> = (0..1usize << clique.len())
            .map(|mask| coefficients.get(&subset(clique, mask)).map_or(0.0, |&value| value as f64))
            .collect();
        // The transform is its own inverse up to the number of cells, which normalization
        // removes.
        walsh(&mut cells, |a, b| (a + b, a - b));
        distribution(cells.into_iter())
    };
    Ok(task.marginals.iter().map(estimate).collect())
}

/// The exact coefficients of all subsets of the marginals.
fn coefficients(table: &Table, marginals: &[Clique]) -> Result<BTreeMap<Clique, i64>> {
    let mut out = BTreeMap::new();
    for (clique, mut cells) in marginals.iter().zip(exact(table, marginals)?) {
        walsh(&mut cells, |a, b| (a + b, a - b));
        for (mask, &value) in cells.iter().enumerate() {
            out.insert(subset(clique, mask), value);
        }
    }
    Ok(out)
}

/// The attributes whose bits are set, the last attribute of the clique being the lowest bit, as in
/// its cells.
fn subset(clique: &Clique, mask: usize) -> Clique {
    let last = clique.len().saturating_sub(1);
    let set = |(place, _): &(usize, &AttrId)| mask >> (last - place) & 1 == 1;
    Clique::new(clique.attributes().iter().enumerate().filter(set).map(|(_, &attribute)| attribute))
}

/// The Walsh-Hadamard transform of 2^k cells, in place.
fn walsh<T: Copy>(cells: &mut [T], butterfly: impl Fn(T, T) -> (T, T)) {
    let mut half = 1;
    while half < cells.len() {
        for block in cells.chunks_exact_mut(2 * half) {
            let (left, right) = block.split_at_mut(half);
            for (a, b) in left.iter_mut().zip(right) {
                (*a, *b) = butterfly(*a, *b);
            }
        }
        half *= 2;
    }
}
