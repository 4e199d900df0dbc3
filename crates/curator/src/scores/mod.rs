//! Scores on exact counts: what may be computed inside the door on the way to a selection or to a
//! noisy score. One file each, with its sensitivity; the figures are [`ScoreKind::sensitivity`],
//! and `tests/` checks every one of them over all tiny tables.
//!
//! A score is an integer in steps of 1/[`GRID`] of a row. The grid is public, so rounding cannot
//! leak: every rounded quantity is either public (model vectors, weights, offsets) or covered by
//! one grid step in the sensitivity.
//!
//! A score without a row in the table of sensitivities must not be added here. A new one brings its
//! row, its proof and its brute-force test.

pub mod dependence;
pub mod distance;
mod grid;
pub mod information;
pub(crate) mod known;
mod labels;
pub mod maximum_joint;
pub(crate) mod noisy;
pub(crate) mod prepared;

#[cfg(test)]
mod tests;

use lookalike_privacy::ScoreKind;
use lookalike_schema::{AttrId, Clique, Domain, View};

pub use self::grid::{GRID, MAX_ROWS};
use crate::{CountTable, CuratorError, Score, check};

impl Score {
    /// The attributes whose counts the score is computed from.
    pub fn clique(&self) -> Clique {
        match self {
            Score::Dependence { child, parents }
            | Score::MaximumJoint { child, parents }
            | Score::Information { child, parents } => parents.union(&Clique::single(*child)),
            Score::DistanceToModel { clique, .. } => clique.clone(),
        }
    }

    /// Which row of the table of sensitivities it belongs to.
    pub fn kind(&self, domain: &Domain) -> ScoreKind {
        match self {
            Score::Dependence { .. } => ScoreKind::Dependence,
            Score::MaximumJoint { .. } => ScoreKind::MaximumJoint,
            Score::Information { child, parents } => {
                let binary = domain.size(*child) <= 2 || domain.cells(parents).is_some_and(|cells| cells <= 2);
                if binary { ScoreKind::BinaryInformation } else { ScoreKind::Information }
            }
            Score::DistanceToModel { .. } => ScoreKind::Distance,
        }
    }

    /// The score's name in the statement.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Score::Dependence { .. } => "dependence R",
            Score::MaximumJoint { .. } => "score F",
            Score::Information { .. } => "mutual information I",
            Score::DistanceToModel { .. } => "L1 distance to the model",
        }
    }

    /// Refuses parameters that make no sense, from the columns alone.
    pub(crate) fn check(&self, view: &View) -> Result<(), CuratorError> {
        let cells = check::cells(view, &self.clique())?;
        match self {
            Score::Dependence { child, parents } | Score::Information { child, parents } => {
                dependence::check(view, *child, parents)
            }
            Score::MaximumJoint { child, parents } => {
                dependence::check(view, *child, parents)?;
                maximum_joint::check(view.name(*child), view.domain().size(*child))
            }
            Score::DistanceToModel { expected, .. } => distance::check(cells, expected.values()),
        }
    }

    /// The score of a table of the score's clique, on the grid. `rows` is the table's total.
    pub(crate) fn evaluate(&self, table: &CountTable, rows: u64, domain: &Domain) -> i128 {
        let split = |child: &AttrId| dependence::Split::new(domain, &self.clique(), *child);
        match self {
            Score::Dependence { child, .. } => dependence::score(table, rows, split(child)),
            Score::MaximumJoint { child, .. } => maximum_joint::score(table, rows, split(child)),
            Score::Information { child, .. } => information::score(table, rows, split(child)),
            Score::DistanceToModel { expected, .. } => distance::score(table, expected.values()),
        }
    }
}
