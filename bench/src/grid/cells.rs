//! The grids. They were fixed before the default method was tuned and are not to be changed to suit
//! it; `docs/research/grid.md` says the same in words.

use std::path::Path;

use anyhow::Result;

use super::peers;
use crate::simulate::{TABLES, varied};

/// Delta of every comparison.
pub const DELTA: f64 = 1e-5;
/// The benchmark tables, found through `LOOKALIKE_DATA`.
pub const BENCHMARKS: [&str; 4] = ["nltcs", "acs", "adult", "br2000"];
/// The generated tables, light ones first.
pub const GENERATED: [&str; 6] = ["rows-2000", "independent", "interactions", "wide-column", "columns-100", "rows-5m"];
/// Epsilons of the wide grid.
pub const EPSILONS: [f64; 4] = [0.1, 0.5, 2.0, 8.0];

/// The method that the wide grid judges.
pub const JUDGED: &str = "auto";
/// It may be this much worse than the best of the others, plus [`ERRORS`] standard errors of the
/// difference.
pub const MARGIN: f64 = 1.02;
/// See [`MARGIN`].
pub const ERRORS: f64 = 2.0;
/// Runs of the judged method and of the best others before a cell is decided.
pub const DECISIVE_RUNS: usize = 5;

/// A place of a grid.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub struct GridCell {
    /// The table's name.
    pub table: String,
    /// The total epsilon.
    pub epsilon: f64,
}

/// A grid by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Grid {
    /// Four benchmark tables and six generated ones at epsilon 0.1, 0.5, 2 and 8.
    Wide,
    /// Wherever another tool's figure is known or promised.
    Peers,
}

impl Grid {
    /// Its cells, light tables first.
    pub fn cells(self) -> Result<Vec<GridCell>> {
        match self {
            Self::Wide => Ok(product(&BENCHMARKS.iter().chain(&GENERATED).copied().collect::<Vec<_>>(), &EPSILONS)),
            Self::Peers => peer_cells(),
        }
    }
}

/// Every cell with another tool's figure, and those where `aim` is held against `mst`.
fn peer_cells() -> Result<Vec<GridCell>> {
    let mut cells = product(&BENCHMARKS, &peers::AIM_EPSILONS);
    cells.extend(peers::figures()?.into_iter().map(|peer| GridCell { table: peer.table, epsilon: peer.epsilon }));
    let place = |cell: &GridCell| BENCHMARKS.iter().position(|table| *table == cell.table);
    cells.sort_by(|a, b| place(a).cmp(&place(b)).then(a.epsilon.total_cmp(&b.epsilon)));
    cells.dedup();
    Ok(cells)
}

/// All tables at all epsilons.
pub fn product<T: AsRef<str>>(tables: &[T], epsilons: &[f64]) -> Vec<GridCell> {
    let cell = |table: &T, epsilon: f64| GridCell { table: table.as_ref().to_owned(), epsilon };
    tables.iter().flat_map(|table| epsilons.iter().map(move |&epsilon| cell(table, epsilon))).collect()
}

/// Whether the table is generated; otherwise it is a file of the data folder.
pub fn is_generated(table: &str, data: Option<&Path>) -> bool {
    let name = table.split('@').next().unwrap_or(table);
    let file = data.is_some_and(|folder| folder.join(format!("{table}.csv")).exists());
    !file && (varied::number(name).is_some() || TABLES.iter().any(|generated| generated.name == name))
}
