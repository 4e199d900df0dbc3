//! Tests that researchers run on pairs of columns: Pearson's chi-square and Spearman's rank
//! correlation.
//!
//! The functions take counts or plain vectors, so that studies can call them on small samples.

mod chi_square;
mod spearman;

pub use chi_square::{ChiSquare, chi_square, goodness_of_fit};
pub use spearman::{Spearman, middle_ranks, pearson, ranks, spearman, spearman_of_sums};

#[cfg(test)]
mod tests;
