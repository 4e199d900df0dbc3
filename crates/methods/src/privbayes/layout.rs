//! What a run of the method will ask.

use lookalike_model::SampleRng;
use lookalike_schema::AttrId;

use super::params::PrivBayesParams;
use super::sets::Allowed;

/// What the public generator is for; part of its key.
const PURPOSE: &str = "privbayes";

/// What will be asked, and of whom.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Attributes that are chosen among, in the schema's order.
    pub narrow: Vec<AttrId>,
    /// For each of them, the attributes that it is known to hang together with: the other bits of
    /// its column.
    pub kin: Vec<Vec<AttrId>>,
    /// Attributes that fit with no other one: they have no parents and are nobody's.
    pub wide: Vec<AttrId>,
    /// The first attribute of the network; `None` without narrow ones.
    pub first: Option<AttrId>,
    /// Which parent sets there are.
    pub allowed: Allowed,
    /// The first this many attributes after the first one have all earlier ones as parents,
    /// whatever they are.
    pub certain: usize,
    /// How many selections will be made.
    pub selections: usize,
    /// The most marginals that any network needs.
    pub marginals: usize,
    /// The most candidates of one selection.
    pub candidates: usize,
    /// The most tables that all selections together may count.
    pub tables: usize,
}

/// The public generator of one round.
pub(super) fn generator(params: &PrivBayesParams, round: u64) -> SampleRng {
    SampleRng::new(params.shuffle, PURPOSE, round)
}
