//! How well a set of parents explains a column, on exact counts: the reference for networks that
//! are chosen privately. Not private.

use anyhow::{Result, ensure};
use lookalike_schema::{AttrId, Clique};
use lookalike_table::Table;

use crate::marginal::exact;

/// Cells that are counted at a time.
const BATCH_CELLS: u64 = 1 << 24;

/// A column with its parents, ascending.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NetworkFamily {
    /// The column.
    pub child: AttrId,
    /// Its parents.
    pub parents: Vec<AttrId>,
}

/// The counts of families on a table, the child's codes fastest.
pub fn joints(table: &Table, families: &[NetworkFamily]) -> Result<Vec<Vec<f64>>> {
    let clique = |family: &NetworkFamily| Clique::new(family.parents.iter().copied().chain([family.child]));
    let cliques: Vec<Clique> = families.iter().map(clique).collect();
    let largest = cliques.iter().map(|clique| table.domain().cells(clique).unwrap_or(u64::MAX)).max().unwrap_or(1);
    let batch = (BATCH_CELLS / largest).max(1) as usize;
    let mut joints = Vec::with_capacity(families.len());
    for (families, cliques) in families.chunks(batch).zip(cliques.chunks(batch)) {
        for ((family, clique), cells) in families.iter().zip(cliques).zip(exact(table, cliques)?) {
            let after = clique.attributes().iter().filter(|&&column| column > family.child);
            let stride: usize = after.map(|&column| table.domain().size(column) as usize).product();
            joints.push(child_last(&cells, table.domain().size(family.child) as usize, stride));
        }
    }
    Ok(joints)
}

/// Lays counts out so that the child, which has `size` codes `stride` cells apart, is the fastest
/// index.
fn child_last(cells: &[i64], size: usize, stride: usize) -> Vec<f64> {
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

/// F/n of a binary child. Each combination of parents keeps one of its two masses; with K0 and K1
/// the masses kept on either side, F is the largest possible -(n/2 - K0)+ - (n/2 - K1)+. States
/// that another one beats on both sides are dropped on the way. Refuses a child that is not binary.
pub fn f(joint: &[f64], size: usize) -> Result<f64> {
    ensure!(size == 2, "score F is defined for binary columns; use mutual information");
    let total: f64 = joint.iter().sum();
    if total <= 0.0 {
        return Ok(0.0);
    }
    let mut states = vec![(0.0, 0.0)];
    for pair in joint.chunks_exact(2) {
        states = grown(&states, pair[0], pair[1]);
    }
    let lack = |mass: f64| (total / 2.0 - mass).max(0.0);
    let smallest = states.iter().map(|&(zero, one)| lack(zero) + lack(one)).fold(f64::INFINITY, f64::min);
    Ok(-smallest / total)
}

/// States with one more pair of masses, of which either may be kept. States lie from the largest
/// first mass down, and so do both lists that they grow into: the two are merged, and whatever
/// another state beats on both sides is left out.
fn grown(states: &[(f64, f64)], zero: f64, one: f64) -> Vec<(f64, f64)> {
    let (mut left, mut right) = (states.iter().peekable(), states.iter().peekable());
    let mut merged = Vec::with_capacity(2 * states.len());
    let mut best = f64::NEG_INFINITY;
    loop {
        let with_zero = left.peek().map(|state| (state.0 + zero, state.1));
        let with_one = right.peek().map(|state| (state.0, state.1 + one));
        let next = match (with_zero, with_one) {
            (None, None) => return merged,
            (Some(state), None) => state,
            (None, Some(state)) => state,
            (Some(a), Some(b)) => {
                if a >= b {
                    a
                } else {
                    b
                }
            }
        };
        if with_zero == Some(next) {
            left.next();
        } else {
            right.next();
        }
        if next.1 > best {
            best = next.1;
            merged.push(next);
        }
    }
}

#[cfg(test)]
mod tests;
