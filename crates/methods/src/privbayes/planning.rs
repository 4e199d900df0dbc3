//! From the row estimate and the budget to what will be asked: all that is decided before the first
//! selection.

use lookalike_curator::{CuratorError, Noise};
use lookalike_privacy::{Budget, CalibratedPlan, Neighbours, Plan, Rational};
use lookalike_schema::{AttrId, Domain};

use super::layout::{Layout, generator};
use super::nodes::Nodes;
use super::params::{Order, PrivBayesParams};
use super::search::Rounds;
use super::sets::Allowed;
use crate::MethodError;
use crate::budget::{Bought, PlanBuilder, Purchase, expected_noise};

/// The most cells of a table, whatever the budget allows: a network of 200 such tables still fits
/// in memory.
pub(super) const MOST_CELLS: u64 = 1 << 17;

/// The most rows that all selections together count, tables times rows. A clique takes about a
/// nanosecond a row.
const MOST_LOOKS: f64 = 2e10;

/// What all decisions rest on: public, or paid for.
#[derive(Clone, Copy)]
pub(super) struct Facts<'a> {
    pub params: &'a PrivBayesParams,
    pub domain: &'a Domain,
    /// The attributes of the network.
    pub nodes: &'a Nodes,
    pub neighbours: Neighbours,
    /// The row estimate, at least 1.
    pub rows: f64,
    /// What is left of the budget.
    pub budget: Budget,
}

impl Layout {
    /// The layout with the fewest marginals that keeps its own promise: less noise on fewer
    /// marginals allows larger tables, and larger tables may need fewer or more marginals.
    /// Microseconds: noise is the zCDP figure.
    pub fn new(facts: Facts) -> Result<Self, MethodError> {
        let all = facts.columns().len();
        let mut marginals = 1;
        loop {
            // Whether there are selections hangs on the tables' size, which hangs on the noise.
            // With them there is more.
            let plan = facts.plan(all.saturating_sub(1), marginals);
            let layout = Self::for_noise(facts, plan.noise(&plan.plan.forecast_quickly(facts.budget)?));
            if layout.marginals <= marginals || marginals >= all {
                return Ok(layout);
            }
            marginals += 1;
        }
    }

    /// The layout, and its plan as the account calibrates it: mostly by exact composition, which
    /// has less noise than [`new`](Self::new) assumed, so tables may be a little larger.
    pub fn calibrated(
        facts: Facts,
        calibrate: impl Fn(&Plan) -> Result<CalibratedPlan, CuratorError>,
    ) -> Result<(Self, NetworkPlan, CalibratedPlan), MethodError> {
        let mut layout = Self::new(facts)?;
        loop {
            let plan = facts.plan(layout.selections, layout.marginals);
            let calibrated = calibrate(plan.plan.plan())?;
            let better = Self::for_noise(facts, plan.noise(&Bought::of(&calibrated)));
            let asked = |layout: &Self| (layout.selections, layout.marginals);
            if asked(&better) == asked(&layout) {
                return Ok((better, plan, calibrated));
            }
            // Fewer marginals have less noise still. More of anything would have more, which these
            // tables do not stand.
            if better.marginals > layout.marginals || better.selections > layout.selections {
                return Ok((layout, plan, calibrated));
            }
            layout = better;
        }
    }

    /// What tables of the useful size allow, given the expected noise on a cell.
    fn for_noise(facts: Facts, noise: f64) -> Self {
        let params = facts.params;
        let useful = (facts.rows / (params.theta * noise.max(f64::MIN_POSITIVE))).min(MOST_CELLS as f64) as u64;
        let allowed = match params.degree {
            None => Allowed { cells: useful, degree: usize::MAX, any_size: false },
            Some(degree) => {
                let any_size = params.order == Order::Given;
                Allowed { cells: MOST_CELLS, degree: degree as usize, any_size }
            }
        };
        Self::for_sets(facts, allowed)
    }

