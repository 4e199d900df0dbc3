//! Hostile files for every reader, on stable Rust.
//!
//! A run takes an input of the corpus, changes it ([`mutate`]) and gives it to a reader
//! ([`targets`]). Inputs that bring out an answer that was not heard before join the corpus of the
//! run: a poor man's coverage, which needs no instrumented build. The program of this crate counts
//! allocations ([`limit`]) and ends with the input in a file when one panics, hangs or asks for too
//! much memory.

pub mod limit;
pub mod mutate;
pub mod session;
pub mod targets;

pub use lookalike_testkit::Dice;
