//! Generated tables: public by construction, and the same for the same seed on one platform.
//!
//! The documents' own examples are [`copula`], [`spearman`] and [`boolean`]; [`tables`] lists
//! tables by name, for benchmarks, most of them of a [`design`]; [`varied`] has as many more
//! as one likes.

pub mod boolean;
pub mod copula;
pub mod design;
pub mod draw;
pub mod files;
pub mod nist;
pub mod spearman;
pub mod tables;
pub mod varied;

pub use boolean::BooleanNetwork;
pub use copula::Copula;
pub use spearman::SpearmanExample;
pub use tables::{TABLES, generate};

#[cfg(test)]
mod tests;
