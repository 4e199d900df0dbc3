//! Tools for tests of private code. The shipped binary is built without the feature that holds
//! them.

mod seeded;
mod statistics;

pub use seeded::SeededNoise;
pub use statistics::{ALPHA, chi_square_tail, goodness_of_fit, same_distribution, standard_errors_off};
