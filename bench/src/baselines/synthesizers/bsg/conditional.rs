//! Noisy conditional distributions.

use anyhow::Result;
use lookalike_privacy::{DiscreteLaplace, NoiseBits, Rational};

use super::structure::Network;
use crate::baselines::synthesizers::composition::each;
use crate::baselines::synthesizers::draws::cumulative;

/// The distribution of each column for each configuration of its parents, as running sums.
pub struct Conditional {
    /// The parents.
    pub parents: Vec<usize>,
    /// The codes of each parent.
    pub sizes: Vec<usize>,
    /// Running sums of chances, a configuration after the other.
    pub sums: Vec<Vec<f64>>,
}

impl Conditional {
    /// The running sums for a record.
    pub fn sums(&self, record: &[u32]) -> &[f64] {
        let add = |at, (&parent, size): (&usize, &usize)| at * size + record[parent] as usize;
        &self.sums[self.parents.iter().zip(&self.sizes).fold(0, add)]
    }

    /// The chance of a code for a record.
    pub fn chance(&self, record: &[u32], code: u32) -> f64 {
        let (sums, code) = (self.sums(record), code as usize);
        (sums[code] - if code == 0 { 0.0 } else { sums[code - 1] }) / sums[sums.len() - 1]
    }
}

/// Conditionals from noisy counts, with one more row in every cell.
///
/// # Privacy
/// A row changes one count of each column's table by 1. The budget is divided over the columns by
/// advanced composition. Drawn exactly.
pub(super) fn conditionals(
    network: &Network,
    columns: &[Vec<u32>],
    sizes: &[usize],
    (epsilon, delta): (f64, f64),
    bits: &mut dyn NoiseBits,
) -> Result<Vec<Conditional>> {
    let share = each(epsilon, sizes.len() as f64, delta);
    let noise = DiscreteLaplace::new(Rational::at_least(1.0 / share)?)?;
    let mut tables = Vec::with_capacity(sizes.len());
    for (column, parents) in network.parents.iter().enumerate() {
        let shape: Vec<usize> = parents.iter().map(|&parent| sizes[parent]).collect();
        let mut counts = vec![0i64; shape.iter().product::<usize>() * sizes[column]];
        for (row, &code) in columns[column].iter().enumerate() {
            let add = |at, (&parent, size): (&usize, &usize)| at * size + columns[parent][row] as usize;
            let at = parents.iter().zip(&shape).fold(0, add);
            counts[at * sizes[column] + code as usize] += 1;
        }
        noise.add_to(&mut counts, bits);
        let sums =
            |cells: &[i64]| cumulative(&cells.iter().map(|&count| count.max(0) as f64 + 1.0).collect::<Vec<_>>());
        let sums = counts.chunks(sizes[column]).map(sums).collect();
        tables.push(Conditional { parents: parents.clone(), sizes: shape, sums });
    }
    Ok(tables)
}
