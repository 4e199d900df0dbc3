//! The network, round by round: in each, one attribute gets its parents by a private selection.

use lookalike_curator::{Candidate, Curator, Score, SelectQuery};
use lookalike_privacy::{Rational, Relation};
use lookalike_schema::{AttrId, Clique, Domain};

use super::layout::{Layout, generator};
use super::nodes::Nodes;
use super::params::{NAME, Order, PrivBayesParams, Scoring};
use super::sets::{Pool, thin_out};
use crate::{MethodError, Observer};

/// An attribute and its parents, which come before it in the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
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
            Scoring::Information => Self::check_relation(params, relation).map(|()| Self::Information),
            Scoring::MaximumJoint if !binary => Err(MethodError::Setting {
                what: format!("method {NAME}: score = f is for columns of two values, and some have more"),
                help: "set score=r, or encoding=binary".into(),
            }),
            Scoring::MaximumJoint => Ok(Self::MaximumJoint),
        }
    }

    /// The part of [`check`](Self::check) that needs no column, so that a wrong flag is refused
    /// before the file is read.
    pub fn check_relation(params: &PrivBayesParams, relation: Relation) -> Result<(), MethodError> {
        if params.score == Scoring::Information && relation == Relation::AddRemove {
            return Err(MethodError::Setting {
                what: format!("method {NAME}: score = i needs a public number of rows"),
                help: "use the relation replace-one, or set score=r".into(),
            });
        }
        Ok(())
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
    let mut rounds = Rounds::new(params, layout, domain);
    let mut next = layout.first.map(|child| Pair { child, parents: Vec::new() });
    let mut selections = 0;
    while let Some(pair) = next {
        rounds.place(pair.child);
        pairs.push(pair);
        let mut candidates = rounds.candidates();
        let free = layout.selections == 0 || (params.order == Order::Given && candidates.len() == 1);
        next = if candidates.is_empty() {
            None
        } else if free {
            Some(candidates.swap_remove(0))
        } else {
            selections += 1;
            let chosen = choose.choose(selections, &candidates)?;
            Some(candidates.swap_remove(chosen))
        };
    }
    pairs.extend(layout.wide.iter().map(|&child| Pair { child, parents: Vec::new() }));
    Ok(pairs)
}

/// The candidates, round by round. Everything here is public: it follows from the layout and from
/// earlier answers.
pub(super) struct Rounds<'a> {
    params: &'a PrivBayesParams,
    layout: &'a Layout,
    domain: &'a Domain,
    /// Attributes that have their parents, in the network's order.
    placed: Vec<AttrId>,
    /// What is left, in the schema's order.
    pools: Vec<Pool>,
    /// How many tables may still be counted.
    tables: usize,
}

impl<'a> Rounds<'a> {
    pub fn new(params: &'a PrivBayesParams, layout: &'a Layout, domain: &'a Domain) -> Self {
        let pools = layout.narrow.iter().zip(&layout.kin).map(|(&child, kin)| Pool::new(child, kin)).collect();
        Self { params, layout, domain, placed: Vec::new(), pools, tables: layout.tables }
    }

    /// Puts an attribute behind the ones before; whatever is left may depend on it.
    pub fn place(&mut self, new: AttrId) {
        self.pools.retain(|pool| pool.child != new);
        // As many rounds are left as attributes.
        if let Some(tables) = self.tables.checked_div(self.pools.len()) {
            self.grow(new, tables);
        }
        self.placed.push(new);
    }

    /// Lets the pools take in a new attribute, with at most `tables` new sets in all.
    fn grow(&mut self, new: AttrId, tables: usize) {
        let mut random = generator(self.params, self.placed.len() as u64 + 1);
        let left = self.pools.len();
        let kept = (self.layout.candidates / left).max(1);
        let mut growing: Vec<usize> = (0..left).collect();
        // Too many columns for the rows: some pools are left as they are.
        thin_out(&mut growing, tables, &mut random);
        growing.sort_unstable();
        let most = (tables / left).clamp(1, kept);
        for place in growing {
            let pool = &mut self.pools[place];
            let grown = pool.grow(&self.layout.allowed, self.domain, &self.placed, new, most, &mut random);
            self.tables = self.tables.saturating_sub(grown);
            thin_out(&mut pool.sets, kept, &mut random);
        }
    }

    /// The candidates of the next selection; none when every attribute is placed.
    pub fn candidates(&self) -> Vec<Pair> {
        let pools = if self.params.order == Order::Given { self.pools.get(..1) } else { Some(&self.pools[..]) };
        let pairs = |pool: &Pool| {
            let child = pool.child;
            pool.sets.iter().map(move |parents| Pair { child, parents: parents.clone() }).collect::<Vec<_>>()
        };
        pools.unwrap_or_default().iter().flat_map(pairs).collect()
    }
}
