//! Benchmarks and studies. Nothing here is part of what a release is made with.

pub mod generate;
pub mod run;
