//! Tables that agree: the whole consistency procedure.
//!
//! 1. Negative cells are removed and every table is made to sum to 1 ([`negatives`]).
//! 2. The tables are averaged over every set of columns that two of them share, in ascending order,
//!    beginning with the empty set ([`sets`], [`average`]). A later set does not disturb an earlier
//!    one. Weights come from the noise as it was drawn, or from what equation 3.3 leaves of it
//!    ([`variances`]).
//! 3. Averaging may make cells negative again: 1 and 2 alternate until the smallest cell is above
//!    [`LEAST`].
//!
//! # Levels
//! The paper pads a table with the coarser copies of its columns, enforces the coarser first, and
//! makes each table agree with itself top-down at the end. Here a coarser level is no dimension of
//! its own: it is the sum over its groups, so a table always agrees with itself. Sets of columns
//! name a level for each; coarser ones come first in the order, and a correction at a coarse level
//! is spread evenly over the finer cells below it, which is the paper's top-down step.

pub(crate) mod average;
pub(crate) mod negatives;
pub(crate) mod sets;
pub(crate) mod variances;

use lookalike_model::Halt;

use super::hierarchy::Hierarchy;
use super::tables::Table;
use crate::MethodError;
use average::Averaging;
pub use negatives::Negatives;
pub use variances::Variances;

/// Cells below this are negative.
pub(crate) const LEAST: f64 = -1e-9;

/// How often the two steps alternate before a pinch of the uniform distribution ends it.
const MOST_ROUNDS: usize = 60;

/// About the steps that removing a negative cell takes: cells are sorted.
const STEPS_A_CELL: usize = 8;

/// Fewer rounds when one passes over as many cells as would make all take minutes. Judged from the
/// network alone.
const MOST_VISITS: f64 = 4e9;

/// Makes noisy counts into probabilities on which all tables agree.
///
/// Alternating ends by itself in most cases. Where it would go on, what is left is mixed with the
/// uniform distribution, whose tables agree too: just so much of it that no cell is negative.
///
/// # Privacy
/// Post-processing.
///
/// # Errors
/// Only when it is told to stop.
pub(crate) fn enforce(
    hierarchy: &Hierarchy,
    tables: &mut [Table],
    (negatives, variances): (Negatives, Variances),
    most_sets: usize,
    halt: &Halt,
) -> Result<Report, MethodError> {
    let averaging = Averaging::new(hierarchy, tables, variances, most_sets, halt)?;
    let most_rounds = ((MOST_VISITS / averaging.visits().max(1.0)) as usize).clamp(3, MOST_ROUNDS);
    let mut report = Report { sets: averaging.len(), rounds: 0, uniform: 0.0 };
    loop {
        for table in tables.iter_mut() {
            halt.check(STEPS_A_CELL * table.cells.len())?;
            negatives.remove(&mut table.cells);
        }
        averaging.sweep(tables, halt)?;
        report.rounds += 1;
        if smallest(tables) > LEAST {
            break;
        }
        if report.rounds == most_rounds {
            report.uniform = pinch(hierarchy, tables);
            break;
        }
    }
    Ok(report)
}

/// What it took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Report {
    /// How many sets of columns were averaged.
    pub sets: usize,
    /// How many rounds.
    pub rounds: usize,
    /// How much of the uniform distribution was mixed in at the end.
    pub uniform: f64,
}

/// The smallest cell of all tables.
pub(crate) fn smallest(tables: &[Table]) -> f64 {
    tables.iter().flat_map(|table| &table.cells).copied().fold(f64::INFINITY, f64::min)
}

/// Mixes in the uniform distribution over all codes, just so much that no cell stays negative; says
/// how much.
fn pinch(hierarchy: &Hierarchy, tables: &mut [Table]) -> f64 {
    let uniform: Vec<Vec<f64>> = tables.iter().map(|table| average::uniform(hierarchy, &table.nodes)).collect();
    let mut share = 0.0f64;
    for (table, uniform) in tables.iter().zip(&uniform) {
        for (&cell, &even) in table.cells.iter().zip(uniform) {
            if cell < 0.0 {
                share = share.max(-cell / (even - cell));
            }
        }
    }
    for (table, uniform) in tables.iter_mut().zip(&uniform) {
        table.cells.iter_mut().zip(uniform).for_each(|(cell, even)| *cell += share * (even - *cell));
    }
    share
}
