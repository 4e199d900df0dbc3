//! Counts of single columns: of many ordered values, from noisy answers about parts of them, and
//! of codes that no row may have.

mod descent;
mod empty_codes;
mod run;
mod season;
mod shape;
mod spread;
mod tail;

#[cfg(test)]
mod tests;

pub use descent::Descent;
pub use empty_codes::{LeftCount, codes_in_doubt};
pub use run::CodeRun;
pub use season::Season;
pub use shape::Shape;
