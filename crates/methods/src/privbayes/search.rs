//! The network, round by round: in each, one attribute gets its parents by a private selection.

use lookalike_curator::{Candidate, Curator, Score, SelectQuery};
use lookalike_privacy::{Rational, Relation};
use lookalike_schema::{AttrId, Clique, Domain};

use super::layout::{Layout, generator};
use super::params::{Order, PrivBayesParams, Scoring};
use super::sets::{parent_sets, thin_out};
use super::{NAME, nodes::Nodes};
use crate::{MethodError, Observer};

/// An attribute and its parents, which come before it in the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub child: AttrId,
    pub parents: Vec<AttrId>,
}

impl Pair {
    /// The attribute with its parents.
    pub fn clique(&self) -> Clique {
        Clique::new(self.parents.iter().copied().chain([self.child]))
    }
}

/// A score that is not left to choose any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    Information,
    MaximumJoint,
    Dependence,
}

impl Measure {
    /// Checks the score against the relation and the attributes, before anything is paid.
    pub fn check(
        params: &PrivBayesParams,
        relation: Relation,
        domain: &Domain,
        nodes: &Nodes,
    ) -> Result<Self, MethodError> {
        let binary = nodes.attributes.iter().all(|&node| domain.size(node) <= 2);
        match params.score {
            Scoring::Auto if binary => Ok(Self::MaximumJoint),
            Scoring::Auto | Scoring::Dependence => Ok(Self::Dependence),
            Scoring::Information if relation == Relation::AddRemove => Err(MethodError::Setting {
                what: format!("method {NAME}: score = i needs a public number of rows"),
                mend: "give --relation replace-one, or --set score=r".into(),
            }),
            Scoring::Information => Ok(Self::Information),
            Scoring::MaximumJoint if !binary => Err(MethodError::Setting {
                what: format!("method {NAME}: score = f is for columns of two values, and some have more"),
                mend: "give --set score=r, or --set encoding=binary".into(),
            }),
            Scoring::MaximumJoint => Ok(Self::MaximumJoint),
        }
    }

    fn score(self, pair: &Pair) -> Score {
        let (child, parents) = (pair.child, Clique::new(pair.parents.iter().copied()));
        match self {
            Self::Information => Score::Information { child, parents },
            Self::MaximumJoint => Score::MaximumJoint { child, parents },
            Self::Dependence => Score::Dependence { child, parents },
        }
    }
}

/// Who chooses: the curator in a run, anything in a test.
pub(super) trait Choose {
    /// One of at least two pairs, or of one that a selection was planned for.
    fn choose(&mut self, round: usize, pairs: &[Pair]) -> Result<usize, MethodError>;
}

/// Private selections, all with the same epsilon.
pub(super) struct Selections<'a> {
    pub curator: &'a mut Curator,
    pub observer: &'a dyn Observer,
    pub measure: Measure,
    pub epsilon: Option<Rational>,
    pub planned: usize,
}

impl Choose for Selections<'_> {
    fn choose(&mut self, round: usize, pairs: &[Pair]) -> Result<usize, MethodError> {
        // Without selections in the plan no round has a choice that matters.
        let Some(epsilon) = self.epsilon else { return Ok(0) };
        let candidate = |pair: &Pair| Candidate { score: self.measure.score(pair), weight: 1.0, offset: 0.0 };
        let candidates = pairs.iter().map(candidate).collect();
        let label = format!("parents in the network, selection {round} of {}", self.planned);
        let chosen = self.curator.select(&SelectQuery { label, candidates, epsilon })?;
        self.observer.round(round as u64, self.planned as u64);
        self.observer.budget(self.curator.share_spent());
        Ok(chosen.index)
    }
}

/// The network: every attribute with its parents, parents first.
pub(super) fn network(
    params: &PrivBayesParams,
    layout: &Layout,
    domain: &Domain,
    choose: &mut dyn Choose,
) -> Result<Vec<Pair>, MethodError> {
    let mut pairs: Vec<Pair> = Vec::with_capacity(layout.narrow.len() + layout.wide.len());
    let mut earlier = Vec::from_iter(layout.first);
    let mut later: Vec<AttrId> = layout.narrow.iter().copied().filter(|&one| Some(one) != layout.first).collect();
    pairs.extend(layout.first.map(|child| Pair { child, parents: Vec::new() }));
    let (mut round, mut selections) = (0, 0);
    while !later.is_empty() {
        round += 1;
        let children = if params.order == Order::Given { &later[..1] } else { &later[..] };
        let mut candidates = candidates(params, layout, domain, children, &earlier, round);
        let free = layout.selections == 0 || (params.order == Order::Given && candidates.len() == 1);
        let chosen = if free {
            0
        } else {
            selections += 1;
            choose.choose(selections, &candidates)?
        };
        let pair = candidates.swap_remove(chosen);
        later.retain(|&one| one != pair.child);
        earlier.push(pair.child);
        pairs.push(pair);
    }
    pairs.extend(layout.wide.iter().map(|&child| Pair { child, parents: Vec::new() }));
    Ok(pairs)
}

/// The candidates of one round, at most as many as the layout allows: first a share for every attribute, then thinned out.
fn candidates(
    params: &PrivBayesParams,
    layout: &Layout,
    domain: &Domain,
    children: &[AttrId],
    earlier: &[AttrId],
    round: usize,
) -> Vec<Pair> {
    let mut random = generator(params, round as u64);
    let share = (layout.candidates / children.len()).max(1);
    let mut pairs = Vec::new();
    for &child in children {
        let sets = parent_sets(&layout.allowed, domain, child, earlier, share, &mut random);
        pairs.extend(sets.into_iter().map(|parents| Pair { child, parents }));
    }
    thin_out(&mut pairs, layout.candidates, &mut random);
    pairs
}
