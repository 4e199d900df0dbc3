//! Counts of single columns of many ordered values, from noisy answers about parts of them.

mod descent;
mod run;
mod shape;
mod spread;

#[cfg(test)]
mod tests;

pub use descent::Descent;
pub use run::CodeRun;
pub use shape::Shape;