    fn for_sets(facts: Facts, allowed: Allowed) -> Self {
        let (params, domain) = (facts.params, facts.domain);
        let mut columns = facts.columns();
        let meets = |&one: &AttrId| {
            let smallest = columns.iter().filter(|&&other| other != one).map(|&other| domain.size(other)).min();
            smallest.is_some_and(|size| allowed.fits(domain.size(one), &[size]))
        };
        let narrow: Vec<AttrId> = columns.iter().copied().filter(meets).collect();
        columns.retain(|column| !narrow.contains(column));
        let first = match params.order {
            Order::Given => narrow.first().copied(),
            // Fixed before any look, by a generator with a public key.
            Order::Private if narrow.is_empty() => None,
            Order::Private => Some(narrow[generator(params, 0).below(narrow.len())]),
        };
        let (candidates, tables) = (params.candidates as usize, (MOST_LOOKS / facts.rows) as usize);
        let wide = columns;
        let kin = narrow.iter().map(|&attribute| facts.nodes.kin(attribute)).collect();
        let mut layout =
            Self { narrow, kin, wide, first, allowed, certain: 0, selections: 0, marginals: 0, candidates, tables };
        layout.certain = layout.count_certain(params.order, domain);
        layout.selections = layout.count_selections(params, domain);
        layout.marginals = layout.wide.len() + layout.narrow.len() - layout.certain;
        layout
    }

    /// How many attributes after the first have all earlier ones as parents, whatever is selected:
    /// their tables are all parts of the last one's.
    fn count_certain(&self, order: Order, domain: &Domain) -> usize {
        let Some(first) = self.first else { return 0 };
        let mut others: Vec<u32> =
            self.narrow.iter().filter(|&&one| one != first).map(|&one| domain.size(one)).collect();
        if order == Order::Private {
            // The widest could be chosen first.
            others.sort_unstable_by(|a, b| b.cmp(a));
        }
        // Where smaller sets are candidates too, only the second attribute has no choice.
        let most = if self.allowed.any_size { others.len().min(1) } else { others.len() };
        let fits = |&count: &usize| self.allowed.fits(domain.size(first), &others[..count]);
        (0..=most).rev().find(fits).unwrap_or(0)
    }

    /// In a given order every round's candidates are known beforehand, and one candidate needs no
    /// selection. Otherwise each round is one, unless the table of all attributes is allowed: then
    /// every network is the same distribution.
    fn count_selections(&self, params: &PrivBayesParams, domain: &Domain) -> usize {
        if self.certain + 1 >= self.narrow.len() {
            return 0;
        }
        if params.order == Order::Private {
            return self.narrow.len() - 1;
        }
        let mut rounds = Rounds::new(params, self, domain);
        let choices = self.narrow.iter().filter(|&&attribute| {
            rounds.place(attribute);
            rounds.candidates().len() > 1
        });
        choices.count()
    }
}

impl Facts<'_> {
    /// Attributes with something to learn.
    pub fn columns(&self) -> Vec<AttrId> {
        self.nodes.attributes.iter().copied().filter(|&node| self.domain.size(node) > 1).collect()
    }

    /// The plan of some selections and marginals, in `beta`'s shares.
    pub fn plan(&self, selections: usize, marginals: usize) -> NetworkPlan {
        let (beta, mut plan) = (self.params.beta, PlanBuilder::new(self.neighbours, self.budget));
        let selection = (selections > 0).then(|| plan.choices("parents of the network", beta, selections));
        let marginal = (marginals > 0).then(|| plan.marginals("marginals of the network", 1.0 - beta, marginals));
        NetworkPlan { plan, selection, marginal }
    }
}

/// Selections and marginals, where there are any.
pub(super) struct NetworkPlan {
    pub plan: PlanBuilder,
    pub selection: Option<Purchase<Rational>>,
    pub marginal: Option<Purchase<Noise>>,
}

impl NetworkPlan {
    /// The expected absolute noise on a cell of the marginals; 0 without any.
    fn noise(&self, bought: &Bought) -> f64 {
        self.marginal.and_then(|marginal| bought.get(marginal).ok()).map_or(0.0, expected_noise)
    }
}
