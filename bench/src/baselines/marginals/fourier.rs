//! Noise on the Fourier coefficients that the marginals need.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use lookalike_privacy::NoiseBits;
use lookalike_schema::{Clique, Domain};

use super::baseline::{MarginalTask, distribution};
use crate::marginal::exact;

/// Barak et al. 2007 for binary columns: the marginal of A is made of the coefficients f_S = sum
/// over rows of (-1)^(number of ones among S), for all S within A. Marginals share coefficients, so
/// fewer numbers are noised than by Laplace, and the marginals agree before they are clipped.
/// (Their linear programme for non-negative consistent marginals is not used; PB14 clips and
/// normalizes each, and so do we.)
///
/// Other columns go through bits: a column of m codes becomes ceil(log2 m) of them, and a marginal
/// is that of all bits of its columns. Codes beyond m, where only noise can be, are dropped before
/// the marginal is clipped and normalized.
///
/// # Privacy
/// Neighbours: either relation. A coefficient is an integer. One row contributes +1 or -1 to each,
/// so it changes by at most s (c under add/remove with contribution c, 2 under replace-one). The
/// coefficient of the empty set is the row count, which is public, and not noised, under
/// replace-one. With m noised coefficients the L1 sensitivity is m s, and discrete Laplace noise of
/// scale m s / epsilon, rounded up, drawn exactly, costs a pure epsilon. Bits change nothing of
/// this: they follow from the schema, row by row, and dropping codes is post-processing.
///
/// Refuses columns of more than 128 bits together.
pub(super) fn fourier(task: &MarginalTask, bits: &mut dyn NoiseBits) -> Result<Vec<Vec<f64>>> {
    let code_bits = CodeBits::new(task.table.domain())?;
    let mut coefficients: BTreeMap<u128, i64> = BTreeMap::new();
    for (clique, counts) in task.marginals.iter().zip(exact(task.table, task.marginals)?) {
        let (places, cells) = (code_bits.places(clique), code_bits.cells(clique));
        let mut all = vec![0; 1 << places.len()];
        cells.iter().zip(counts).for_each(|(&cell, count)| all[cell] = count);
        walsh(&mut all, |a, b| (a + b, a - b));
        coefficients.extend(all.into_iter().enumerate().map(|(mask, value)| (subset(&places, mask), value)));
    }
    let public_count = task.neighbours.row_count().l1() == 0;
    let noised = coefficients.keys().filter(|&&set| !(public_count && set == 0)).count() as u64;
    if noised > 0 {
        let noise = task.noise(noised)?;
        for (&set, value) in &mut coefficients {
            if !(public_count && set == 0) {
                noise.add_to(std::slice::from_mut(value), bits);
            }
        }
    }
    let estimate = |clique: &Clique| {
        let places = code_bits.places(clique);
        let mut all: Vec<f64> = (0..1usize << places.len())
            .map(|mask| coefficients.get(&subset(&places, mask)).map_or(0.0, |&value| value as f64))
            .collect();
        // The transform is its own inverse up to the number of cells, which normalization
        // removes.
        walsh(&mut all, |a, b| (a + b, a - b));
        distribution(code_bits.cells(clique).into_iter().map(|cell| all[cell]))
    };
    Ok(task.marginals.iter().map(estimate).collect())
}

/// How codes are written in bits: for each column its number of codes, its number of bits, and the
/// place of the first of them among the bits of all columns.
struct CodeBits(Vec<(usize, u32, u32)>);

impl CodeBits {
    fn new(domain: &Domain) -> Result<Self> {
        let mut columns = Vec::with_capacity(domain.len());
        let mut place = 0;
        for &size in domain.sizes() {
            let bits = u32::BITS - size.saturating_sub(1).leading_zeros();
            columns.push((size as usize, bits, place));
            place += bits;
        }
        ensure!(place <= u128::BITS, "Fourier has room for 128 bits, and the columns of this schema have {place}");
        Ok(Self(columns))
    }

    /// The places of a clique's bits, the highest bit of each column first.
    fn places(&self, clique: &Clique) -> Vec<u32> {
        let columns = clique.attributes().iter().map(|attribute| self.0[attribute.index()]);
        columns.flat_map(|(_, bits, place)| place..place + bits).collect()
    }

    /// The cell among the bits of every cell of the marginal.
    fn cells(&self, clique: &Clique) -> Vec<usize> {
        clique.attributes().iter().fold(vec![0], |cells, attribute| {
            let (size, bits, _) = self.0[attribute.index()];
            cells.iter().flat_map(|cell| (0..size).map(move |code| (cell << bits) + code)).collect()
        })
    }
}

/// The bits that a mask picks, the last being its lowest, as in the cells.
fn subset(places: &[u32], mask: usize) -> u128 {
    let picked = places.iter().rev().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
    picked.fold(0, |set, (_, &place)| set | 1 << place)
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
