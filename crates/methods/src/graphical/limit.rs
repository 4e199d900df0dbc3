//! How large a model may grow: from the flags alone, never from rows or a clock.

use crate::Request;

/// Memory when none is named.
const DEFAULT_MEMORY: u64 = 2 << 30;
/// Seconds when none are named.
const DEFAULT_SECONDS: u64 = 20;
/// Of the memory, what one cell of the tree takes: potentials, beliefs and messages, the tables of
/// a fit's recent steps, and the tables that candidates are compared with; and the rows beside
/// them.
const BYTES_A_CELL: u64 = 128;
/// Cells of the tree for each second: a pass over a cell takes about two nanoseconds, and a method
/// with thirty rounds makes some thousands of passes.
const CELLS_A_SECOND: u64 = 100_000;
/// Rounds for each second: a round of a large table takes about as long.
const ROUNDS_A_SECOND: u64 = 15;
/// The least that makes a model.
const LEAST_CELLS: u64 = 1 << 12;
/// The fewest rounds that are worth the name.
const LEAST_ROUNDS: u64 = 15;

/// The most cells of a junction tree, and the most rounds that make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limit {
    cells: u64,
    /// What memory alone would allow.
    held: u64,
    rounds: u64,
}

impl Limit {
    /// What `--memory` and `--time` allow.
    pub fn of(request: &Request) -> Self {
        let memory = request.memory.unwrap_or(DEFAULT_MEMORY) / BYTES_A_CELL;
        let seconds = request.seconds.unwrap_or(DEFAULT_SECONDS);
        let held = memory.max(LEAST_CELLS);
        let cells = held.min(seconds.saturating_mul(CELLS_A_SECOND)).max(LEAST_CELLS);
        Self { cells, held, rounds: seconds.saturating_mul(ROUNDS_A_SECOND).max(LEAST_ROUNDS) }
    }

    /// The most cells of the tree.
    pub fn cells(self) -> u64 {
        self.cells
    }

    /// The most rounds that a method should plan for.
    pub fn rounds(self) -> u64 {
        self.rounds
    }

    /// The cells that a method may use so far: `share` of the cells, and at least the least. A
    /// share above 1 is for methods with fewer fits than the cells are meant for, each of which may
    /// then take longer; memory bounds it all the same.
    pub fn part(self, share: f64) -> u64 {
        ((self.cells as f64 * share.max(0.0)) as u64).max(LEAST_CELLS.min(self.cells)).min(self.held)
    }
}
