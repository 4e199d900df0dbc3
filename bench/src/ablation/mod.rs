//! The parts of the default method, each left out alone: what does it cost, and where?
//!
//! - [`parts`]: the switches among a method's parameters.
//! - [`class`] of a table: coded, raw or generated; [`tables`] by name, and one run on one of them.
//! - [`figures`]: what is kept of a run, and the one number by which two runs are compared.
//! - [`verdict`]: mean changes with their standard errors, and whether a part stays.

pub mod class;
pub mod figures;
pub mod parts;
pub mod tables;
pub mod verdict;

#[cfg(test)]
mod tests;
