//! BSG: a Bayesian network that rewrites parts of real records, and releases what enough real
//! records could have led to.
//!
//! Bindschaedler, Shokri and Gunter 2017, "Plausible deniability for privacy-preserving data
//! synthesis". Read: its abstract and introduction; the steps are from what is well known of it.
//! Left out: codes are not put into buckets for the structure, and conditionals are the mean of the
//! Dirichlet distribution that the paper draws them from.

pub mod conditional;
pub mod release;
pub mod settings;
pub mod structure;

use anyhow::{Result, ensure};
use lookalike_privacy::NoiseBits;

use self::conditional::conditionals;
use self::release::Seeds;
use self::settings::BsgSettings;
use self::structure::Network;
use super::draws::floats;
use super::task::SynthesisTask;
use crate::simulate::draw::below;

/// Columns of a synthetic table.
///
/// # Privacy
/// Add/remove, as published. Every row goes to one of three parts by a coin of its own (a quarter,
/// a quarter, a half), so a row changes one part only and parts compose in parallel.
/// - Structure and conditionals cost (epsilon, delta) each: see [`structure`] and [`conditional`].
/// - Seeds: by the paper's theorem 1 one released record costs epsilon0 + ln(1 + gamma / t) at a
///   delta of exp(-epsilon0 (k - t)), for any t from 1 to below k. That is 1.10 where k is 50,
///   gamma 4, epsilon0 1 and delta 1e-5. A whole table composes to about 1.1 times its rows,
///   which is 24,000 for NLTCS ([`release::seed_cost`]).
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
