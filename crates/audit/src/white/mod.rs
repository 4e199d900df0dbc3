//! White-box audits: one mechanism, on the curator's own answers.
//!
//! Every run is a query to a real [`Curator`](lookalike_curator::Curator) over a real engine, with
//! a real charge to a ledger that keeps its records in memory, and noise keyed from the operating
//! system. Two things differ from a release, for speed: one curator answers many runs (a query that
//! stands in a batch several times is charged several times and answered with fresh noise), and
//! therefore its ledger is a filter with a cap that no run reaches. The scale of the noise is what
//! the product's own calibration gives for one run at the claimed epsilon.

mod canary;
mod mechanism;
mod setup;
mod values;

#[cfg(test)]
mod tests;

pub use mechanism::{Mechanism, MechanismForm, NoiseKind, mechanisms};
pub use setup::{NoiseFault, Setup};
pub use values::UnlistedValues;
