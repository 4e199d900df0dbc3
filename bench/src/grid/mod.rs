//! Comparisons of methods over tables, epsilons and runs: which cells, what is kept of a run, and
//! what follows from it.
//!
//! - [`cells`]: the two grids that are fixed beforehand.
//! - [`peers`]: what other tools reach, compiled in.
//! - [`record`]: one run, one line of a file that is only ever appended to.
//! - [`folders`]: where the tables are.
//! - [`figure`]: the default method beside the peers, as a picture.
//! - [`summary`]: means, standard errors, the best method of a cell, and whether the rule holds.

pub mod cells;
pub mod figure;
pub mod folders;
pub mod peers;
pub mod record;
pub mod summary;

pub use cells::{Grid, GridCell};
pub use folders::TableFolders;
pub use record::{RunLog, RunRecord};
pub use summary::Summary;

#[cfg(test)]
mod tests;
