//! Algorithm 1: which columns may meet in a marginal.

use lookalike_model::{Halt, JunctionTree};
use lookalike_schema::{Clique, Domain, ImpossibleRule};

use super::scores::Scores;
use crate::MethodError;

/// About the steps that one pair takes: parts of the tree are triangulated some ten times.
const PAIR_STEPS: usize = 1 << 20;

/// How large the model may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    /// The most cells of one clique, tau_c.
    pub clique: u64,
    /// The most cells of all cliques together.
    pub total: u64,
}

/// The maximal cliques of the triangulated graph into which pairs were put greedily, best score
/// first, as long as its cliques stay within bounds.
///
/// A pair that did not fit is not tried again. The paper tries all pairs again after every
/// insertion; but a graph with more edges does not have smaller cliques, so that a second try could
/// only win where a rule of thumb for triangulation was unlucky the first time. Columns that an
/// impossible rule ties together are tied here too.
pub(super) fn cliques(
    domain: &Domain,
    rules: &[ImpossibleRule],
    scores: &Scores,
    bounds: Bounds,
    halt: &Halt,
) -> Result<Vec<Clique>, MethodError> {
    let mut tree = JunctionTree::new(domain, &[], rules)?;
    for pair in scores.ranked() {
        halt.check(PAIR_STEPS)?;
        if tree.largest_after_adding(&pair)? <= bounds.clique && tree.has_room_for(&pair, bounds.total)? {
            tree.add(&pair)?;
        }
    }
    Ok(tree.cliques().to_vec())
}
