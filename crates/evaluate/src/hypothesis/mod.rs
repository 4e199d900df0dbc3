//! Tests that researchers run on pairs of columns: Pearson's chi-square and Spearman's rank
//! correlation.
//!
//! The functions take counts or plain vectors, so that studies can call them on small samples.

mod chi_square;
mod cross_table;
mod spearman;

pub use chi_square::{ChiSquare, chi_square, chi_square_of, goodness_of_fit};
pub use cross_table::CrossTable;
pub use spearman::{Spearman, middle_ranks, ranks, spearman, spearman_of_sums};

#[cfg(test)]
mod tests;
