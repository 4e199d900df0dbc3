//! Random Boolean Bayesian networks of a given degree, with their exact joint distribution.

use anyhow::{Result, ensure};
use lookalike_schema::{AttrId, Clique};
use lookalike_table::Table;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::draw::{below, coded_schema, uniform};
use crate::marginal::masses;

/// The widest joint distribution that is written out: 2^20 cells.
pub const WIDEST_JOINT: usize = 20;

/// A Boolean network: column i depends on at most k of the columns before it.
#[derive(Clone, Debug, PartialEq)]
pub struct BooleanNetwork {
    /// The parents of each column, ascending.
    parents: Vec<Vec<usize>>,
    /// P(column = 1) for each combination of its parents, the last parent fastest.
    ones: Vec<Vec<f64>>,
}

impl BooleanNetwork {
    /// A random network: column i has min(i, degree) parents, uniform among the earlier columns,
    /// and each P(1 | parents) is uniform on [0, 1].
    pub fn random(columns: usize, degree: usize, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (mut parents, mut ones) = (Vec::new(), Vec::new());
        for column in 0..columns {
            let mut earlier: Vec<usize> = (0..column).collect();
            let count = degree.min(column);
            for place in 0..count {
                earlier.swap(place, place + below(&mut rng, (column - place) as u32) as usize);
            }
            earlier.truncate(count);
            earlier.sort_unstable();
            ones.push((0..1usize << count).map(|_| uniform(&mut rng)).collect());
            parents.push(earlier);
        }
        Self { parents, ones }
    }

    /// A network of these parents, ascending and before their column, and even conditionals.
    pub fn with_parents(parents: Vec<Vec<usize>>) -> Self {
        let ones = parents.iter().map(|parents| vec![0.5; 1 << parents.len()]).collect();
        Self { parents, ones }
    }

    /// The same parents with other conditionals: P(1 | parents) of each column, the last parent
    /// fastest.
    pub fn with_conditionals(&self, ones: Vec<Vec<f64>>) -> Result<Self> {
        let fits = ones.len() == self.ones.len() && ones.iter().zip(&self.ones).all(|(a, b)| a.len() == b.len());
        ensure!(fits, "one probability for each combination of each column's parents");
        ensure!(ones.iter().flatten().all(|p| (0.0..=1.0).contains(p)), "probabilities lie between 0 and 1");
        Ok(Self { parents: self.parents.clone(), ones })
    }

    /// The same parents with the conditionals of a table; 1/2 where the table has no row for the
    /// parents. The joint of the result is what a table obeys that has this table's marginals and
    /// the network's independences.
    pub fn fitted_to(&self, table: &Table) -> Result<Self> {
        let families = self.families();
        let ones = families.iter().map(|family| Ok(conditionals(&masses(table, family)?)));
        self.with_conditionals(ones.collect::<Result<_>>()?)
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.parents.len()
    }

    /// Each column with its parents. A column comes after its parents, so it is the fastest index
    /// of its marginal.
    pub fn families(&self) -> Vec<Clique> {
        let family = |(column, parents): (usize, &Vec<usize>)| {
            Clique::new(parents.iter().chain([&column]).map(|&index| AttrId(index as u32)))
        };
        self.parents.iter().enumerate().map(family).collect()
    }

    /// The probability of every combination, the last column fastest. Refused above
    /// [`WIDEST_JOINT`] columns.
    pub fn joint(&self) -> Result<Vec<f64>> {
        let d = self.columns();
        ensure!(d <= WIDEST_JOINT, "a joint distribution of {d} columns is too large to write out");
        let probability = |cell: usize| {
            let bit = |column: usize| cell >> (d - 1 - column) & 1;
            (0..d).map(|column| self.chance(column, bit(column) == 1, bit)).product()
        };
        Ok((0..1 << d).map(probability).collect())
    }

    /// Draws rows.
    pub fn table(&self, rows: usize, seed: u64) -> Result<Table> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut columns = vec![Vec::with_capacity(rows); self.columns()];
        let mut row = vec![0usize; self.columns()];
        for _ in 0..rows {
            for column in 0..row.len() {
                let one = uniform(&mut rng) < self.chance(column, true, |index| row[index]);
                row[column] = usize::from(one);
                columns[column].push(u32::from(one));
            }
        }
        Ok(Table::from_columns(&coded_schema(&vec![2; self.columns()])?, columns))
    }

    /// P(column = value | parents).
    fn chance(&self, column: usize, value: bool, bit: impl Fn(usize) -> usize) -> f64 {
        let cell = self.parents[column].iter().fold(0, |cell, &parent| 2 * cell + bit(parent));
        let one = self.ones[column][cell];
        if value { one } else { 1.0 - one }
    }
}

/// P(last = 1 | the others) from the masses of a Boolean marginal; 1/2 where there is no mass.
pub fn conditionals(masses: &[f64]) -> Vec<f64> {
    let one = |pair: &[f64]| if pair[0] + pair[1] > 0.0 { pair[1] / (pair[0] + pair[1]) } else { 0.5 };
    masses.chunks_exact(2).map(one).collect()
}

/// Half the L1 distance of two distributions over the same cells.
pub fn total_variation(left: &[f64], right: &[f64]) -> f64 {
    0.5 * left.iter().zip(right).map(|(a, b)| (a - b).abs()).sum::<f64>()
}

/// The L2 distance of two distributions over the same cells.
pub fn l2(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}
