//! What p-values and sampling floors need, on special functions of `statrs`; tested against SciPy.

mod deviation;
mod tails;

pub use deviation::{Deviations, share_deviation};
pub use tails::{chi_square_above, student_two_sided};

#[cfg(test)]
mod tests;
