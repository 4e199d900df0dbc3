//! The Bayesian network that a greedy search finds on exact counts: the reference for private ones.
//! Not private.

use anyhow::{Result, bail, ensure};
use lookalike_schema::{AttrId, Clique};
use lookalike_table::{RawCounts, Table};

/// Cells that are counted at a time.
const BATCH_CELLS: u64 = 1 << 24;

/// How well a set of parents explains a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Mutual information in bits.
    Information,
    /// R/n: the total variation distance of the joint to the product of child and parents.
    R,
    /// F/n of binary children: minus the total variation distance to the nearest joint of maximal
    /// information.
    F,
}

/// In which order columns enter the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// This one; each column chooses its parents among those before it.
    Given(Vec<AttrId>),
    /// This column first, then in every round the column and parents with the highest score.
    Free {
        /// The column without parents.
        first: AttrId,
    },
}

/// A column with its parents, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// The column.
    pub child: AttrId,
    /// Its parents.
    pub parents: Vec<AttrId>,
}

/// Builds a network: every column gets min(`degree`, columns before it) parents, those of the
/// highest score; the first in lexicographic order among equals. (Smaller sets are not tried:
/// neither I nor R falls when a parent is added.)
///
/// Refused: an order that repeats a column or names one that the table lacks, F with a child that
/// is not binary, and families of more than 2^24 cells.
pub fn greedy_network(table: &Table, score: Score, degree: usize, order: &Order) -> Result<Vec<Family>> {
    let d = table.domain().len();
    let (first, given) = match order {
        Order::Given(order) => (order.first().copied(), Some(order)),
        Order::Free { first } => (Some(*first), None),
    };
    let Some(first) = first else { return Ok(Vec::new()) };
    let named: &[AttrId] = given.map_or(std::slice::from_ref(&first), Vec::as_slice);
    ensure!(named.iter().all(|attribute| attribute.index() < d), "the order names a column that the table lacks");
    ensure!(Clique::new(named.iter().copied()).len() == named.len(), "the order repeats a column");
    let rounds = given.map_or(d, Vec::len);
    let mut network = vec![Family { child: first, parents: Vec::new() }];
    while network.len() < rounds {
        let mut chosen: Vec<AttrId> = network.iter().map(|family| family.child).collect();
        chosen.sort_unstable();
        let children: Vec<AttrId> = match given {
            Some(order) => vec![order[network.len()]],
            None => table.domain().attributes().filter(|child| chosen.binary_search(child).is_err()).collect(),
        };
        let sets = subsets(&chosen, degree.min(chosen.len()));
        let candidates: Vec<Family> = children
            .iter()
            .flat_map(|&child| sets.iter().map(move |parents| Family { child, parents: parents.clone() }))
            .collect();
        let scores = scores(table, score, &candidates)?;
        let best = (0..scores.len()).reduce(|best, next| if scores[next] > scores[best] { next } else { best });
        network.extend(best.map(|best| candidates[best].clone()));
    }
    Ok(network)
}

/// The sum of the families' mutual information, in bits: how good a network is, whatever score it
/// was chosen by.
pub fn total_information(table: &Table, network: &[Family]) -> Result<f64> {
    Ok(scores(table, Score::Information, network)?.iter().sum())
}

/// The scores of families on a table.
pub fn scores(table: &Table, score: Score, families: &[Family]) -> Result<Vec<f64>> {
    let clique = |family: &Family| Clique::new(family.parents.iter().copied().chain([family.child]));
    let cliques: Vec<Clique> = families.iter().map(clique).collect();
    let largest = cliques.iter().map(|clique| table.domain().cells(clique).unwrap_or(u64::MAX)).max().unwrap_or(1);
    let batch = (BATCH_CELLS / largest).max(1) as usize;
    let mut out = Vec::with_capacity(families.len());
    for (families, cliques) in families.chunks(batch).zip(cliques.chunks(batch)) {
        let counts = table.count(cliques, &|| false)?;
        for ((family, clique), counts) in families.iter().zip(cliques).zip(&counts) {
            let RawCounts::Dense(cells) = counts else { bail!("a family has more cells than can be held") };
            let size = table.domain().size(family.child);
            let stride: u64 = clique
                .attributes()
                .iter()
                .filter(|a| **a > family.child)
                .map(|&a| u64::from(table.domain().size(a)))
                .product();
            let joint = child_last(cells, size as usize, stride as usize);
            out.push(match score {
                Score::Information => mutual_information(&joint, size as usize),
                Score::R => r(&joint, size as usize),
                Score::F => f(&joint, size as usize)?,
            });
        }
    }
    Ok(out)
}

