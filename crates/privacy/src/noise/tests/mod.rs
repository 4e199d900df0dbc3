//! Tests of the noise: arithmetic against wide integers, draws against their distribution,
//! distributions against what they are claimed to cost.

mod bits;
mod coins;
mod exponential;
mod loss;
mod pmf;
mod samplers;
mod script;
mod statistics;

use super::NoiseRng;

/// Statistical tests use real noise, so that no lucky seed can hide in them.
fn noise() -> NoiseRng {
    NoiseRng::from_os().expect("the operating system gives entropy")
}
