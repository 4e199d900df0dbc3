//! Classifiers, small and ours: support vector machines, logistic regression, forests.
//!
//! They know nothing of privacy or of files. Libraries of this kind were tried and left: they are
//! stale, do not finish, or bring an old linear-algebra stack. Each is tested against figures of
//! scikit-learn.

pub mod examples;
pub mod forest;
pub mod logistic;
pub mod minimize;
pub mod points;
pub mod rbf;
pub mod svm;

pub use examples::Examples;
pub use forest::{Forest, ForestFit, Inputs};
pub use logistic::{Logistic, LogisticFit};
pub use minimize::{Minimum, Smooth, minimize};
pub use points::{Points, Standard};
pub use rbf::{RbfFit, RbfSvm};
pub use svm::{LinearFit, LinearSvm, SvmFit};

#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod tests;

/// The index of the largest value; the first of equals.
pub(crate) fn largest(values: &[f64]) -> u32 {
    let mut best = 0;
    for (index, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = index;
        }
    }
    best as u32
}
