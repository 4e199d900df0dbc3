//! BSG: a Bayesian network that rewrites parts of real records, and releases what enough real
//! records could have led to.
//!
//! Bindschaedler, Shokri and Gunter 2017, "Plausible deniability for privacy-preserving data
//! synthesis". Read: its abstract and introduction; the steps are from what is well known of it.
//! Left out: codes are not put into buckets for the structure, and conditionals are the mean of the
//! Dirichlet distribution that the paper draws them from.

pub mod release;
pub mod structure;

use anyhow::{Result, ensure};
use lookalike_privacy::{DiscreteLaplace, NoiseBits, Rational};

use self::release::Seeds;
use self::structure::Network;
use super::composition::each;
use super::{SynthesisTask, cumulative, floats};
use crate::simulate::draw::below;

/// The settings of the paper's experiments, as far as they are known.
pub struct BsgSettings {
    /// Most joint codes of a column's parents. Small, because tables here have a thirtieth of the
    /// rows of the paper's: more configurations would hold fewer rows than noise.
    pub most_configurations: usize,
    /// Real records k that must be as likely to have led to a record.
    pub plausible: u64,
    /// What "as likely" means: within one power of gamma.
    pub gamma: f64,
    /// The epsilon of the noise on k.
    pub test_epsilon: f64,
}

impl Default for BsgSettings {
    fn default() -> Self {
        Self { most_configurations: 16, plausible: 50, gamma: 4.0, test_epsilon: 1.0 }
    }
}

/// Columns of a synthetic table.
///
/// # Privacy
/// Add/remove, as published. Every row goes to one of three parts by a coin of its own (a quarter,
/// a quarter, a half), so a row changes one part only and parts compose in parallel.
/// - Structure and conditionals cost (epsilon, delta) each: see [`structure`] and [`conditionals`].
/// - Seeds: the paper's theorem 1 gives one released record e = epsilon0 + ln(1 + gamma / t) and
///   delta = exp(-epsilon0 (k - t)) for any t from 1 to below k: 1.10 at k = 50, gamma = 4, epsilon0
///   = 1 and delta 1e-5. It says nothing of a whole table, which composes to about 1.1 times its
///   rows: 24,000 for NLTCS ([`release::seed_cost`]).
///
/// So only the network, and not the released table, has the epsilon of the figures; the papers that
/// draw it count the network alone. It is drawn here the same way, which flatters it.
pub(super) fn bsg(task: &SynthesisTask, bits: &mut dyn NoiseBits) -> Result<Vec<Vec<u32>>> {
    ensure!(task.delta > 0.0, "BSG needs a delta above 0");
    let settings = BsgSettings::default();
    let (columns, sizes) = (task.columns()?, task.sizes());
    let mut rng = floats(bits);
    let mut parts = [const { Vec::new() }; 3];
    (0..task.table.rows() as usize).for_each(|row| parts[[0, 1, 2, 2][below(&mut rng, 4) as usize]].push(row));
    let of = |rows: &Vec<usize>, codes: &Vec<u32>| rows.iter().map(|&row| codes[row]).collect::<Vec<u32>>();
    let [structure, parameters, seeds] =
        parts.map(|rows| columns.iter().map(|codes| of(&rows, codes)).collect::<Vec<_>>());
    let network = Network::learn(&structure, &sizes, (task.epsilon, task.delta), &settings, &mut rng);
    let tables = conditionals(&network, &parameters, &sizes, (task.epsilon, task.delta), bits)?;
    Seeds::new(&seeds, &network, tables, &settings)?.release(task.rows, &mut rng, bits)
}

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
fn conditionals(
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
