//! Counts of single columns of many ordered values, from noisy answers about parts of them.

mod descent;
mod run;
mod season;
mod shape;
mod spread;
mod tail;

#[cfg(test)]
mod tests;

pub use descent::Descent;
pub use run::CodeRun;
pub use season::Season;
pub use shape::Shape;
