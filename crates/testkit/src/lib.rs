//! What tests of several crates share: small schemas and tables, repeatable chance, folders with a
//! program in them, and what a test needs that may not be there.
//!
//! It is a development dependency only. A crate's own unit tests see its types twice when they take
//! them from here, so `schema` keeps a few fixtures of its own.
#![forbid(unsafe_code)]
// A tool of tests may speak on standard error, and fails by a panic as tests do.
#![allow(clippy::print_stderr)]

mod chance;
mod needs;
pub mod people;
mod postgres;
mod sandbox;
mod schemas;

pub use chance::{Dice, mixed};
pub use needs::{benchmark_table, benchmark_tables, or_missing};
pub use postgres::Postgres;
pub use sandbox::{Ran, Sandbox};
pub use schemas::{clique, integers, words};
