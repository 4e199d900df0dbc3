//! `auto`: tables of many columns at several levels of detail, chosen where the model is most
//! wrong.

mod candidates;
mod cluster;
mod coarse_levels;
mod columns;
mod drawn;
mod fit;
mod forecast;
mod forest;
mod ladder;
mod params;
mod schedule;
mod signal_test;
mod state;
mod tables;

#[cfg(test)]
mod tests;

use lookalike_curator::Curator;

pub use params::AutoParams;
use params::NAME;

use crate::settings::{AreLegal, check_shares};
use crate::{
    Forecast, Method, MethodError, MethodInfo, Observer, Outcome, Parameters, PublicFacts, Request, TableReach,
};

impl Parameters for AutoParams {
    type Checked = Auto;

    const METHOD: MethodInfo = MethodInfo::new::<Self>(
        NAME,
        "measures what the model gets most wrong, in as much detail as the budget can carry",
        1e-9,
    );

    fn checked(self, _: AreLegal) -> Auto {
        Auto { params: self }
    }

    fn check_together(&self) -> Result<(), MethodError> {
        let (usual, down) = (self.one_share + self.select_share, self.descent_share + self.descent_select_share);
        check_shares(NAME, "one-share, select-share and signal-share", usual + self.signal_share)?;
        check_shares(NAME, "descent-share, descent-select-share and signal-share", down + self.signal_share)?;
        let weak = self.weak_share + self.weak_select_share + self.signal_share;
        check_shares(NAME, "weak-share, weak-select-share and signal-share", weak)
    }
}

/// The method with checked parameters.
///
/// # Privacy
/// - Neighbours: the run's own (add/remove with a contribution, or replace-one); the curator puts
///   them into every cost.
/// - Sensitivity: one marginal's counts for every measurement; for a choice the weight times the L1
///   distance above the expected noise, whose sensitivity is the largest weight times 1 under
///   add/remove (times the contribution) and times 2 under replace-one. The model's vector is
///   fixed before the choice. The signal test's noisy distance to that vector has the same
///   sensitivity, in steps of the public grid.
/// - Cost, delta above 0: where a column has no bins, first the number of rows, a pure stage of its
///   own (under replace-one it is public); then a plan that is fixed before its first look and
///   composed exactly, and whose length and shares may depend on that number alone: noisy counts of
///   every column (in several slots where one has no bins, and of dates by what comes
///   again in a calendar), a number of choices, the signal test's distances, and a number of
///   equal draws of noise that tables share as the rounds see fit. Which table a draw is spent
///   on, and whether the signal test is made or left out, may depend on answers; how many there
///   are, their order and their scale may not.
/// - Cost, delta = 0: a filter over epsilon.
/// - Candidates, groups of values and the number of rounds follow from the schema, flags, paid
///   answers and fixed streams of numbers, never from rows or a clock.
/// - Source: ours; rounds as in AIM (arXiv 2201.12677), candidates as in PrivMRF (2021).
///   `docs/research/auto.md` says what was tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Auto {
    params: AutoParams,
}

impl Method for Auto {
    fn name(&self) -> &'static str {
        NAME
    }

    fn uses_workload(&self) -> bool {
        true
    }

    fn grid(&self) -> Option<u32> {
        self.params.descent.then_some(self.params.grid)
    }

    fn forecast(&self, facts: &PublicFacts) -> Result<Forecast, MethodError> {
        forecast::forecast(&self.params, facts)
    }

    fn reach(&self, facts: &PublicFacts) -> Result<Option<TableReach>, MethodError> {
        forecast::reach(&self.params, facts)
    }

    fn run(&self, curator: &mut Curator, request: &Request, observer: &dyn Observer) -> Result<Outcome, MethodError> {
        fit::fit(&self.params, curator, request, observer).map(Outcome::Model)
    }
}
