//! The algorithm that the theory's bounds speak of: a Boolean network that is given, with noisy
//! conditionals.

use anyhow::Result;
use lookalike_model::project::onto_counts;
use lookalike_privacy::{DiscreteLaplace, Epsilon, Neighbours, NoiseBits, Rational, Relation};
use lookalike_table::Table;

use crate::marginal::exact;
use crate::simulate::BooleanNetwork;
use crate::simulate::boolean::conditionals;

/// What becomes of negative cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// Clipped to 0, the rest rescaled (theorem 4.1).
    Clamp,
    /// Projected onto the simplex (theorem 4.2).
    Project,
}

/// The network with conditionals from noisy marginals of each column and its parents.
///
/// # Privacy
/// Neighbours: either relation; the network is public. Each of d marginals changes by s in L1 (c
/// under add/remove with contribution c, 2 under replace-one); discrete Laplace noise of scale d s
/// / epsilon on all counts, rounded up, drawn exactly, costs a pure epsilon. The rest is
/// post-processing: the projection's total is the public n under replace-one, and the mean of the
/// noisy sums under add/remove. Source: the theory's section 3.2 (Lap(d/(n epsilon)) on
/// probabilities is this noise on counts).
pub fn noisy_network(
    network: &BooleanNetwork,
    table: &Table,
    epsilon: Epsilon,
    neighbours: Neighbours,
    repair: Repair,
    bits: &mut dyn NoiseBits,
) -> Result<BooleanNetwork> {
    let sensitivity = neighbours.marginal().l1() * network.columns().max(1) as u64;
    let noise = DiscreteLaplace::new(Rational::at_least(sensitivity as f64 / epsilon.get())?)?;
    let mut noisy = Vec::with_capacity(network.columns());
    for mut cells in exact(table, &network.families())? {
        noise.add_to(&mut cells, bits);
        noisy.push(cells.into_iter().map(|count| count as f64).collect::<Vec<f64>>());
    }
    let total = match neighbours.relation() {
        Relation::ReplaceOne => table.rows() as f64,
        Relation::AddRemove => noisy.iter().flatten().sum::<f64>() / noisy.len().max(1) as f64,
    };
    let repaired = |cells: Vec<f64>| match repair {
        Repair::Clamp => cells.into_iter().map(|cell| cell.max(0.0)).collect(),
        Repair::Project => onto_counts(&cells, &|_| true, total),
    };
    network.with_conditionals(noisy.into_iter().map(|cells| conditionals(&repaired(cells))).collect())
}
