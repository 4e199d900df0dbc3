//! Solvers for linear classifiers: sparse examples, the hinge-loss support vector machine, smooth minimization.
//!
//! Nothing here knows about tables, baselines or privacy.

pub mod examples;
pub mod minimize;
pub mod svm;

pub use examples::Examples;
pub use minimize::{Minimum, Smooth, minimize};
pub use svm::{LinearSvm, SvmFit};

#[cfg(test)]
mod tests;
