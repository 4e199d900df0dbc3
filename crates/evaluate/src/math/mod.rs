//! Special functions that p-values and sampling floors need. Pure arithmetic, no tables, tested
//! against SciPy.

mod beta;
mod deviation;
mod gamma;

pub use beta::student_two_sided;
pub use deviation::{Deviations, share_deviation};
pub use gamma::{chi_square_above, ln_gamma};

#[cfg(test)]
mod tests;
