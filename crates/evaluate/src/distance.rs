//! Total variation distances of marginals.

use lookalike_schema::{AttrId, Clique, Domain, SchemaError};
use lookalike_table::{CellCounts, Table, TableError};
use rayon::prelude::*;

/// Asked now and then whether to stop.
pub type Cancelled<'a> = &'a (dyn Fn() -> bool + Sync);

/// Counts of at most about this many cells are held at a time (a larger clique goes alone).
const BATCH_CELLS: u64 = 1 << 24;

/// Total variation distances (half the L1 distance of the normalized counts) of the given
/// marginals, in order.
///
/// Two empty tables are at distance 0; an empty and a filled one at distance 1. Refuses tables of
/// different shape and cliques with attributes that the tables lack.
pub fn marginal_distances(real: &Table, synthetic: &Table, cliques: &[Clique]) -> Result<Vec<f64>, TableError> {
    distances(real, synthetic, cliques, &|| false)
}

/// Like [`marginal_distances`], and can be stopped.
pub(crate) fn distances(
    real: &Table,
    synthetic: &Table,
    cliques: &[Clique],
    cancelled: Cancelled<'_>,
) -> Result<Vec<f64>, TableError> {
    let mut out = Vec::with_capacity(cliques.len());
    let apart = |_: &Clique, left: &CellCounts, right: &CellCounts| total_variation(left, right);
    each_marginal(real, synthetic, cliques, cancelled, apart, |distance| out.push(distance))?;
    Ok(out)
}

/// Counts marginals of both tables, batch by batch; what is made of each is kept in their order.
///
/// # Errors
/// When the tables differ in shape, cannot be read back, or the work was cancelled.
pub(crate) fn each_marginal<T: Send>(
    real: &Table,
    synthetic: &Table,
    cliques: &[Clique],
    cancelled: Cancelled<'_>,
    make: impl Fn(&Clique, &CellCounts, &CellCounts) -> T + Sync,
    mut keep: impl FnMut(T),
) -> Result<(), TableError> {
    check(real, synthetic, cliques)?;
    for batch in batches(real.domain(), cliques) {
        let (left, right) = (real.count(batch, cancelled)?, synthetic.count(batch, cancelled)?);
        let both = batch.par_iter().zip(left.par_iter().zip(&right));
        let made: Vec<T> = both.map(|(clique, (left, right))| make(clique, left, right)).collect();
        made.into_iter().for_each(&mut keep);
    }
    Ok(())
}

/// Every pair of attributes, in order.
pub fn all_pairs(domain: &Domain) -> Vec<Clique> {
    let count = domain.len() as u32;
    (0..count).flat_map(|a| (a + 1..count).map(move |b| Clique::new([AttrId(a), AttrId(b)]))).collect()
}

/// Half the L1 distance of two counts of the same clique, each divided by its own total.
///
/// Two empty counts are at distance 0; an empty and a filled one at distance 1.
pub fn total_variation(left: &CellCounts, right: &CellCounts) -> f64 {
    match (total(left), total(right)) {
        (0, 0) => 0.0,
        (0, _) | (_, 0) => 1.0,
        (n, m) => {
            let (n, m) = (n as f64, m as f64);
            let mut sum = 0.0;
            each_pair(left, right, &mut |a, b| sum += (a as f64 / n - b as f64 / m).abs());
            (0.5 * sum).min(1.0)
        }
    }
}

pub(crate) fn total(counts: &CellCounts) -> u64 {
    match counts {
        CellCounts::Dense(cells) => cells.iter().sum(),
        CellCounts::Sparse(entries) => entries.iter().map(|(_, count)| count).sum(),
    }
}

/// Calls `each` with the place and the count of every cell that is not empty, in order.
pub(crate) fn each_count(counts: &CellCounts, mut each: impl FnMut(usize, u64)) {
    match counts {
        CellCounts::Dense(cells) => {
            cells.iter().enumerate().filter(|(_, count)| **count > 0).for_each(|(cell, &count)| each(cell, count));
        }
        CellCounts::Sparse(entries) => entries.iter().for_each(|&(cell, count)| each(cell as usize, count)),
    }
}

/// The mean; 0 of nothing.
pub(crate) fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len();
    if count == 0 { 0.0 } else { values.sum::<f64>() / count as f64 }
}

/// Calls `each` with both counts of every cell where at least one may be above 0.
pub(crate) fn each_pair(left: &CellCounts, right: &CellCounts, each: &mut dyn FnMut(u64, u64)) {
    if let (CellCounts::Dense(left), CellCounts::Dense(right)) = (left, right) {
        return left.iter().zip(right).for_each(|(&a, &b)| each(a, b));
    }
    // The two tables may have chosen differently.
    let [left, right] = [left, right].map(|counts| {
        let mut entries = Vec::new();
        each_count(counts, |cell, count| entries.push((cell, count)));
        entries
    });
    let (mut i, mut j) = (0, 0);
    while i < left.len() || j < right.len() {
        let (a, b) = (left.get(i).copied().unwrap_or(END), right.get(j).copied().unwrap_or(END));
        let cell = a.0.min(b.0);
        each(if a.0 == cell { a.1 } else { 0 }, if b.0 == cell { b.1 } else { 0 });
        i += usize::from(a.0 == cell);
        j += usize::from(b.0 == cell);
    }
}

/// Beyond every cell.
const END: (usize, u64) = (usize::MAX, 0);

/// Consecutive cliques whose cells together stay within the limit.
fn batches<'a>(domain: &Domain, cliques: &'a [Clique]) -> Vec<&'a [Clique]> {
    let cells = |clique: &Clique| domain.cells(clique).unwrap_or(u64::MAX);
    let mut batches = Vec::new();
    let mut first = 0;
    let mut sum = 0u64;
    for (index, clique) in cliques.iter().enumerate() {
        sum = sum.saturating_add(cells(clique));
        if sum > BATCH_CELLS && index > first {
            batches.push(&cliques[first..index]);
            (first, sum) = (index, cells(clique));
        }
    }
    if first < cliques.len() {
        batches.push(&cliques[first..]);
    }
    batches
}

pub(crate) fn check(real: &Table, synthetic: &Table, cliques: &[Clique]) -> Result<(), TableError> {
    let refuse =
        |what: &str, help: &str| Err(TableError::Schema(SchemaError::Whole { what: what.into(), help: help.into() }));
    if real.domain() != synthetic.domain() {
        return refuse("the two tables have different columns or codes", "read both with the same schema");
    }
    let columns = real.domain().len();
    if cliques.iter().flat_map(Clique::attributes).any(|attribute| attribute.index() >= columns) {
        return refuse("a marginal speaks of a column that the tables lack", "use the schema of the tables");
    }
    Ok(())
}
