//! Noisy conditionals as the Aalborg report's text has them, which its code does not.

use anyhow::Result;
use lookalike_privacy::{DiscreteLaplace, Epsilon, NoiseBits, Rational};
use lookalike_table::Table;

use crate::marginal::exact;
use crate::simulate::BooleanNetwork;
use crate::simulate::boolean::conditionals;

/// A given network with conditionals from noisy joint counts of each column and its parents, the
/// noise scaled by the table's cells.
///
/// Section 4.1.2 of the report takes 2^(1+q)/n for the L1 sensitivity of the probability table of a
/// column with q parents, since each of its 2^(1+q) entries may change by 1/n, and adds Laplace
/// noise of scale 2^(1+q) d / (n alpha) to each entry. In counts of n rows that is 2^(1+q) d /
/// alpha, which grows with the parents, where 2 d / alpha would do. Negative cells become 0, and
/// each column is normalized given its parents; 1/2 where nothing is left.
///
/// The text derives the scale for the joint table, and divides by the parents' table in the
/// sentence before it adds noise; here the noise is on the joint, where it is private. The report's
/// code noises conditionals, with 2 d / (n alpha) for all.
///
/// # Privacy
/// Replace-one, n and the network public. A joint table changes by 2 in L1, so that discrete
/// Laplace noise of scale 2^(1+q) d / alpha, rounded up, drawn exactly, costs alpha / (2^q d),
/// without a delta: at most alpha for all d columns, and less as soon as one has a parent.
pub fn aau_text_network(
    network: &BooleanNetwork,
    table: &Table,
    alpha: Epsilon,
    bits: &mut dyn NoiseBits,
) -> Result<BooleanNetwork> {
    let mut ones = Vec::with_capacity(network.columns());
    for mut cells in exact(table, &network.families())? {
        // A family's table has 2^(1+q) cells.
        let scale = (cells.len() * network.columns()) as f64 / alpha.get();
        DiscreteLaplace::new(Rational::at_least(scale)?)?.add_to(&mut cells, bits);
        ones.push(conditionals(&cells.into_iter().map(|cell| cell.max(0) as f64).collect::<Vec<f64>>()));
    }
    network.with_conditionals(ones)
}
