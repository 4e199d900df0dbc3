//! Two tables compared in their own numbers, never in bins.
//!
//! Coded metrics cannot see what binning loses: both tables have gone through it. Here a cell is
//! what stands in the file. A column is a slice of `f64`: a number, days or seconds since 1970, the
//! code of a word; a NaN is a missing cell.
//!
//! - [`mod@column`]: one column of both tables (quantiles, Kolmogorov-Smirnov).
//! - [`correlate`]: a pair of numbers (Pearson, Spearman, slope), over the rows where both are
//!   there.
//! - [`group`]: numbers by categories (correlation ratio, group means).
//! - [`holes`]: cells that are missing together.
//! - [`comparison`]: all of it for two tables, and [`summary`] in a few figures.

pub mod column;
pub mod comparison;
pub mod correlate;
pub mod group;
pub mod holes;
pub mod summary;
pub(crate) mod table;

#[cfg(test)]
mod tests;

pub use column::{Ascending, NumberSummary, QUANTILES, RawColumn, compare_numbers};
pub use comparison::{RawComparison, RawPair, compare_raw};
pub use group::GroupFigures;
pub use holes::MissingTogether;
pub use summary::{KeptCorrelations, RawSummary, STRONG, Slope};
pub use table::RawTable;
