//! Benchmarks and studies. Nothing here is part of what a release is made with.
//!
//! - [`baselines`]: what the papers compare with; never offered to a steward.
//! - [`coverage`]: how often printed intervals hold the truth.
//! - [`simulate`]: generated tables, public by construction.
//! - [`greedy`]: the network that a greedy search finds on exact counts.
//! - [`solve`]: the classifiers of `lookalike-evaluate`.
//! - [`grid`]: methods compared over tables, epsilons and runs.
//! - [`reproduce`]: the papers' figures, again.
//! - [`run`]: one method on one benchmark table.
//! - [`speed`]: one method on one generated table, in steps that can be timed.

pub mod baselines;
pub mod coverage;
pub mod generate;
pub mod greedy;
pub mod grid;
pub mod reproduce;
pub mod run;
pub mod simulate;
pub mod speed;

pub use lookalike_evaluate::learn as solve;
