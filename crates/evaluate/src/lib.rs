//! Metrics on two tables that may be looked at.
// SKELETON: the model owner fills this in: marginal TVD.

use lookalike_schema::Clique;
use lookalike_table::{Table, TableError};

/// Total variation distances (half the L1 distance of the normalised counts) of the given marginals, in order.
pub fn marginal_distances(real: &Table, synthetic: &Table, cliques: &[Clique]) -> Result<Vec<f64>, TableError> {
    let _ = (real, synthetic, cliques);
    todo!()
}