/// Lays counts out so that the child, which has `size` codes `stride` cells apart, is the fastest
/// index.
fn child_last(cells: &[u64], size: usize, stride: usize) -> Vec<f64> {
    let mut joint = vec![0.0; cells.len()];
    for (cell, &count) in cells.iter().enumerate() {
        let (high, code, low) = (cell / (stride * size), cell / stride % size, cell % stride);
        joint[(high * stride + low) * size + code] = count as f64;
    }
    joint
}

/// Row and column sums of a joint whose fastest index has `size` codes, and the total.
fn sums(joint: &[f64], size: usize) -> (Vec<f64>, Vec<f64>, f64) {
    let rows: Vec<f64> = joint.chunks_exact(size).map(|row| row.iter().sum()).collect();
    let columns = (0..size).map(|code| joint.iter().skip(code).step_by(size).sum()).collect();
    let total = rows.iter().sum();
    (rows, columns, total)
}

/// Mutual information in bits of masses whose fastest index, the child, has `size` codes. 0 without
/// mass.
pub fn mutual_information(joint: &[f64], size: usize) -> f64 {
    let (rows, columns, total) = sums(joint, size);
    let term = |(cell, &mass): (usize, &f64)| {
        if mass > 0.0 { mass / total * (mass * total / (rows[cell / size] * columns[cell % size])).log2() } else { 0.0 }
    };
    joint.iter().enumerate().map(term).sum()
}

/// R/n: half the L1 distance of the joint to the product of its margins. 0 without mass.
pub fn r(joint: &[f64], size: usize) -> f64 {
    let (rows, columns, total) = sums(joint, size);
    if total <= 0.0 {
        return 0.0;
    }
    let term = |(cell, mass): (usize, &f64)| (mass - rows[cell / size] * columns[cell % size] / total).abs();
    0.5 * joint.iter().enumerate().map(term).sum::<f64>() / total
}

/// F/n of a binary child. Each combination of parents keeps one of its two masses; with K0 and K1
/// the masses kept on either side, F is the largest possible -(n/2 - K0)+ - (n/2 - K1)+. States
/// that another one beats on both sides are dropped on the way. Refuses a child that is not binary.
pub fn f(joint: &[f64], size: usize) -> Result<f64> {
    ensure!(size == 2, "score F is defined for binary columns; use R or mutual information");
    let total: f64 = joint.iter().sum();
    if total <= 0.0 {
        return Ok(0.0);
    }
    let mut states = vec![(0.0, 0.0)];
    for pair in joint.chunks_exact(2) {
        let grown = states.iter().flat_map(|&(zero, one)| [(zero + pair[0], one), (zero, one + pair[1])]);
        let mut grown: Vec<(f64, f64)> = grown.collect();
        grown.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)));
        let mut best = f64::NEG_INFINITY;
        grown.retain(|state| {
            let kept = state.1 > best;
            best = best.max(state.1);
            kept
        });
        states = grown;
    }
    let lack = |mass: f64| (total / 2.0 - mass).max(0.0);
    let smallest = states.iter().map(|&(zero, one)| lack(zero) + lack(one)).fold(f64::INFINITY, f64::min);
    Ok(-smallest / total)
}

/// All subsets of this size, in lexicographic order.
fn subsets(of: &[AttrId], size: usize) -> Vec<Vec<AttrId>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut out = Vec::new();
    for (index, &first) in of.iter().enumerate() {
        for rest in subsets(&of[index + 1..], size - 1) {
            out.push(std::iter::once(first).chain(rest).collect());
        }
    }
    out
}

#[cfg(test)]
mod tests;
