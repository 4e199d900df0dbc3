//! Noise on the full contingency table, then marginals of it.

use anyhow::{Result, ensure};
use lookalike_privacy::NoiseBits;
use lookalike_schema::{AttrId, Clique};

use super::baseline::{MarginalTask, distribution};
use crate::marginal::exact;

/// When the cells are made a distribution. PB14 grants Contingency "non-negativity and
/// normalization" and does not say of which table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClippedTable {
    /// The joint table, before it is summed: the positive half of the noise on all the empty cells
    /// ends up in the marginals.
    Joint,
    /// Every marginal after it was summed from the noisy joint, where most of the noise cancels.
    EachMarginal,
}

/// Discrete Laplace noise on every cell of the joint domain, summed to each marginal; `clipped`
/// says which of the two is clipped and normalized.
///
/// # Privacy
/// Neighbours: either relation. The counts of the full table change by s in L1 (c under add/remove
/// with contribution c, 2 under replace-one); discrete Laplace noise of scale s / epsilon, rounded
/// up, drawn exactly, costs a pure epsilon, whatever is computed from it: clipping early or late
/// costs the same. Whether the domain is too
/// large is said by the schema alone.
///
/// Refuses a joint domain of more than `max_cells` cells; at most 2^24 are counted densely.
pub fn contingency(
    task: &MarginalTask,
    clipped: ClippedTable,
    bits: &mut dyn NoiseBits,
    max_cells: u64,
) -> Result<Vec<Vec<f64>>> {
    let domain = task.table.domain();
    let everything = Clique::new(domain.attributes());
    let cells = domain.cells(&everything);
    ensure!(
        cells.is_some_and(|cells| cells <= max_cells),
        "Contingency needs every cell of the joint domain, and this schema has {} (at most {} can be held)",
        cells.map_or("more than 2^64".to_owned(), |cells| cells.to_string()),
        max_cells,
    );
    let noise = task.noise(1)?;
    let mut joint = exact(task.table, std::slice::from_ref(&everything))?.pop().unwrap_or_default();
    noise.add_to(&mut joint, bits);
    let mut joint: Vec<f64> = joint.into_iter().map(|count| count as f64).collect();
    if clipped == ClippedTable::Joint {
        joint = distribution(joint.into_iter());
    }
    let mut estimates = vec![Vec::new(); task.marginals.len()];
    let shape: Vec<(AttrId, usize)> = domain.attributes().map(|a| (a, domain.size(a) as usize)).collect();
    project(&joint, &shape, 0, &(0..task.marginals.len()).collect::<Vec<_>>(), task.marginals, &mut estimates);
    if clipped == ClippedTable::EachMarginal {
        estimates.iter_mut().for_each(|cells| *cells = distribution(std::mem::take(cells).into_iter()));
    }
    Ok(estimates)
}

/// Sums a joint to many marginals. At each column the marginals part: for those that lack it, it is
/// summed out once for all of them. `shape` lists the columns of `cells`; those before `place` are
/// settled.
fn project(
    cells: &[f64],
    shape: &[(AttrId, usize)],
    place: usize,
    wanted: &[usize],
    marginals: &[Clique],
    out: &mut [Vec<f64>],
) {
    let Some(&(attribute, size)) = shape.get(place) else {
        wanted.iter().for_each(|&index| out[index] = cells.to_vec());
        return;
    };
    let (keep, drop): (Vec<usize>, Vec<usize>) =
        wanted.iter().partition(|&&index| marginals[index].contains(attribute));
    if !keep.is_empty() {
        project(cells, shape, place + 1, &keep, marginals, out);
    }
    if !drop.is_empty() {
        let stride: usize = shape[place + 1..].iter().map(|(_, size)| size).product();
        let mut summed = vec![0.0; cells.len() / size];
        for (sums, block) in summed.chunks_exact_mut(stride).zip(cells.chunks_exact(stride * size)) {
            for part in block.chunks_exact(stride) {
                sums.iter_mut().zip(part).for_each(|(sum, cell)| *sum += cell);
            }
        }
        let rest: Vec<(AttrId, usize)> = shape.iter().copied().filter(|&(other, _)| other != attribute).collect();
        project(&summed, &rest, place, &drop, marginals, out);
    }
}
